/** A pass over the rows of a file, with its report, rejected rows and warnings. */

import { addressFieldOf, nameFieldOf } from '../../../src/domain/map.ts';
import { isBlank, quote } from '../../../src/domain/text.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import type { RowInput } from '../../../src/transfer/columns/row-mapper.ts';
import type { Message } from '../../../src/transfer/message.ts';
import { message, problemOf, RowError } from '../../../src/transfer/message.ts';
import type { ImportSource } from '../../../src/transfer/open-import.ts';
import type { RejectedRow } from '../../../src/transfer/rejected-rows.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { textOfValue } from '../common/field-inputs.ts';
import type { NumberedRow } from './import-requests.ts';
import type { Outcome, RunCounts, RunEnd, RunListener, Send } from './import-run.ts';
import { ImportRun } from './import-run.ts';
import { ReportText } from './report-text.ts';
import type { Messages, RowWarning } from './row-warnings.ts';
import { MAX_SHOWN, RowWarnings } from './row-warnings.ts';

export interface RunState {
  readonly counts: RunCounts;
  /** Progress, from 0 to 1. */
  readonly done: number;
}

/** Why a row was not stored. */
export interface RowRejection {
  readonly line: number;
  readonly code: string;
  readonly problem: Message;
}

export interface RunResult extends RunState {
  /** The import's entry in the map's history; null if it changed nothing. */
  readonly historyId: string | null;
  readonly end: RunEnd;
  readonly rejected: Messages<RowRejection>;
  readonly warnings: Messages<RowWarning>;
  readonly columns: readonly ReportedColumn[];
  readonly notes: readonly Message[];
}

export interface JobListener {
  readonly onProgress: (state: RunState) => void;
  /** The server asks to wait. */
  readonly onWait: (seconds: number) => void;
}

interface Rejection {
  readonly number: number;
  readonly row: RejectedRow;
  readonly error: ServiceError;
  readonly problem: Message;
}

/** One pass over the file: a check, or an import, which may be stopped and resumed. */
export class ImportPass {
  readonly source: ImportSource;
  readonly isDryRun: boolean;
  readonly report = new ReportText();
  readonly rejected: Rejection[] = [];
  end: RunEnd | null = null;
  readonly #run: ImportRun;
  readonly #warnings: RowWarnings;
  readonly #fields: readonly FieldDefinition[];
  #done = 0;
  #listener: JobListener | null = null;

  constructor(
    source: ImportSource,
    size: number,
    options: ConstructorParameters<typeof ImportRun>[1] & { fields: readonly FieldDefinition[] },
  ) {
    this.source = source;
    this.isDryRun = options.isDryRun;
    this.#warnings = new RowWarnings(options.fields);
    this.#fields = options.fields;
    const listener: RunListener = {
      onRow: (row, result) => this.#note(row, result),
      onProgress: (_counts, end) => {
        this.#done = size === 0 ? 1 : Math.min(1, end / size);
        this.#listener?.onProgress(this.state);
      },
      onWait: (seconds) => this.#listener?.onWait(seconds),
    };
    this.#run = new ImportRun(source, options, listener);
  }

  get counts(): RunCounts {
    return this.#run.counts;
  }

  get unconfirmed(): readonly NumberedRow[] {
    return this.#run.unconfirmed;
  }

  get state(): RunState {
    return { counts: { ...this.#run.counts }, done: this.#done };
  }

  async go(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    this.#listener = listener;
    this.end = await this.#run.go(send, stop);
    const { columns, notes } = this.source.report();
    const first = this.rejected
      .slice(0, MAX_SHOWN)
      .map(({ row: { line, code }, problem }) => ({ line, code, problem }));
    return {
      ...this.state,
      end: this.end,
      historyId: this.#run.historyId,
      rejected: { count: this.rejected.length, first },
      warnings: this.#warnings.messages,
      columns,
      notes,
    };
  }

  close(): Promise<void> {
    return this.#run.close();
  }

  #note({ row, number, input }: NumberedRow, result: Outcome | ServiceError): void {
    if (!(input instanceof ServiceError)) this.#warnings.add(row, input.fields);
    if (!(result instanceof ServiceError)) return this.report.add(row.line, result, '');
    const { code, message: reason } = result;
    this.report.add(row.line, code, reason);
    const content = this.source.contentOf(row);
    const problem = this.#problemOf(input, result);
    // Keeps what is known of the row for an import after this check.
    const error = problem.key === null ? result : new RowError(problem);
    this.rejected.push({ number, row: { ...content, line: row.line, code, reason }, error, problem });
  }

  /** The server only says in English what is wrong with a row. Find the most common problem here. */
  #problemOf(input: RowInput | ServiceError, error: ServiceError): Message {
    if (input instanceof ServiceError || error.code !== 'BAD_USER_INPUT') return problemOf(error);
    const missing = [nameFieldOf(this.#fields), addressFieldOf(this.#fields)].find(
      (name) =>
        name !== undefined && error.message.includes(quote(name)) && isBlank(textOfValue(input.fields[name])),
    );
    return missing === undefined
      ? problemOf(error)
      : message('missingField', error.message, { field: missing });
  }
}
