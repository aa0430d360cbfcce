/** Turns at a fixed interval, for a server that asks for no more than one request in that time. */

import type { Bounds, Time } from './time.ts';

export interface Pace {
  /** No turn comes before the deadline; none was taken. */
  readonly isTooLate: boolean;
  /** Until the turn, in seconds. */
  readonly seconds: number;
}

export class Pacer {
  readonly #time: Time;
  readonly #intervalMs: number;
  #nextTurn = -Infinity;

  constructor(time: Time, intervalMs: number) {
    this.#time = time;
    this.#intervalMs = intervalMs;
  }

  /**
   * Waits for a turn. A turn whose taker goes away meanwhile is lost: that keeps the pace, and costs a moment.
   *
   * @throws the signal's reason
   */
  async wait({ deadline, signal }: Bounds): Promise<Pace> {
    const now = this.#time.now();
    const turn = Math.max(now, this.#nextTurn);
    const wait = turn - now;
    const seconds = wait / 1000;
    if (wait > 0 && wait >= deadline.remaining()) return { isTooLate: true, seconds };
    this.#nextTurn = turn + this.#intervalMs;
    if (wait > 0) await this.#time.sleep(wait, signal);
    return { isTooLate: false, seconds };
  }
}
