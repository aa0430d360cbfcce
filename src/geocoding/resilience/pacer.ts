/** Slots at a fixed interval, for a server that allows one request in that time. */

import type { Bounds, Time } from './time.ts';

export interface Pace {
  /** The next slot comes after the deadline, so it was not taken. */
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
   * Takes the next slot and waits for it. When the caller goes away meanwhile, the slot is lost.
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
