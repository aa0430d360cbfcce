/**
 * One lane for each map that this process writes to. The requests that wait in a lane share one change of the map's
 * document; what comes meanwhile waits for the next. The lane also keeps the writes that are done until they are settled.
 */

import type { DoneWrites } from './list-change.ts';
import type { Unchanged } from './store-changes.ts';

/** From the last write to a map until what is done there is settled, where no later write does it. */
const SETTLE_AFTER_MS = 200;
/** The pause doubles with every failure, up to this. */
const LONGEST_PAUSE_MS = 60_000;

interface MapQueue<R> {
  waiting: R[];
  /** The writes that are done and not settled yet, with what they left unchanged. */
  readonly done: Map<string, Unchanged>;
  /** When the first of them was done, on the clock of `performance`. */
  doneSince: number;
  /** Null while nothing is under way. */
  work: Promise<void> | null;
  timer: NodeJS.Timeout | undefined;
  pauseMs: number;
}

export interface BatchWork<R> {
  /**
   * Changes a map's document for a batch of requests and answers them; without a request it settles all that is done.
   *
   * @returns the ids of `done` that need not be settled any more
   */
  readonly change: (mapId: string, batch: readonly R[], done: DoneWrites) => Promise<Iterable<string>>;
  /** Runs what no caller waits for, within a time limit. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

export class MapWriteBatcher<R extends { readonly reject: (error: unknown) => void }> {
  readonly #work: BatchWork<R>;
  readonly #lanes = new Map<string, MapQueue<R>>();
  #isClosed = false;

  constructor(work: BatchWork<R>) {
    this.#work = work;
  }

  add(mapId: string, request: R): void {
    const queue = this.#queueOf(mapId);
    queue.waiting.push(request);
    queue.work ??= this.#answer(mapId, queue);
  }

  /** Has a write that is done settled before long. */
  settle(mapId: string, writeId: string, unchanged: Unchanged): void {
    const queue = this.#queueOf(mapId);
    if (queue.done.size === 0) queue.doneSince = performance.now();
    queue.done.set(writeId, unchanged);
    this.#rest(mapId, queue);
  }

  /** Settles all that is done now. Rejects where something could not be settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      Array.from(this.#lanes, async ([mapId, queue]) => {
        clearTimeout(queue.timer);
        await queue.work;
        if (queue.done.size > 0) await this.#change(mapId, queue, []);
      }),
    );
  }

  #queueOf(mapId: string): MapQueue<R> {
    const known = this.#lanes.get(mapId);
    if (known !== undefined) return known;
    const queue: MapQueue<R> = {
      waiting: [],
      done: new Map(),
      doneSince: 0,
      work: null,
      timer: undefined,
      pauseMs: SETTLE_AFTER_MS,
    };
    this.#lanes.set(mapId, queue);
    return queue;
  }

  async #change(mapId: string, queue: MapQueue<R>, batch: readonly R[]): Promise<void> {
    const ageMs = queue.done.size === 0 ? 0 : performance.now() - queue.doneSince;
    const settled = await this.#work.change(mapId, batch, { writes: queue.done, ageMs });
    for (const id of settled) queue.done.delete(id);
    // What was done meanwhile waits from now on.
    queue.doneSince = performance.now();
    queue.pauseMs = SETTLE_AFTER_MS;
  }

  async #answer(mapId: string, queue: MapQueue<R>): Promise<void> {
    while (queue.waiting.length > 0) {
      const batch = queue.waiting;
      queue.waiting = [];
      try {
        await this.#change(mapId, queue, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queue.work = null;
    this.#rest(mapId, queue);
  }

  async #settleNow(mapId: string, queue: MapQueue<R>): Promise<void> {
    try {
      await this.#work.run(() => this.#change(mapId, queue, []));
    } catch {
      // The count is right all the same; it is tried again after a pause, and with later writes.
      queue.pauseMs = Math.min(2 * queue.pauseMs, LONGEST_PAUSE_MS);
    }
    await this.#answer(mapId, queue);
  }

  /** A lane with nothing under way goes, or waits until what is done is to be settled. */
  #rest(mapId: string, queue: MapQueue<R>): void {
    if (this.#isClosed || queue.work !== null) return;
    clearTimeout(queue.timer);
    if (queue.done.size === 0) {
      this.#lanes.delete(mapId);
      return;
    }
    queue.timer = setTimeout(() => {
      queue.work ??= this.#settleNow(mapId, queue);
    }, queue.pauseMs);
    queue.timer.unref();
  }
}
