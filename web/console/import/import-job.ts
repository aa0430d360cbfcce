/**
 * Everything that is done with one file, in the worker: it is looked at, checked and imported. Its rows stay here. The
 * page gets counts, samples and, when they are asked for, files.
 */

import { ServiceError } from '../../../src/errors.ts';
import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import type { FormatDescriptor } from '../../../src/transfer/format.ts';
import { formatOf } from '../../../src/transfer/formats.ts';
import type { ImportFileOptions, ImportReport, ImportSource } from '../../../src/transfer/open-import.ts';
import { openImport } from '../../../src/transfer/open-import.ts';
import type { FileRow, RowUnit } from '../../../src/transfer/reader.ts';
import { rejectedFile } from '../../../src/transfer/rejected-file.ts';
import type { RejectedRow } from '../../../src/transfer/rejected-rows.ts';
import { NOT_IMPORTED, rejectedPathOf } from '../../../src/transfer/rejected-rows.ts';
import { FileDamage, UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import type { FieldDefinition as TypedField } from '../field-inputs.ts';
import { doubtOf, textOfValue } from '../field-inputs.ts';
import { blobSource } from './blob-source.ts';
import type { NumberedRow } from './import-requests.ts';
import type { Outcome, RunCounts, RunEnd, RunListener, Send } from './import-run.ts';
import { ImportRun } from './import-run.ts';
import { ReportText } from './report-text.ts';
import { likelyEncoding, UTF_8 } from './text-encoding.ts';

export interface JobFile {
  readonly name: string;
  readonly blob: Blob;
}

export type JobOptions = Omit<ImportFileOptions, 'allowsProblem' | 'format'>;

/** A message about a row. */
export interface RowMessage {
  readonly line: number;
  readonly text: string;
}

/** Some of many messages. */
export interface Messages {
  readonly count: number;
  readonly first: readonly RowMessage[];
}

/** What is shown of a file before anything is done with it. */
export interface Look {
  readonly label: string;
  readonly readOptions: FormatDescriptor['readOptions'];
  readonly unit: RowUnit;
  readonly encoding: string;
  /** Whether a byte order mark says the encoding, so that nobody can choose it. */
  readonly isMarked: boolean;
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  readonly columns: readonly ReportedColumn[];
  readonly notes: readonly string[];
  readonly suggestedAddress: string | null;
  /** Why nothing can be imported as the columns are used; null where it can. */
  readonly problem: string | null;
  /** Values that can be stored but may not be meant so. */
  readonly doubts: Messages;
  /** Rows that were read; all of them where `isWhole`. */
  readonly rows: number;
  readonly isWhole: boolean;
}

/** How far a run is, or how it ended. */
export interface RunState {
  readonly counts: RunCounts;
  /** From 0 to 1. */
  readonly done: number;
}

export interface RunResult extends RunState {
  readonly end: RunEnd;
  readonly rejected: Messages;
  readonly doubts: Messages;
  readonly columns: readonly ReportedColumn[];
  readonly notes: readonly string[];
}

export interface JobListener {
  readonly onProgress: (state: RunState) => void;
  readonly onWait: (seconds: number) => void;
}

/** Rows, and about how many bytes, that are read to show what becomes of the columns. */
const SAMPLE_ROWS = 1_000;
const SAMPLE_BYTES = 2 * 1024 * 1024;
/** Messages that are shown; files have them all. */
const SHOWN = 20;
const MAX_TEXT = 60;

export class ImportJob {
  readonly #file: JobFile;
  readonly #fields: readonly TypedField[];
  readonly #options: JobOptions;
  /** What a check found wrong, by the numbers of the rows. */
  readonly #known = new Map<number, ServiceError>();
  #pass: Pass | null = null;
  /** Null for UTF-8. */
  #encoding: string | null;

  constructor(file: JobFile, fields: readonly TypedField[], options: JobOptions) {
    this.#file = file;
    this.#fields = fields;
    this.#options = options;
    this.#encoding = options.encoding ?? null;
  }

  /** @throws UnreadableFileError */
  async look(): Promise<Look> {
    const { source, ...encoding } = await this.#openInLikelyEncoding();
    try {
      const sample = await readSample(source, this.#fields);
      const report = source.report();
      return {
        ...describe(source, report),
        ...encoding,
        notes: [...report.notes, ...sample.damage],
        doubts: sample.doubts,
        rows: sample.rows,
        isWhole: sample.isWhole,
      };
    } finally {
      await source.close();
    }
  }

  /** Says what would become of each row. */
  async check(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    this.#known.clear();
    const result = await this.#begin(send, stop, listener, true);
    for (const { number, error } of this.#pass?.rejected ?? []) this.#known.set(number, error);
    return result;
  }

  /** Stores the rows that the check found good. */
  import(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    return this.#begin(send, stop, listener, false);
  }

  /** Goes on with the import that was stopped or failed. */
  async resume(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    if (this.#pass === null) throw new Error('Nothing was begun.');
    return this.#pass.go(send, stop, listener);
  }

  async close(): Promise<void> {
    await this.#pass?.close();
    this.#pass = null;
  }

  /** A line for each row of the file. */
  async report(): Promise<Blob> {
    const text = this.#passOrThrow().report.copy();
    for await (const { row, reason } of this.#rest()) text.add(row.line, NOT_IMPORTED, reason);
    return new Blob([...text.pieces], { type: 'text/csv' });
  }

  /** The rows that were not stored, in the format of the file. */
  async rejected(): Promise<JobFile> {
    const { source, rejected } = this.#passOrThrow();
    const file = rejectedFile(source.rejections);
    for (const { row } of rejected) file.add(row);
    for await (const { row, content, reason } of this.#rest())
      file.add({ ...content, line: row.line, code: NOT_IMPORTED, reason });
    const { extension, pieces } = await file.content();
    return { name: rejectedPathOf(this.#file.name, extension), blob: new Blob([...pieces]) };
  }

  /** Rows that nothing became of, since the import ended before. */
  async *#rest() {
    const { counts, end, inDoubt, isDryRun } = this.#passOrThrow();
    if (isDryRun || end === null || end.kind === 'complete' || end.kind === 'damaged') return;
    const source = await this.#open();
    const doubtful = end.kind === 'failed' ? counts.rows + inDoubt.length : 0;
    let number = 0;
    try {
      for await (const row of source.rows) {
        number += 1;
        if (number <= counts.rows) continue;
        const reason = number <= doubtful ? IN_DOUBT : 'The import ended before this row.';
        yield { row, content: source.contentOf(row), reason: this.#known.get(number)?.message ?? reason };
      }
    } catch (error) {
      // Said where the import comes to it.
      if (!(error instanceof FileDamage)) throw error;
    } finally {
      await source.close();
    }
  }

  #passOrThrow(): Pass {
    if (this.#pass === null) throw new Error('Nothing was begun.');
    return this.#pass;
  }

  async #begin(send: Send, stop: AbortSignal, listener: JobListener, isDryRun: boolean): Promise<RunResult> {
    await this.close();
    const source = await this.#open();
    const known = (number: number) => this.#known.get(number);
    const isUpsert = this.#options.isUpsert ?? false;
    this.#pass = new Pass(source, this.#file.blob.size, { fields: this.#fields, isUpsert, isDryRun, known });
    return this.#pass.go(send, stop, listener);
  }

  #open(options: ImportFileOptions = {}): Promise<ImportSource> {
    return openImport(blobSource(this.#file), this.#fields, {
      ...this.#options,
      encoding: this.#encoding,
      ...options,
    });
  }

  /** Where no encoding was chosen, the content tells. What is found is kept for the check and the import. */
  async #openInLikelyEncoding(): Promise<{ source: ImportSource; encoding: string; isMarked: boolean }> {
    const { encoding: likely, isMarked } = await likelyEncoding(blobSource(this.#file).stream());
    const allowsProblem = true;
    if (isMarked || this.#encoding !== null) {
      const encoding = isMarked ? likely : (this.#encoding ?? likely);
      return { source: await this.#open({ allowsProblem }), encoding, isMarked };
    }
    const source = await this.#open({ allowsProblem }).catch((error: unknown) => {
      // What is no text in UTF-8 may be text in what old spreadsheets write.
      if (error instanceof UnreadableFileError && error.isEncoding && likely !== UTF_8) return null;
      throw error;
    });
    if (source !== null && (likely === UTF_8 || !hasEncoding(source)))
      return { source, encoding: likely, isMarked };
    await source?.close();
    this.#encoding = likely;
    return { source: await this.#open({ allowsProblem }), encoding: likely, isMarked };
  }
}

function hasEncoding({ format }: ImportSource): boolean {
  return formatOf(format).readOptions.includes('encoding');
}

const IN_DOUBT = 'The response of the server did not arrive; the row may have been imported.';

/** One way through the file: a check, or an import with all its parts. */
class Pass {
  readonly source: ImportSource;
  readonly isDryRun: boolean;
  readonly report = new ReportText();
  readonly rejected: { readonly number: number; readonly row: RejectedRow; readonly error: ServiceError }[] =
    [];
  end: RunEnd | null = null;
  readonly #run: ImportRun;
  readonly #doubts: Doubts;
  #done = 0;
  #listener: JobListener | null = null;

  constructor(
    source: ImportSource,
    size: number,
    options: ConstructorParameters<typeof ImportRun>[1] & { fields: readonly TypedField[] },
  ) {
    this.source = source;
    this.isDryRun = options.isDryRun;
    this.#doubts = new Doubts(options.fields);
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

  get inDoubt(): readonly NumberedRow[] {
    return this.#run.inDoubt;
  }

  get state(): RunState {
    return { counts: { ...this.#run.counts }, done: this.#done };
  }

  async go(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    this.#listener = listener;
    this.end = await this.#run.go(send, stop);
    const { columns, notes } = this.source.report();
    const first = this.rejected.slice(0, SHOWN).map(({ row }) => ({ line: row.line, text: row.reason }));
    return {
      ...this.state,
      end: this.end,
      rejected: { count: this.rejected.length, first },
      doubts: this.#doubts.messages,
      columns,
      notes,
    };
  }

  close(): Promise<void> {
    return this.#run.close();
  }

  #note({ row, number, input }: NumberedRow, result: Outcome | ServiceError): void {
    if (!(input instanceof ServiceError)) this.#doubts.look(row, input.fields);
    if (!(result instanceof ServiceError)) return this.report.add(row.line, result, '');
    const { code, message: reason } = result;
    this.report.add(row.line, code, reason);
    const content = this.source.contentOf(row);
    this.rejected.push({ number, row: { ...content, line: row.line, code, reason }, error: result });
  }
}

/** Finds values that can be stored but are not what the types of their fields want. */
class Doubts {
  readonly #fields: readonly TypedField[];
  readonly #first: RowMessage[] = [];
  #count = 0;

  constructor(fields: readonly TypedField[]) {
    this.#fields = fields;
  }

  get messages(): Messages {
    return { count: this.#count, first: this.#first };
  }

  look({ line }: FileRow, values: Readonly<Record<string, unknown>>): void {
    for (const { name, type } of this.#fields) {
      const text = Object.hasOwn(values, name) ? textOfValue(values[name]) : '';
      const doubt = doubtOf(type, text);
      if (doubt === null) continue;
      this.#count += 1;
      if (this.#first.length < SHOWN)
        this.#first.push({ line, text: `${name}: “${text.slice(0, MAX_TEXT)}” ${doubt}` });
    }
  }
}

interface Sample extends Pick<Look, 'doubts' | 'rows' | 'isWhole'> {
  /** As a sentence; none where the rows of the sample are not damaged. */
  readonly damage: readonly string[];
}

/** Reads the first rows, so that the report of the columns has values. */
async function readSample(source: ImportSource, fields: readonly TypedField[]): Promise<Sample> {
  const doubts = new Doubts(fields);
  let rows = 0;
  let isWhole = true;
  const damage: string[] = [];
  try {
    for await (const row of source.rows) {
      rows += 1;
      const input = source.readRow(row);
      if (!(input instanceof ServiceError)) doubts.look(row, input.fields);
      if (rows < SAMPLE_ROWS && row.end < SAMPLE_BYTES) continue;
      isWhole = false;
      break;
    }
  } catch (error) {
    if (!(error instanceof FileDamage)) throw error;
    damage.push(`The file is damaged from ${source.unit} ${error.line} on: ${error.reason}.`);
  }
  return { doubts: doubts.messages, rows, isWhole, damage };
}

function describe(source: ImportSource, { columns, suggestedAddress }: ImportReport) {
  const { format, unit, sheets, sheet, problem } = source;
  const { label, readOptions } = formatOf(format);
  return { label, readOptions, unit, sheets, sheet, columns, suggestedAddress, problem };
}
