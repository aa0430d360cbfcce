/** State and actions of the import panel. The rows stay in the worker. */

import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { saveFile } from '../common/download.ts';
import { messageOf, t } from '../common/messages.ts';
import type { Session } from '../common/session.svelte.ts';
import type { Choices, Target } from './import-choices.ts';
import { choose, targetOf, usesOf } from './import-choices.ts';
import { ImportClient, ImportError } from './import-client.ts';
import type { FilePreview } from './file-preview.ts';
import type { JobFile, JobOptions } from './import-job.ts';
import type { RunResult, RunState } from './import-pass.ts';
import { columnName, failureText, useText } from './import-texts.ts';
import type { ImportFailure } from './worker-protocol.ts';

/** `ended`: an import has ended, completely or not. */
export type Step = 'none' | 'unreadable' | 'ready' | 'checking' | 'checked' | 'importing' | 'ended';

/** Values of the form; an empty text for none. */
export interface FormOptions {
  readonly encoding: string;
  readonly delimiter: string;
  readonly sheet: string;
  readonly address: string;
  readonly fillsAddress: boolean;
  readonly isUpsert: boolean;
}

const NO_OPTIONS: FormOptions = {
  encoding: '',
  delimiter: '',
  sheet: '',
  address: '',
  fillsAddress: false,
  isUpsert: false,
};

interface ControllerOptions {
  readonly session: Session;
  readonly mapId: string;
  readonly fields: readonly FieldDefinition[];
  readonly onimported: (result: RunResult | null) => void;
}

export class ImportController {
  step = $state<Step>('none');
  file = $state.raw<JobFile | null>(null);
  /** While a new preview loads, the previous one. */
  preview = $state.raw<FilePreview | null>(null);
  isReading = $state(false);
  options = $state.raw<FormOptions>(NO_OPTIONS);
  choices = $state.raw<Choices>(new Map());
  /** Sentences about other columns that changed with the last choice. */
  reassigned = $state('');
  progress = $state.raw<RunState | null>(null);
  /** Seconds that the server asked to wait, or null. */
  waiting = $state<number | null>(null);
  isStopping = $state(false);
  result = $state.raw<RunResult | null>(null);
  problem = $state('');
  /** Whether another encoding may fix the problem. */
  isEncodingWrong = $state(false);

  readonly #context: ControllerOptions;
  readonly #client: ImportClient;
  /** Number of the last preview requested. Earlier ones are ignored. */
  #previews = 0;

  constructor(context: ControllerOptions) {
    this.#context = context;
    this.#client = new ImportClient({
      onProgress: (state) => {
        this.progress = state;
        this.waiting = null;
      },
      onWait: (seconds) => (this.waiting = seconds),
    });
  }

  get isBusy(): boolean {
    return this.step === 'checking' || this.step === 'importing';
  }

  /** Whether leaving the page would lose rows that are not imported yet. */
  get isUnfinished(): boolean {
    return this.step === 'importing' || this.canResume;
  }

  get canResume(): boolean {
    const kind = this.result?.end.kind;
    return this.step === 'ended' && (kind === 'stopped' || kind === 'failed');
  }

  async open(file: File | undefined): Promise<void> {
    if (file === undefined || this.isBusy) return;
    this.file = { name: file.name, blob: file };
    this.preview = null;
    this.options = NO_OPTIONS;
    this.choices = new Map();
    this.reassigned = '';
    await this.#loadPreview();
  }

  async change(options: Partial<FormOptions>): Promise<void> {
    this.options = { ...this.options, ...options };
    // Another sheet or delimiter changes the columns.
    if ('sheet' in options || 'delimiter' in options) this.choices = new Map();
    this.reassigned = '';
    await this.#loadPreview();
  }

  async choose(key: string, target: Target): Promise<void> {
    const columns = this.preview?.columns ?? [];
    const { choices, reassigned } = choose(this.choices, columns, key, target);
    this.choices = choices;
    await this.#loadPreview();
    this.reassigned = reassigned.map((name) => this.#describe(name)).join(' ');
  }

  /** The target of a column: the user's choice, or else that of the mapping. */
  targetOf(column: ReportedColumn): Target | null {
    if (column.isFromExport) return null;
    return this.choices.get(column.key) ?? targetOf(column);
  }

  async check(): Promise<void> {
    await this.#run('checking', (connection) => this.#client.call('check', connection));
    this.#showFailure();
    const kind = this.result?.end.kind;
    // Nothing was stored, so a failed check can be repeated.
    this.step = kind === 'complete' || kind === 'damaged' ? 'checked' : 'ready';
  }

  async import(): Promise<void> {
    await this.#run('importing', (connection) => this.#client.call('import', connection));
    this.#end();
  }

  async resume(): Promise<void> {
    await this.#run('importing', (connection) => this.#client.call('resume', connection));
    this.#end();
  }

  stop(): void {
    this.isStopping = true;
    this.#client.stop();
  }

  async saveReport(): Promise<void> {
    await this.#try(async () =>
      saveFile(await this.#client.call('report', leftOutReasons()), 'import-report.csv'),
    );
  }

  async saveRejected(): Promise<void> {
    await this.#try(async () => {
      const { blob, name } = await this.#client.call('rejected', leftOutReasons());
      saveFile(blob, name);
    });
  }

  close(): void {
    this.#client.close();
  }

  async #loadPreview(): Promise<void> {
    const { file } = this;
    if (file === null) return;
    this.#previews += 1;
    const number = this.#previews;
    this.isReading = true;
    this.problem = '';
    this.result = null;
    try {
      const preview = await this.#client.call(
        'preview',
        file,
        plain(this.#context.fields),
        this.#jobOptions(),
      );
      if (number !== this.#previews) return;
      this.preview = preview;
      this.isEncodingWrong = false;
      this.step = 'ready';
    } catch (error) {
      if (number !== this.#previews) return;
      this.step = 'unreadable';
      this.#fail(error);
    }
    this.isReading = false;
  }

  #jobOptions(): JobOptions {
    const { encoding, delimiter, sheet, address, fillsAddress, isUpsert } = this.options;
    return {
      ...(encoding !== '' && { encoding }),
      ...(delimiter !== '' && { delimiter }),
      ...(sheet !== '' && { sheet }),
      ...(address.trim() !== '' && { address }),
      fillsAddress,
      isUpsert,
      uses: usesOf(this.choices, this.#context.fields),
    };
  }

  async #run(
    step: 'checking' | 'importing',
    call: (connection: Session['connection'] & { mapId: string }) => Promise<RunResult>,
  ): Promise<void> {
    const { session, mapId } = this.#context;
    this.step = step;
    this.problem = '';
    this.reassigned = '';
    this.progress = null;
    this.isStopping = false;
    this.result = null;
    await this.#try(async () => {
      this.result = await call({ ...session.connection, mapId });
      const { columns, notes } = this.result;
      if (this.preview !== null) this.preview = { ...this.preview, columns, notes };
    });
    this.waiting = null;
  }

  #end(): void {
    this.step = 'ended';
    this.#showFailure();
    // If the session has ended, this asks to sign in again, after which the import can go on.
    this.#context.onimported(this.result);
  }

  /** Shows why a request of the check or import failed. */
  #showFailure(): void {
    const end = this.result?.end;
    if (end?.kind !== 'failed') return;
    const { code, message, retryAfter } = end.error;
    this.problem = messageOf(new GraphqlError(code, message, { retryAfter }));
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const failure: ImportFailure =
      error instanceof ImportError ? error.failure : { kind: 'unexpected', reason: String(error) };
    this.isEncodingWrong = failure.kind === 'unreadable' && failure.isEncoding;
    this.problem = failureText(failure);
  }

  #describe(key: string): string {
    const column = this.preview?.columns.find((one) => one.key === key);
    if (column === undefined) return '';
    return t('import.reassigned', { column: columnName(column), use: useText(column) });
  }
}

const leftOutReasons = () => ({
  unconfirmed: t('import.unconfirmed'),
  notReached: t('import.notReached'),
});

/** A copy without proxies, which a worker can receive. */
function plain(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return fields.map(({ name, type, isPublic }) => ({ name, type, isPublic }));
}
