/** Sends the rows of a file, or has them checked, and notes what became of each. */

import { canonicalJson } from '../../../src/domain/json/canonical-json.ts';
import type { FieldDefinition } from '../../../src/domain/map.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { RowInput } from '../../../src/transfer/columns/row-mapper.ts';
import { FileMemory } from '../../../src/transfer/import/file-memory.ts';
import type { ImportSource } from '../../../src/transfer/open-import.ts';
import { FileDamage } from '../../../src/transfer/text/damage.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import { messageOf } from '../messages.ts';
import type { NumberedRow, RowRequest } from './import-requests.ts';
import { requestsOf } from './import-requests.ts';
import { digestOfText } from './text-digest.ts';

export type Outcome = 'created' | 'updated' | 'unchanged';
export const OUTCOMES: readonly Outcome[] = ['created', 'updated', 'unchanged'];

/** What the server is asked: to create locations or to write them by their external ids, or what would become of them. */
export interface Sending {
  readonly isUpsert: boolean;
  readonly isDryRun: boolean;
  readonly locations: readonly SentLocation[];
}

export interface SentLocation extends Partial<Pick<RowInput, 'position' | 'order' | 'externalId'>> {
  readonly fields: RowInput['fields'];
  /** With it the location is stored once, however often it is sent. */
  readonly idempotencyKey?: string;
}

export interface RowResponse {
  readonly outcome?: string | null;
  readonly error?: { readonly code: string; readonly message: string } | null;
}

/** @throws GraphqlError for what concerns all rows */
export type Send = (sending: Sending) => Promise<readonly RowResponse[]>;

export interface RunCounts extends Readonly<Record<Outcome, number>> {
  /** Rows of the file that are done. */
  readonly rows: number;
  readonly rejected: number;
  /** Those of the good rows that have no point, so that their addresses are geocoded. */
  readonly unlocated: number;
}

/** How a run ended. `line` is the first row that is not done. */
export type RunEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'damaged'; readonly line: number; readonly reason: string }
  | { readonly kind: 'stopped'; readonly line: number }
  /** It is not known what became of the rows up to `lastLine`. */
  | {
      readonly kind: 'failed';
      readonly line: number;
      readonly lastLine: number;
      readonly code: string;
      readonly message: string;
    };

export interface RunListener {
  /** Called for each row that is done, in the order of the file. */
  readonly onRow: (row: NumberedRow, result: Outcome | ServiceError) => void;
  /** Called after each request; the end is about how many bytes of the content are done. */
  readonly onProgress: (counts: RunCounts, end: number) => void;
  /** Called where the server asks to wait. */
  readonly onWait: (seconds: number) => void;
}

export interface RunOptions {
  readonly fields: readonly FieldDefinition[];
  readonly isUpsert: boolean;
  readonly isDryRun: boolean;
  /** What is known of a row by its number; such rows are not sent. */
  readonly known?: (number: number) => ServiceError | undefined;
}

/** Codes of a request that its rows are to blame for, and what each is for a row. Sent in parts, it shows which row. */
const OF_ROWS: ReadonlyMap<string, ErrorCode> = new Map([
  ['BAD_REQUEST', 'BAD_USER_INPUT'],
  ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
  ['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE'],
]);
const OF_LOAD: ReadonlySet<string> = new Set<ErrorCode>(['RATE_LIMITED', 'OVERLOADED']);
/** The longest time that is waited without being asked to. */
const MAX_WAIT_SECONDS = 120;

export class ImportRun {
  readonly #source: ImportSource;
  readonly #options: RunOptions;
  readonly #listener: RunListener;
  readonly #requests: AsyncGenerator<RowRequest, void, undefined>;
  readonly #memory: FileMemory;
  /** Of the keys, by which a row that is sent twice is stored once. */
  readonly #id = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('');
  readonly #counts = { rows: 0, rejected: 0, unlocated: 0, created: 0, updated: 0, unchanged: 0 };
  /** The request that is to be sent next; undefined where it is to be read first. */
  #request: RowRequest | undefined;

  constructor(source: ImportSource, options: RunOptions, listener: RunListener) {
    const { fields, isUpsert, isDryRun, known = () => undefined } = options;
    this.#source = source;
    this.#options = options;
    this.#listener = listener;
    this.#requests = requestsOf(source, { isUpsert, isDryRun, known });
    this.#memory = new FileMemory({
      fields,
      isUpsert,
      digestOf: (value) => digestOfText(canonicalJson(value)),
    });
  }

  get counts(): RunCounts {
    return this.#counts;
  }

  /** Rows of the request whose response did not come. */
  get inDoubt(): readonly NumberedRow[] {
    return this.#request?.rows ?? [];
  }

  /** Begins, or goes on where it was stopped or failed. */
  async go(send: Send, stop: AbortSignal): Promise<RunEnd> {
    const isStopped = () => stop.aborted;
    for (;;) {
      try {
        if (this.#request === undefined) {
          const next = await this.#requests.next();
          if (next.done) return { kind: 'complete' };
          this.#request = next.value;
        }
      } catch (error) {
        if (!(error instanceof FileDamage)) throw error;
        return { kind: 'damaged', line: error.line, reason: error.reason };
      }
      const { rows } = this.#request;
      const line = rows[0]?.row.line ?? 1;
      if (isStopped()) return { kind: 'stopped', line };
      try {
        await this.#sendAll(this.#request, send, stop);
      } catch (error) {
        if (isOfLoad(error) && isStopped()) return { kind: 'stopped', line };
        const code = error instanceof GraphqlError ? error.code : 'UNKNOWN';
        return {
          kind: 'failed',
          line,
          lastLine: rows.at(-1)?.row.line ?? line,
          code,
          message: messageOf(error),
        };
      }
      this.#request = undefined;
      this.#listener.onProgress(this.#counts, rows.at(-1)?.row.end ?? 0);
    }
  }

  async close(): Promise<void> {
    await this.#requests.return();
    await this.#source.close();
  }

  async #sendAll({ isUpsert, rows }: RowRequest, send: Send, stop: AbortSignal): Promise<void> {
    const good = rows.filter(isGood);
    const results = good.length === 0 ? [] : await this.#sendRows(good, isUpsert, send, stop);
    let next = 0;
    for (const row of rows) {
      const { input } = row;
      this.#note(row, input instanceof ServiceError ? input : this.#judge(input, results[next++]));
    }
  }

  #judge(input: RowInput, result: Outcome | ServiceError | undefined): Outcome | ServiceError {
    if (result === undefined) throw new Error('Fewer results than rows came back.');
    return this.#options.isDryRun ? this.#memory.judge(input, result) : result;
  }

  async #sendRows(
    rows: readonly GoodRow[],
    isUpsert: boolean,
    send: Send,
    stop: AbortSignal,
  ): Promise<readonly (Outcome | ServiceError)[]> {
    const { isDryRun } = this.#options;
    const sendSome = async (some: readonly GoodRow[]) => {
      const locations = some.map((row) => this.#locationOf(row, isUpsert));
      const responses = await this.#sendPatiently(() => send({ isUpsert, isDryRun, locations }), stop);
      return some.map((_, index) => resultOf(responses[index]));
    };
    return sendInParts(rows, sendSome);
  }

  /** Tries again as long as the server says when. */
  async #sendPatiently<Response>(send: () => Promise<Response>, stop: AbortSignal): Promise<Response> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        const seconds = error instanceof GraphqlError ? error.retryAfter : null;
        if (!isOfLoad(error) || seconds === null || seconds > MAX_WAIT_SECONDS) throw error;
        this.#listener.onWait(seconds);
        await wait(seconds, stop);
        if (stop.aborted) throw error;
      }
    }
  }

  #locationOf({ number, input }: GoodRow, isUpsert: boolean): SentLocation {
    const { fields, position, order, externalId } = input;
    const isKeyed = !isUpsert && !this.#options.isDryRun;
    return {
      fields,
      ...(position !== null && { position: givenOf(position) }),
      ...(order !== null && { order }),
      ...(externalId !== null && { externalId }),
      ...(isKeyed && { idempotencyKey: `import-${this.#id}-${number}` }),
    };
  }

  #note(row: NumberedRow, result: Outcome | ServiceError): void {
    const { input } = row;
    this.#counts.rows += 1;
    if (result instanceof ServiceError) this.#counts.rejected += 1;
    else {
      this.#counts[result] += 1;
      if (!(input instanceof ServiceError) && input.position === null) this.#counts.unlocated += 1;
    }
    this.#listener.onRow(row, result);
  }
}

/**
 * Halves what is refused as a whole, until it is known which rows are to blame.
 *
 * @throws GraphqlError where something else is: then no row at all is taken
 */
async function sendInParts<Row>(
  rows: readonly Row[],
  send: (some: readonly Row[]) => Promise<readonly (Outcome | ServiceError)[]>,
): Promise<readonly (Outcome | ServiceError)[]> {
  let refused = 0;
  let last: unknown;
  const sendSome = async (some: readonly Row[]): Promise<readonly (Outcome | ServiceError)[]> => {
    try {
      return await send(some);
    } catch (error) {
      const code = error instanceof GraphqlError ? OF_ROWS.get(error.code) : undefined;
      if (code === undefined) throw error;
      if (some.length === 1) {
        refused += 1;
        last = error;
        return [new ServiceError(code, messageOf(error))];
      }
    }
    const middle = Math.ceil(some.length / 2);
    return [...(await sendSome(some.slice(0, middle))), ...(await sendSome(some.slice(middle)))];
  };
  const results = await sendSome(rows);
  if (rows.length > 1 && refused === rows.length) throw last;
  return results;
}

type GoodRow = NumberedRow & { readonly input: RowInput };

function isGood(row: NumberedRow): row is GoodRow {
  return !(row.input instanceof ServiceError);
}

function givenOf({ latitude, longitude, placeId = null }: NonNullable<RowInput['position']>) {
  return { latitude, longitude, ...(placeId !== null && { placeId }) };
}

function resultOf(response: RowResponse | undefined): Outcome | ServiceError {
  if (response === undefined) throw new Error('Fewer results than rows came back.');
  const { outcome = null, error = null } = response;
  if (error !== null) return new ServiceError(error.code as ErrorCode, error.message);
  return (outcome as Outcome | null) ?? 'created';
}

function isOfLoad(error: unknown): boolean {
  return error instanceof GraphqlError && OF_LOAD.has(error.code);
}

function wait(seconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (stop.aborted) {
      done();
      return;
    }
    const timer = setTimeout(done, seconds * 1_000);
    stop.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
