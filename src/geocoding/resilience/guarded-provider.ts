/** A provider with what protects both sides from each other: for each key a limit, a queue and a circuit breaker. */

import type { ServiceError } from '../../errors.ts';
import type { RetryOptions } from './fetch-with-retry.ts';
import { fetchWithRetry } from './fetch-with-retry.ts';
import type { BreakerOptions, BreakerOutcome } from './breaker.ts';
import { Breaker } from './breaker.ts';
import { unavailable } from './failures.ts';
import { PerKeyCache } from './per-key-cache.ts';
import type { LimiterOptions } from './limiter.ts';
import { Limiter, QueueError } from './limiter.ts';
import type { Candidates, Lookup, Provider } from '../providers/provider.ts';
import { causeOf } from '../providers/provider.ts';
import type { Bounds } from './time.ts';

/** How many keys have their breakers and queues remembered. */
const MAX_KEYS = 1000;

export interface GuardedProviderOptions extends RetryOptions {
  readonly limits: LimiterOptions;
  readonly breaker?: BreakerOptions;
}

export interface GuardedProvider {
  readonly provider: Provider;
  /**
   * @param beforeRequest runs just before the provider is asked; what it throws ends the work
   * @throws ServiceError as the port says; the signal's reason
   */
  lookUp(lookup: Lookup, bounds: Bounds, beforeRequest?: () => Promise<void>): Promise<Candidates>;
}

export function createGuardedProvider(provider: Provider, options: GuardedProviderOptions): GuardedProvider {
  const { time, limits, breaker: breakerOptions } = options;
  const states = new PerKeyCache(
    MAX_KEYS,
    () => ({ limiter: new Limiter(time, limits), breaker: new Breaker(time, breakerOptions) }),
    ({ limiter }) => limiter.isIdle,
  );

  const breakerOpen = (breaker: Breaker) =>
    unavailable(provider.title, 'it failed several times, and is left alone for a while', {
      retryAfterSeconds: breaker.waitMs() / 1000,
    });

  const guarded = async (
    breaker: Breaker,
    lookup: Lookup,
    bounds: Bounds,
    beforeRequest: () => Promise<void>,
  ): Promise<Candidates> => {
    const done = breaker.begin();
    if (done === null) throw breakerOpen(breaker);
    let outcome: BreakerOutcome = 'ignored';
    try {
      await beforeRequest();
      const reading = await fetchWithRetry(provider, lookup, bounds, options);
      outcome = reading.kind === 'failed' ? reading.outcome : 'success';
      if (reading.kind === 'failed') throw reading.error;
      return reading.candidates;
    } finally {
      done(outcome);
    }
  };

  return {
    provider,
    async lookUp(lookup, bounds, beforeRequest = () => Promise.resolve()) {
      const { breaker, limiter } = states.get(lookup.key);
      // While the breaker is open nobody joins the queue. Those already in it are told when they reach its head.
      if (breaker.waitMs() > 0) throw breakerOpen(breaker);
      try {
        return await limiter.run(bounds, () => guarded(breaker, lookup, bounds, beforeRequest));
      } catch (error) {
        throw error instanceof QueueError ? notStarted(provider, error) : error;
      }
    },
  };
}

function notStarted(provider: Provider, { reason }: QueueError): ServiceError {
  const why = {
    full: 'too many addresses wait for it already',
    late: 'too many addresses were before this one',
  }[reason];
  return unavailable(provider.title, why, { cause: causeOf(provider, `queue: ${reason}`) });
}
