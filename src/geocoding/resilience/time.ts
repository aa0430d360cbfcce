/** Time and deadlines, replaceable in tests. */

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../errors.ts';

export interface Time {
  /** Monotonic milliseconds; only differences are meaningful. */
  now(): number;
  /** @throws the signal's reason, as soon as it is aborted */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_TIME: Time = {
  now: () => performance.now(),
  async sleep(milliseconds, signal) {
    try {
      await delay(Math.max(0, milliseconds), undefined, { signal });
    } catch (error) {
      // Node's own AbortError would hide the reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** The deadline of one address. It moves later when a caller with more time joins. */
export class ExtensibleDeadline {
  readonly #time: Time;
  #at: number;

  constructor(time: Time, milliseconds: number) {
    this.#time = time;
    this.#at = time.now() + milliseconds;
  }

  /** Milliseconds left; 0 once it has passed. */
  remaining(): number {
    return Math.max(0, this.#at - this.#time.now());
  }

  get isPast(): boolean {
    return this.remaining() === 0;
  }

  /** Moves the deadline to `milliseconds` from now, if that is later. */
  extendTo(milliseconds: number): void {
    this.#at = Math.max(this.#at, this.#time.now() + milliseconds);
  }
}

/** When work must stop: at the deadline, or when the signal is aborted. */
export interface Bounds {
  readonly deadline: ExtensibleDeadline;
  readonly signal: AbortSignal;
}

/** The signal's reason, which the caller recognises. A timeout (`AbortSignal.timeout`) becomes a {@link ServiceError}. */
export function abortReason(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  const isTimeout = reason instanceof Error && reason.name === 'TimeoutError';
  return isTimeout ? deadlineExceeded() : reason;
}

/** The caller's time is over, whatever the provider does. */
export function deadlineExceeded(): ServiceError {
  return new ServiceError('GEOCODER_UNAVAILABLE', 'The address could not be geocoded in the time allowed.');
}
