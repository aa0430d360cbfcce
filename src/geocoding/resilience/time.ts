/** Time as the geocoders see it, so that tests can replace it. */

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../errors.ts';

export interface Time {
  /** Milliseconds that never go back. Only differences have a meaning. */
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

/** When the geocoding of one address must be done. It moves to a later time when a caller with more time joins. */
export class ExtensibleDeadline {
  readonly #time: Time;
  #at: number;

  constructor(time: Time, milliseconds: number) {
    this.#time = time;
    this.#at = time.now() + milliseconds;
  }

  /** Milliseconds left; 0 when it has passed. */
  remaining(): number {
    return Math.max(0, this.#at - this.#time.now());
  }

  get isPast(): boolean {
    return this.remaining() === 0;
  }

  /** Moves it to `milliseconds` from now, if that is later. */
  extendTo(milliseconds: number): void {
    this.#at = Math.max(this.#at, this.#time.now() + milliseconds);
  }
}

/** Limits of a piece of work: it ends when the deadline has passed or the signal is aborted. */
export interface Bounds {
  readonly deadline: ExtensibleDeadline;
  readonly signal: AbortSignal;
}

/**
 * Why a caller's signal ended the work. This is the signal's own reason, so that whoever aborted recognises it. Only a
 * timeout (`AbortSignal.timeout`) becomes a failure that clients know.
 */
export function abortReason(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  const isTimeout = reason instanceof Error && reason.name === 'TimeoutError';
  return isTimeout ? deadlineExceeded() : reason;
}

/** The caller's own time is over, whatever the provider does. */
export function deadlineExceeded(): ServiceError {
  return new ServiceError('GEOCODER_UNAVAILABLE', 'The address was not geocoded in the time given.');
}
