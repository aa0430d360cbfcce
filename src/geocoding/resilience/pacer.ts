/** Spaces requests by a fixed interval, for a server with a rate limit. */

import type { Bounds, Time } from './time.ts';

export interface Pace {
  /** True if the next slot is after the deadline; then none was taken. */
  readonly isTooLate: boolean;
  /** Seconds until the slot. */
  readonly seconds: number;
}

export class Pacer {
  readonly #time: Time;
  readonly #intervalMs: number;
  #nextSlot = -Infinity;

  constructor(time: Time, intervalMs: number) {
    this.#time = time;
    this.#intervalMs = intervalMs;
  }

  /**
   * Takes the next slot and waits for it. If the caller leaves, the slot is lost.
   *
   * @throws the signal's reason
   */
  async wait({ deadline, signal }: Bounds): Promise<Pace> {
    const now = this.#time.now();
    const slot = Math.max(now, this.#nextSlot);
    const wait = slot - now;
    const seconds = wait / 1000;
    if (wait > 0 && wait >= deadline.remaining()) return { isTooLate: true, seconds };
    this.#nextSlot = slot + this.#intervalMs;
    if (wait > 0) await this.#time.sleep(wait, signal);
    return { isTooLate: false, seconds };
  }
}
