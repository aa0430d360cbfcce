/** Sends the rows of a file to the server, to import or to check them, and reports the outcome of each. */

import { canonicalJson } from '../../../src/domain/json/canonical-json.ts';
import type { FieldDefinition } from '../../../src/domain/map.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { RowInput } from '../../../src/transfer/columns/row-mapper.ts';
import { EarlierRows } from '../../../src/transfer/import/earlier-rows.ts';
import type { Message } from '../../../src/transfer/message.ts';
import type { ImportSource } from '../../../src/transfer/open-import.ts';
import { FileDamage } from '../../../src/transfer/text/damage.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import type { NumberedRow, RowRequest } from './import-requests.ts';
import { requestsOf } from './import-requests.ts';
import { sendBisecting } from './send-bisecting.ts';
import { digestOfText } from './text-digest.ts';

export type Outcome = 'created' | 'updated' | 'unchanged';
export const OUTCOMES: readonly Outcome[] = ['created', 'updated', 'unchanged'];

/** A request to create or upsert locations, or to check them. */
export interface ImportRequest {
  /** The import's entry in the map's history; null for the first request. */
  readonly historyId: string | null;
  readonly isUpsert: boolean;
  readonly isDryRun: boolean;
  readonly locations: readonly SentLocation[];
}

export interface SentLocation extends Partial<Pick<RowInput, 'position' | 'order' | 'externalId'>> {
  readonly fields: RowInput['fields'];
  /** Prevents duplicates when the location is sent again. */
  readonly idempotencyKey?: string;
}

export interface RowResponse {
  readonly outcome?: string | null;
  readonly error?: { readonly code: string; readonly message: string } | null;
}

export interface ImportResponse {
  readonly results: readonly RowResponse[];
  /** Null if the request changed nothing, or no history is kept. */
  readonly historyId: string | null;
}

/** @throws GraphqlError for errors of the whole request */
export type Send = (request: ImportRequest) => Promise<ImportResponse>;

export interface RunCounts extends Readonly<Record<Outcome, number>> {
  /** Rows processed. */
  readonly rows: number;
  readonly rejected: number;
  /** Valid rows without a point, which need geocoding. */
  readonly unlocated: number;
}

/** How a run ended. `line` is the first row not processed. */
export type RunEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'damaged'; readonly line: number; readonly reason: Message }
  | { readonly kind: 'stopped'; readonly line: number }
  /** The outcome of the rows up to `lastLine` is unknown. */
  | {
      readonly kind: 'failed';
      readonly line: number;
      readonly lastLine: number;
      readonly error: RunError;
    };

/** The parts of a GraphqlError; its code is `UNKNOWN` for other errors. */
export type RunError = Pick<GraphqlError, 'code' | 'message' | 'retryAfter'>;

export interface RunListener {
  /** Called for each processed row, in the order of the file. */
  readonly onRow: (row: NumberedRow, result: Outcome | ServiceError) => void;
  /** Called after each request. `end` is about the number of bytes processed. */
  readonly onProgress: (counts: RunCounts, end: number) => void;
  /** Called when the server asks to wait. */
  readonly onWait: (seconds: number) => void;
}

export interface RunOptions {
  readonly fields: readonly FieldDefinition[];
  readonly isUpsert: boolean;
  readonly isDryRun: boolean;
  /** The known error of a row, by row number. Such rows are not sent. */
  readonly known?: (number: number) => ServiceError | undefined;
}

const OVERLOAD_CODES: ReadonlySet<string> = new Set<ErrorCode>(['RATE_LIMITED', 'OVERLOADED']);
/** Maximum wait between automatic retries. */
const MAX_WAIT_SECONDS = 120;

export class ImportRun {
  readonly #source: ImportSource;
  readonly #options: RunOptions;
  readonly #listener: RunListener;
  readonly #requests: AsyncGenerator<RowRequest, void, undefined>;
  readonly #earlierRows: EarlierRows;
  /** Part of the idempotency keys. */
  readonly #id = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('');
  readonly #counts = { rows: 0, rejected: 0, unlocated: 0, created: 0, updated: 0, unchanged: 0 };
  #historyId: string | null = null;
  /** The next request to send; undefined if it must be read first. */
  #request: RowRequest | undefined;

  constructor(source: ImportSource, options: RunOptions, listener: RunListener) {
    const { fields, isUpsert, isDryRun, known = () => undefined } = options;
    this.#source = source;
    this.#options = options;
    this.#listener = listener;
    this.#requests = requestsOf(source, { isUpsert, isDryRun, known });
    this.#earlierRows = new EarlierRows({
      fields,
      isUpsert,
      digestOf: (value) => digestOfText(canonicalJson(value)),
    });
  }

  get counts(): RunCounts {
    return this.#counts;
  }

  /** The import's entry in the map's history; null before it changed anything. */
  get historyId(): string | null {
    return this.#historyId;
  }

  /** Rows of the request without a response. */
  get unconfirmed(): readonly NumberedRow[] {
    return this.#request?.rows ?? [];
  }

  /** Starts, or continues after a stop or failure. */
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
        return { kind: 'damaged', line: error.line, reason: error.detail };
      }
      const { rows } = this.#request;
      const line = rows[0]?.row.line ?? 1;
      if (isStopped()) return { kind: 'stopped', line };
      try {
        await this.#sendAll(this.#request, send, stop);
      } catch (error) {
        if (isOverload(error) && isStopped()) return { kind: 'stopped', line };
        return { kind: 'failed', line, lastLine: rows.at(-1)?.row.line ?? line, error: runErrorOf(error) };
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
    const valid = rows.filter(isValid);
    const results = valid.length === 0 ? [] : await this.#sendRows(valid, isUpsert, send, stop);
    let next = 0;
    for (const row of rows) {
      const { input } = row;
      this.#note(row, input instanceof ServiceError ? input : this.#outcomeOf(input, results[next++]));
    }
  }

  #outcomeOf(input: RowInput, result: Outcome | ServiceError | undefined): Outcome | ServiceError {
    if (result === undefined) throw new Error('The server returned fewer results than rows.');
    return this.#options.isDryRun ? this.#earlierRows.outcomeOf(input, result) : result;
  }

  async #sendRows(
    rows: readonly ValidRow[],
    isUpsert: boolean,
    send: Send,
    stop: AbortSignal,
  ): Promise<readonly (Outcome | ServiceError)[]> {
    const { isDryRun } = this.#options;
    const sendSome = async (some: readonly ValidRow[]) => {
      const locations = some.map((row) => this.#locationOf(row, isUpsert));
      const request = { isUpsert, isDryRun, locations };
      const { results } = await this.#sendWithRetry(() => this.#sendAsPart(request, send), stop);
      return some.map((_, index) => resultOf(results[index]));
    };
    return sendBisecting(rows, sendSome);
  }

  /** All requests are one entry of the history, unless it is too old, or somebody else has signed in meanwhile. */
  async #sendAsPart(request: Omit<ImportRequest, 'historyId'>, send: Send): Promise<ImportResponse> {
    try {
      const response = await send({ ...request, historyId: this.#historyId });
      this.#historyId = response.historyId ?? this.#historyId;
      return response;
    } catch (error) {
      const isOver = error instanceof GraphqlError && error.code === 'HISTORY_NOT_FOUND';
      if (!isOver || this.#historyId === null) throw error;
      this.#historyId = null;
      return this.#sendAsPart(request, send);
    }
  }

  /** Retries while the server is overloaded and says when to retry. */
  async #sendWithRetry<Response>(send: () => Promise<Response>, stop: AbortSignal): Promise<Response> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        const seconds = error instanceof GraphqlError ? error.retryAfter : null;
        if (!isOverload(error) || seconds === null || seconds > MAX_WAIT_SECONDS) throw error;
        this.#listener.onWait(seconds);
        await wait(seconds, stop);
        if (stop.aborted) throw error;
      }
    }
  }

  #locationOf({ number, input }: ValidRow, isUpsert: boolean): SentLocation {
    const { fields, position, order, externalId } = input;
    const isKeyed = !isUpsert && !this.#options.isDryRun;
    return {
      fields,
      ...(position !== null && { position: positionInput(position) }),
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

type ValidRow = NumberedRow & { readonly input: RowInput };

function isValid(row: NumberedRow): row is ValidRow {
  return !(row.input instanceof ServiceError);
}

function positionInput({ latitude, longitude, placeId = null }: NonNullable<RowInput['position']>) {
  return { latitude, longitude, ...(placeId !== null && { placeId }) };
}

function resultOf(response: RowResponse | undefined): Outcome | ServiceError {
  if (response === undefined) throw new Error('The server returned fewer results than rows.');
  const { outcome = null, error = null } = response;
  if (error !== null) return new ServiceError(error.code as ErrorCode, error.message);
  return (outcome as Outcome | null) ?? 'created';
}

function runErrorOf(error: unknown): RunError {
  if (!(error instanceof GraphqlError)) return { code: 'UNKNOWN', message: '', retryAfter: null };
  const { code, message, retryAfter } = error;
  return { code, message, retryAfter };
}

function isOverload(error: unknown): boolean {
  return error instanceof GraphqlError && OVERLOAD_CODES.has(error.code);
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
