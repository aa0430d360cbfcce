/** What the page knows of an import, and what can be done next. The rows are the worker's. */

import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import { isolated } from '../../shared/isolated.ts';
import type { FieldDefinition } from '../field-inputs.ts';
import { saveFile } from '../download.ts';
import type { Session } from '../session.svelte.ts';
import type { Choices, Target } from './import-choices.ts';
import { choose, targetOf, usesOf } from './import-choices.ts';
import { ImportClient, ImportError } from './import-client.ts';
import type { JobFile, JobOptions, Look, RunResult, RunState } from './import-job.ts';

/** `ended`: an import did, at the end of the file or before. */
export type Step = 'none' | 'unreadable' | 'ready' | 'checking' | 'checked' | 'importing' | 'ended';

/** As a form holds them: empty for none. */
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

interface DeskOptions {
  readonly session: Session;
  readonly mapId: string;
  readonly fields: readonly FieldDefinition[];
  readonly onimported: () => void;
}

export class ImportDesk {
  step = $state<Step>('none');
  file = $state.raw<JobFile | null>(null);
  /** Of the options before, while those that were chosen are read. */
  look = $state.raw<Look | null>(null);
  isReading = $state(false);
  options = $state.raw<FormOptions>(NO_OPTIONS);
  choices = $state.raw<Choices>(new Map());
  /** What choosing a column has changed of other columns, as a sentence. */
  freed = $state('');
  progress = $state.raw<RunState | null>(null);
  /** Seconds; null where the server does not ask to wait. */
  waiting = $state<number | null>(null);
  isStopping = $state(false);
  result = $state.raw<RunResult | null>(null);
  problem = $state('');
  /** Whether the text may be in another encoding. */
  isEncodingWrong = $state(false);

  readonly #context: DeskOptions;
  readonly #client: ImportClient;
  /** Counts what the worker was asked to look at; the last one counts. */
  #looks = 0;

  constructor(context: DeskOptions) {
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

  /** Whether rows of the file are still to be imported, which are lost when the page is left. */
  get isUnfinished(): boolean {
    return this.step === 'importing' || this.canResume;
  }

  get canResume(): boolean {
    const kind = this.result?.end.kind;
    return this.step === 'ended' && (kind === 'stopped' || kind === 'failed');
  }

  async take(dropped: File | undefined): Promise<void> {
    if (dropped === undefined || this.isBusy) return;
    this.file = { name: dropped.name, blob: dropped };
    this.look = null;
    this.options = NO_OPTIONS;
    this.choices = new Map();
    this.freed = '';
    await this.#read();
  }

  async change(options: Partial<FormOptions>): Promise<void> {
    this.options = { ...this.options, ...options };
    // Another sheet or delimiter gives other columns.
    if ('sheet' in options || 'delimiter' in options) this.choices = new Map();
    this.freed = '';
    await this.#read();
  }

  async choose(key: string, target: Target): Promise<void> {
    const columns = this.look?.columns ?? [];
    const { choices, freed } = choose(this.choices, columns, key, target);
    this.choices = choices;
    await this.#read();
    this.freed = freed.map((name) => this.#describe(name)).join(' ');
  }

  /** What a column becomes, as it was chosen or as the mapping says. */
  targetOf(column: ReportedColumn): Target | null {
    if (column.isOwn) return null;
    return this.choices.get(column.key) ?? targetOf(column);
  }

  async check(): Promise<void> {
    await this.#run('checking', (connection) => this.#client.call('check', connection));
    // Nothing was stored, so it can simply be checked again.
    const kind = this.result?.end.kind;
    if (kind === 'failed' && this.result?.end.kind === 'failed') this.problem = this.result.end.message;
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
    await this.#try(async () => saveFile(await this.#client.call('report'), 'import-report.csv'));
  }

  async saveRejected(): Promise<void> {
    await this.#try(async () => {
      const { blob, name } = await this.#client.call('rejected');
      saveFile(blob, name);
    });
  }

  close(): void {
    this.#client.close();
  }

  async #read(): Promise<void> {
    const { file } = this;
    if (file === null) return;
    this.#looks += 1;
    const mine = this.#looks;
    this.isReading = true;
    this.problem = '';
    this.result = null;
    try {
      const look = await this.#client.call('look', file, plain(this.#context.fields), this.#jobOptions());
      if (mine !== this.#looks) return;
      this.look = look;
      this.isEncodingWrong = false;
      this.step = 'ready';
    } catch (error) {
      if (mine !== this.#looks) return;
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
    this.freed = '';
    this.progress = null;
    this.isStopping = false;
    this.result = null;
    await this.#try(async () => {
      this.result = await call({ ...session.connection, mapId });
      const { columns, notes } = this.result;
      if (this.look !== null) this.look = { ...this.look, columns, notes };
    });
    this.waiting = null;
  }

  #end(): void {
    this.step = 'ended';
    const end = this.result?.end;
    if (end?.kind === 'failed') this.problem = end.message;
    // With a token that is not valid the list cannot be read, and asking would sign out and lose what is not imported.
    if (end?.kind !== 'failed' || end.code !== 'UNAUTHENTICATED') this.#context.onimported();
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.isEncodingWrong = error instanceof ImportError && error.isEncoding;
    this.problem = error instanceof Error ? error.message : String(error);
  }

  #describe(key: string): string {
    const description = this.look?.columns.find((column) => column.key === key)?.description ?? 'a property';
    return `“${isolated(key)}” is now: ${description}.`;
  }
}

/** A copy that can be sent to a worker. */
function plain(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return fields.map(({ name, type, isPublic }) => ({ name, type, isPublic }));
}
