/**
 * A circuit breaker: consecutive faults stop calls to a provider for a while; then a single request probes it
 * (https://martinfowler.com/bliki/CircuitBreaker.html).
 */

import type { Time } from './time.ts';

export interface BreakerOptions {
  /** Consecutive faults that open the breaker. */
  readonly faults: number;
  /** Milliseconds that it stays open. */
  readonly openMs: number;
}

export const BREAKER_DEFAULTS: BreakerOptions = { faults: 5, openMs: 30_000 };

/** `success` closes the breaker, `fault` counts towards opening it, `ignored` (the caller left) changes nothing. */
export type BreakerOutcome = 'success' | 'fault' | 'ignored';

export class Breaker {
  readonly #time: Time;
  readonly #options: BreakerOptions;
  #faults = 0;
  /** When a probe is allowed; null while the breaker is closed. */
  #probeAt: number | null = null;
  #isProbing = false;

  constructor(time: Time, options: BreakerOptions = BREAKER_DEFAULTS) {
    this.#time = time;
    this.#options = options;
  }

  /** Milliseconds until a request is allowed; 0 for now. */
  waitMs(): number {
    if (this.#probeAt === null) return 0;
    // A guess: the duration of the probe is unknown.
    if (this.#isProbing) return 1000;
    return Math.max(0, this.#probeAt - this.#time.now());
  }

  /**
   * Starts a request.
   *
   * @returns a function to call once with the outcome; null if {@link waitMs} is not 0
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
