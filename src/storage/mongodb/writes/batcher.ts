/**
 * Batches this process's requests to each map's document. Requests that wait share one update; later ones wait for the next.
 * The batcher also keeps the writes that are done until they are closed.
 */

import type { DoneWrites } from './apply-batch.ts';
import type { Unchanged } from './map-log.ts';

/** How long a done write waits to be closed by a later write to the map. */
const CLOSE_AFTER_MS = 200;
/** The pause doubles with every failure, up to this. */
const MAX_PAUSE_MS = 60_000;

interface MapQueue<R> {
  waiting: R[];
  /** The writes that are done and not closed yet, with what they left unchanged. */
  readonly done: Map<string, Unchanged>;
  /** When the first of them was done, by `performance.now()`. */
  doneSince: number;
  /** Null while idle. */
  work: Promise<void> | null;
  timer: NodeJS.Timeout | undefined;
  pauseMs: number;
}

export interface BatchWork<R> {
  /**
   * Updates a map's document for a batch and resolves its requests. An empty batch closes all done writes.
   *
   * @returns the ids of `done` that are closed
   */
  readonly apply: (mapId: string, batch: readonly R[], done: DoneWrites) => Promise<Iterable<string>>;
  /** Runs background work within a time limit. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

export class MapWriteBatcher<R extends { readonly reject: (error: unknown) => void }> {
  readonly #work: BatchWork<R>;
  readonly #queues = new Map<string, MapQueue<R>>();
  #isClosed = false;

  constructor(work: BatchWork<R>) {
    this.#work = work;
  }

  add(mapId: string, request: R): void {
    const queue = this.#queueOf(mapId);
    queue.waiting.push(request);
    queue.work ??= this.#drain(mapId, queue);
  }

  /** Schedules a done write to be closed. */
  finish(mapId: string, writeId: string, unchanged: Unchanged): void {
    const queue = this.#queueOf(mapId);
    if (queue.done.size === 0) queue.doneSince = performance.now();
    queue.done.set(writeId, unchanged);
    this.#idle(mapId, queue);
  }

  /** Closes all done writes. Rejects if one could not be closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      Array.from(this.#queues, async ([mapId, queue]) => {
        clearTimeout(queue.timer);
        await queue.work;
        if (queue.done.size > 0) await this.#apply(mapId, queue, []);
      }),
    );
  }

  #queueOf(mapId: string): MapQueue<R> {
    const known = this.#queues.get(mapId);
    if (known !== undefined) return known;
    const queue: MapQueue<R> = {
      waiting: [],
      done: new Map(),
      doneSince: 0,
      work: null,
      timer: undefined,
      pauseMs: CLOSE_AFTER_MS,
    };
    this.#queues.set(mapId, queue);
    return queue;
  }

  async #apply(mapId: string, queue: MapQueue<R>, batch: readonly R[]): Promise<void> {
    const ageMs = queue.done.size === 0 ? 0 : performance.now() - queue.doneSince;
    const closed = await this.#work.apply(mapId, batch, { writes: queue.done, ageMs });
    for (const id of closed) queue.done.delete(id);
    // Restarts the wait of writes that were done meanwhile.
    queue.doneSince = performance.now();
    queue.pauseMs = CLOSE_AFTER_MS;
  }

  async #drain(mapId: string, queue: MapQueue<R>): Promise<void> {
    while (queue.waiting.length > 0) {
      const batch = queue.waiting;
      queue.waiting = [];
      try {
        await this.#apply(mapId, queue, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queue.work = null;
    this.#idle(mapId, queue);
  }

  async #closeDone(mapId: string, queue: MapQueue<R>): Promise<void> {
    try {
      await this.#work.run(() => this.#apply(mapId, queue, []));
    } catch {
      // The count stays right. Later writes retry, and so does the timer, after a pause.
      queue.pauseMs = Math.min(2 * queue.pauseMs, MAX_PAUSE_MS);
    }
    await this.#drain(mapId, queue);
  }

  /** Removes an idle queue, or schedules the closing of its done writes. */
  #idle(mapId: string, queue: MapQueue<R>): void {
    if (this.#isClosed || queue.work !== null) return;
    clearTimeout(queue.timer);
    if (queue.done.size === 0) {
      this.#queues.delete(mapId);
      return;
    }
    queue.timer = setTimeout(() => {
      queue.work ??= this.#closeDone(mapId, queue);
    }, queue.pauseMs);
    queue.timer.unref();
  }
}
