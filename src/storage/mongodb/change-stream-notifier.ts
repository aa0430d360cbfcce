/**
 * Rings when documents of maps change, where the deployment tells of that by a change stream: one for each process, while
 * somebody listens. It only says when to look. Nothing is lost where it does not ring, since whoever listens looks now and
 * then all the same (change-watch.ts).
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeStream } from 'mongodb';

import type { ChangedMap, Database } from './database.ts';
import type { MapDocument } from './documents.ts';

/** All in milliseconds. */
export interface NotifierTimes {
  /** The server answers after that, also where nothing has changed. */
  readonly awaitMs: number;
  /** What takes longer to be answered is given up. */
  readonly patienceMs: number;
  /** A stream that has failed is tried again after that. */
  readonly retryMs: number;
  /** Changes that come closer together ring once. */
  readonly togetherMs: number;
}

const TIMES: NotifierTimes = { awaitMs: 1_000, patienceMs: 3_000, retryMs: 60_000, togetherMs: 20 };

/** Small events: no document, and nothing of an update, which names all of the map's open writes. */
const PIPELINE = [
  { $match: { operationType: { $in: ['insert', 'update', 'replace', 'delete'] } } },
  { $project: { _id: 1, 'documentKey._id': 1 } },
];

export interface ChangeListener {
  /** @param mapIds the maps whose documents have changed, watched or not */
  onChange(mapIds: ReadonlySet<string>): void;
  /** `isHealthy` has become another. */
  onHealth(): void;
}

export class ChangeStreamNotifier {
  readonly #database: Pick<Database, 'watchMaps'>;
  readonly #times: NotifierTimes;
  readonly #listeners = new Set<ChangeListener>();
  #stream: ChangeStream<MapDocument, ChangedMap> | null = null;
  #isHealthy = false;
  #isClosed = false;
  /** Runs after a failure, until the stream may be tried again. */
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(database: Pick<Database, 'watchMaps'>, times: NotifierTimes = TIMES) {
    this.#database = database;
    this.#times = times;
  }

  /** Whether the stream is open and was answered lately. */
  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Listens until it is told to stop; may be called again. */
  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
    this.#open();
  }

  /** The stream is closed with its next answer, unless somebody listens by then. */
  unlisten(listener: ChangeListener): void {
    this.#listeners.delete(listener);
  }

  /** Ends the stream at once, and for good. */
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
    if (this.#stream !== null) void this.#hear(this.#stream);
  }

  async #hear(stream: ChangeStream<MapDocument, ChangedMap>): Promise<void> {
    const { patienceMs, retryMs, togetherMs } = this.#times;
    let answer: Promise<unknown> = Promise.resolve();
    try {
      // The server ends it when the collection is dropped.
      while (this.#isWanted && !stream.closed) {
        // The driver takes up by itself a stream that broke, as often as that happens, and says nothing. Where a primary
        // has died that takes it longer than we wait: it first wants to close the stream there.
        const next = nextOf(stream);
        answer = next;
        const mapIds = await within(patienceMs, next);
        if (!this.#isClosed) this.#setHealthy(true);
        if (mapIds.size > 0) for (const listener of this.#listeners) listener.onChange(mapIds);
        await delay(togetherMs, undefined, { ref: false });
      }
    } catch {
      // Not there, not allowed or not answered: those who listen look more often meanwhile.
    }
    if (this.#isWanted) {
      this.#retryTimer = setTimeout(() => {
        this.#retryTimer = undefined;
        this.#open();
      }, retryMs).unref();
    }
    this.#stream = null;
    this.#setHealthy(false);
    // A server that does not answer is not waited for.
    void closeAfter(answer, stream);
  }

  #setHealthy(isHealthy: boolean): void {
    if (this.#isHealthy === isHealthy) return;
    this.#isHealthy = isHealthy;
    for (const listener of this.#listeners) listener.onHealth();
  }
}

/** What is still asked may open the stream, or open it anew: whatever is closed before that stays open at the server. */
async function closeAfter(
  answer: Promise<unknown>,
  stream: ChangeStream<MapDocument, ChangedMap>,
): Promise<void> {
  await answer.catch(() => {});
  await stream.close().catch(() => {});
}

/** The maps of all changes that have come, or of none where the server has waited in vain. */
async function nextOf(stream: ChangeStream<MapDocument, ChangedMap>): Promise<ReadonlySet<string>> {
  const mapIds = new Set<string>();
  do {
    const change = await stream.tryNext();
    if (change !== null) mapIds.add(change.documentKey._id);
  } while (stream.bufferedCount() > 0);
  return mapIds;
}

/** @throws Error where it takes longer */
function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The change stream is not answered.')), limitMs).unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
