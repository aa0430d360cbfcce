/**
 * A circuit breaker: after some faults in a row a provider is left alone for a while, then tried with a single
 * request (https://martinfowler.com/bliki/CircuitBreaker.html).
 */

import type { Time } from './time.ts';

export interface BreakerOptions {
  /** Faults in a row that open it. */
  readonly faults: number;
  /** Milliseconds that it stays open. */
  readonly openMs: number;
}

export const BREAKER_DEFAULTS: BreakerOptions = { faults: 5, openMs: 30_000 };

/** `good` answers close it, a `fault` helps to open it; `void` (the caller went away) says nothing of the provider. */
export type Verdict = 'good' | 'fault' | 'void';

export class Breaker {
  readonly #time: Time;
  readonly #options: BreakerOptions;
  #faults = 0;
  /** When it may be tried again; null while it is closed. */
  #probeAt: number | null = null;
  #isProbing = false;

  constructor(time: Time, options: BreakerOptions = BREAKER_DEFAULTS) {
    this.#time = time;
    this.#options = options;
  }

  /** Milliseconds until a request may be tried; 0 when one may now. Changes nothing. */
  waitMs(): number {
    if (this.#probeAt === null) return 0;
    // How long the probe takes is not known; it is a request like any other.
    if (this.#isProbing) return 1000;
    return Math.max(0, this.#probeAt - this.#time.now());
  }

  /**
   * Begins a request.
   *
   * @returns null where {@link waitMs} is not 0; else to be called once, with how it went
   */
  begin(): ((verdict: Verdict) => void) | null {
    if (this.waitMs() > 0) return null;
    if (this.#probeAt === null) return (verdict) => this.#record(verdict);
    this.#isProbing = true;
    return (verdict) => {
      this.#isProbing = false;
      this.#record(verdict);
    };
  }

  #record(verdict: Verdict): void {
    if (verdict === 'void') return;
    if (verdict === 'good') {
      this.#faults = 0;
      this.#probeAt = null;
      return;
    }
    this.#faults += 1;
    if (this.#faults >= this.#options.faults) this.#probeAt = this.#time.now() + this.#options.openMs;
  }
}
