/**
 * Notifies listeners when map documents change, from a change stream, if the deployment has one: one per process, while
 * anyone listens. It only saves polling delay: listeners poll anyway (change-watch.ts), so a missed event loses nothing.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeStream } from 'mongodb';

import type { ChangedMap, Database } from './database.ts';
import type { MapDocument } from './schema.ts';

/** In milliseconds. */
export interface NotifierTimes {
  /** How long the server waits for a change before it returns an empty batch. */
  readonly awaitMs: number;
  /** After this without a response the stream is closed. */
  readonly timeoutMs: number;
  /** From a failure until the stream is opened again. */
  readonly retryMs: number;
  /** Changes within this time are reported together. */
  readonly debounceMs: number;
}

const TIMES: NotifierTimes = { awaitMs: 1_000, timeoutMs: 3_000, retryMs: 60_000, debounceMs: 20 };

/** Ids only: updates name all open writes of a map. */
const PIPELINE = [
  { $match: { operationType: { $in: ['insert', 'update', 'replace', 'delete'] } } },
  { $project: { _id: 1, 'documentKey._id': 1 } },
];

export interface ChangeListener {
  /** @param mapIds the maps whose documents have changed, watched or not */
  onChange(mapIds: ReadonlySet<string>): void;
  /** `isHealthy` has changed. */
  onHealthChange(): void;
}

export class ChangeStreamNotifier {
  readonly #database: Pick<Database, 'watchMaps'>;
  readonly #times: NotifierTimes;
  readonly #listeners = new Set<ChangeListener>();
  #stream: ChangeStream<MapDocument, ChangedMap> | null = null;
  #isHealthy = false;
  #isClosed = false;
  /** Set from a failure until the next attempt. */
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(database: Pick<Database, 'watchMaps'>, times: NotifierTimes = TIMES) {
    this.#database = database;
    this.#times = times;
  }

  /** Whether the stream is open and its last read succeeded. */
  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Idempotent. */
  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
    this.#open();
  }

  /** The stream closes after its next batch, unless there is a listener by then. */
  unlisten(listener: ChangeListener): void {
    this.#listeners.delete(listener);
  }

  /** Ends the stream at once and for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    this.#setHealthy(false);
    await this.#stream?.close();
  }

  get #isWanted(): boolean {
    return this.#listeners.size > 0 && !this.#isClosed;
  }

  #open(): void {
    if (!this.#isWanted || this.#stream !== null || this.#retryTimer !== undefined) return;
    this.#stream = this.#database.watchMaps(PIPELINE, this.#times.awaitMs);
    if (this.#stream !== null) void this.#read(this.#stream);
  }

  async #read(stream: ChangeStream<MapDocument, ChangedMap>): Promise<void> {
    const { timeoutMs, retryMs, debounceMs } = this.#times;
    let pending: Promise<unknown> = Promise.resolve();
    try {
      // The server closes it when the collection is dropped.
      while (this.#isWanted && !stream.closed) {
        // The driver resumes a broken stream by itself, silently. After the death of a primary this takes longer than
        // our timeout, because the driver first tries to close the stream there.
        const next = nextBatch(stream);
        pending = next;
        const mapIds = await withTimeout(timeoutMs, next);
        if (!this.#isClosed) this.#setHealthy(true);
        if (mapIds.size > 0) for (const listener of this.#listeners) listener.onChange(mapIds);
        await delay(debounceMs, undefined, { ref: false });
      }
    } catch {
      // Unsupported, forbidden or timed out: listeners poll more often meanwhile.
    }
    if (this.#isWanted) {
      this.#retryTimer = setTimeout(() => {
        this.#retryTimer = undefined;
        this.#open();
      }, retryMs).unref();
    }
    this.#stream = null;
    this.#setHealthy(false);
    // Not awaited: the server may not respond.
    void closeAfter(pending, stream);
  }

  #setHealthy(isHealthy: boolean): void {
    if (this.#isHealthy === isHealthy) return;
    this.#isHealthy = isHealthy;
    for (const listener of this.#listeners) listener.onHealthChange();
  }
}

/** After the pending read, which may (re)open the stream: closing it earlier would leave it open on the server. */
async function closeAfter(
  pending: Promise<unknown>,
  stream: ChangeStream<MapDocument, ChangedMap>,
): Promise<void> {
  await pending.catch(() => {});
  await stream.close().catch(() => {});
}

/** The changed maps of the next batch; none if the server has waited in vain. */
async function nextBatch(stream: ChangeStream<MapDocument, ChangedMap>): Promise<ReadonlySet<string>> {
  const mapIds = new Set<string>();
  do {
    const change = await stream.tryNext();
    if (change !== null) mapIds.add(change.documentKey._id);
  } while (stream.bufferedCount() > 0);
  return mapIds;
}

/** @throws Error after the limit */
function withTimeout<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The change stream got no response within ${limitMs} ms.`)),
      limitMs,
    ).unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
