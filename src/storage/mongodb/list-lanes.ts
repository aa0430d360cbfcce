/**
 * One lane for each map that this process writes to. The requests that wait in a lane share one change of the map's
 * document; what comes meanwhile waits for the next. The lane also keeps the writes that are done until they are settled.
 */

import type { DoneWrites } from './list-change.ts';
import type { Unchanged } from './settle-changes.ts';

/** From the last write to a map until what is done there is settled, where no later write does it. */
const SETTLE_AFTER_MS = 200;
/** The pause doubles with every failure, up to this. */
const LONGEST_PAUSE_MS = 60_000;

interface Lane<R> {
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

export interface LaneWork<R> {
  /**
   * Changes a map's document for a batch of requests and answers them; without a request it settles all that is done.
   *
   * @returns the ids of `done` that need not be settled any more
   */
  readonly change: (mapId: string, batch: readonly R[], done: DoneWrites) => Promise<Iterable<string>>;
  /** Runs what no caller waits for, within a time limit. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

export class ListLanes<R extends { readonly reject: (error: unknown) => void }> {
  readonly #work: LaneWork<R>;
  readonly #lanes = new Map<string, Lane<R>>();
  #isClosed = false;

  constructor(work: LaneWork<R>) {
    this.#work = work;
  }

  add(mapId: string, request: R): void {
    const lane = this.#laneOf(mapId);
    lane.waiting.push(request);
    lane.work ??= this.#answer(mapId, lane);
  }

  /** Has a write that is done settled before long. */
  settle(mapId: string, writeId: string, unchanged: Unchanged): void {
    const lane = this.#laneOf(mapId);
    if (lane.done.size === 0) lane.doneSince = performance.now();
    lane.done.set(writeId, unchanged);
    this.#rest(mapId, lane);
  }

  /** Settles all that is done now. Rejects where something could not be settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      Array.from(this.#lanes, async ([mapId, lane]) => {
        clearTimeout(lane.timer);
        await lane.work;
        if (lane.done.size > 0) await this.#change(mapId, lane, []);
      }),
    );
  }

  #laneOf(mapId: string): Lane<R> {
    const known = this.#lanes.get(mapId);
    if (known !== undefined) return known;
    const lane: Lane<R> = {
      waiting: [],
      done: new Map(),
      doneSince: 0,
      work: null,
      timer: undefined,
      pauseMs: SETTLE_AFTER_MS,
    };
    this.#lanes.set(mapId, lane);
    return lane;
  }

  async #change(mapId: string, lane: Lane<R>, batch: readonly R[]): Promise<void> {
    const ageMs = lane.done.size === 0 ? 0 : performance.now() - lane.doneSince;
    const settled = await this.#work.change(mapId, batch, { writes: lane.done, ageMs });
    for (const id of settled) lane.done.delete(id);
    // What was done meanwhile waits from now on.
    lane.doneSince = performance.now();
    lane.pauseMs = SETTLE_AFTER_MS;
  }

  async #answer(mapId: string, lane: Lane<R>): Promise<void> {
    while (lane.waiting.length > 0) {
      const batch = lane.waiting;
      lane.waiting = [];
      try {
        await this.#change(mapId, lane, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    lane.work = null;
    this.#rest(mapId, lane);
  }

  async #settleNow(mapId: string, lane: Lane<R>): Promise<void> {
    try {
      await this.#work.run(() => this.#change(mapId, lane, []));
    } catch {
      // The count is right all the same; it is tried again after a pause, and with later writes.
      lane.pauseMs = Math.min(2 * lane.pauseMs, LONGEST_PAUSE_MS);
    }
    await this.#answer(mapId, lane);
  }

  /** A lane with nothing under way goes, or waits until what is done is to be settled. */
  #rest(mapId: string, lane: Lane<R>): void {
    if (this.#isClosed || lane.work !== null) return;
    clearTimeout(lane.timer);
    if (lane.done.size === 0) {
      this.#lanes.delete(mapId);
      return;
    }
    lane.timer = setTimeout(() => {
      lane.work ??= this.#settleNow(mapId, lane);
    }, lane.pauseMs);
    lane.timer.unref();
  }
}
