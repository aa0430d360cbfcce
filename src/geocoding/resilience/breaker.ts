/**
 * A circuit breaker: after some faults in a row a provider is not asked for a while, then tried with a single request
 * (https://martinfowler.com/bliki/CircuitBreaker.html).
 */

import type { Time } from './time.ts';

export interface BreakerOptions {
  /** How many faults in a row open it. */
  readonly faults: number;
  /** Milliseconds that it stays open. */
  readonly openMs: number;
}

export const BREAKER_DEFAULTS: BreakerOptions = { faults: 5, openMs: 30_000 };

/** `success` closes the breaker, `fault` counts towards opening it, `ignored` (the caller went away) changes nothing. */
export type BreakerOutcome = 'success' | 'fault' | 'ignored';

export class Breaker {
  readonly #time: Time;
  readonly #options: BreakerOptions;
  #faults = 0;
  /** When a single request may be tried; null while it is closed. */
  #probeAt: number | null = null;
  #isProbing = false;

  constructor(time: Time, options: BreakerOptions = BREAKER_DEFAULTS) {
    this.#time = time;
    this.#options = options;
  }

  /** Milliseconds until a request may be tried; 0 when one may be tried now. Changes nothing. */
  waitMs(): number {
    if (this.#probeAt === null) return 0;
    // How long the trial request will take is not known.
    if (this.#isProbing) return 1000;
    return Math.max(0, this.#probeAt - this.#time.now());
  }

  /**
   * Begins a request.
   *
   * @returns a function to be called once with the outcome; null when {@link waitMs} is not 0
   */
  begin(): ((outcome: BreakerOutcome) => void) | null {
    if (this.waitMs() > 0) return null;
    if (this.#probeAt === null) return (outcome) => this.#record(outcome);
    this.#isProbing = true;
    return (outcome) => {
      this.#isProbing = false;
      this.#record(outcome);
    };
  }

  #record(outcome: BreakerOutcome): void {
    if (outcome === 'ignored') return;
    if (outcome === 'success') {
      this.#faults = 0;
      this.#probeAt = null;
      return;
    }
    this.#faults += 1;
    if (this.#faults >= this.#options.faults) this.#probeAt = this.#time.now() + this.#options.openMs;
  }
}
