/** A provider protected, per key, by a concurrency limit, a queue and a circuit breaker. */

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
import { causeOf } from '../providers/responses.ts';
import type { Bounds } from './time.ts';

/** Keys whose breakers and queues are kept. */
const MAX_KEYS = 1000;

export interface GuardedProviderOptions extends RetryOptions {
  readonly limits: LimiterOptions;
  readonly breaker?: BreakerOptions;
}

export interface GuardedProvider {
  readonly provider: Provider;
  /**
   * @param beforeRequest runs just before the provider is called; an error that it throws cancels the call
   * @throws ServiceError as in the port; the signal's reason
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
    unavailable(provider.title, 'it failed several times and is paused for a while', {
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
      // While the breaker is open, calls fail at once. Those already queued fail when they reach the head.
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
    full: 'its queue is full',
    late: 'the time ran out in its queue',
  }[reason];
  return unavailable(provider.title, why, { cause: causeOf(provider, `queue: ${reason}`) });
}
