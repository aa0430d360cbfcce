/** Signals between a test and its running task, in shared memory. */

import { setTimeout as delay } from 'node:timers/promises';

const NAMES = ['begun', 'steps', 'cleaned', 'go'] as const;
export type Sign = (typeof NAMES)[number];

export function createSigns(): Signs {
  return new Signs(new SharedArrayBuffer(NAMES.length * Int32Array.BYTES_PER_ELEMENT));
}

export class Signs {
  readonly #words: Int32Array;

  /** @param memory of another thread's signals */
  constructor(readonly memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  read(sign: Sign): number {
    return Atomics.load(this.#words, NAMES.indexOf(sign));
  }

  add(sign: Sign): void {
    Atomics.add(this.#words, NAMES.indexOf(sign), 1);
  }

  /** Waits until the signal was given that many times. */
  async seen(sign: Sign, times = 1): Promise<void> {
    while (this.read(sign) < times) await delay(2);
  }
}
