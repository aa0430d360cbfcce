/** A provider with what protects both sides from each other: for each key a limit, a queue and a circuit breaker. */

import type { ServiceError } from '../errors.ts';
import type { AskOptions } from './ask.ts';
import { ask } from './ask.ts';
import type { BreakerOptions, Verdict } from './breaker.ts';
import { Breaker } from './breaker.ts';
import { unavailable } from './failures.ts';
import { KeyedState } from './keyed-state.ts';
import type { LimiterOptions } from './limiter.ts';
import { Limiter, QueueError } from './limiter.ts';
import type { Candidates, Lookup, Provider } from './provider.ts';
import { causeOf } from './provider.ts';
import type { Bounds } from './time.ts';

/** How many keys have their breakers and queues remembered. */
const MAX_KEYS = 1000;

export interface RemoteOptions extends AskOptions {
  readonly limits: LimiterOptions;
  readonly breaker?: BreakerOptions;
}

export interface Remote {
  readonly provider: Provider;
  /**
   * @param beforeAsking runs just before the provider is asked; what it throws ends the work
   * @throws ServiceError as the port says; the signal's reason
   */
  lookUp(lookup: Lookup, bounds: Bounds, beforeAsking?: () => Promise<void>): Promise<Candidates>;
}

export function createRemote(provider: Provider, options: RemoteOptions): Remote {
  const { time, limits, breaker: breakerOptions } = options;
  const states = new KeyedState(
    MAX_KEYS,
    () => ({ limiter: new Limiter(time, limits), breaker: new Breaker(time, breakerOptions) }),
    ({ limiter }) => limiter.isIdle,
  );

  const leftAlone = (breaker: Breaker) =>
    unavailable(provider.title, 'it failed several times, and is left alone for a while', {
      retryAfterSeconds: breaker.waitMs() / 1000,
    });

  const guarded = async (
    breaker: Breaker,
    lookup: Lookup,
    bounds: Bounds,
    beforeAsking: () => Promise<void>,
  ): Promise<Candidates> => {
    const done = breaker.begin();
    if (done === null) throw leftAlone(breaker);
    let verdict: Verdict = 'void';
    try {
      await beforeAsking();
      const reading = await ask(provider, lookup, bounds, options);
      verdict = reading.kind === 'failed' ? reading.verdict : 'good';
      if (reading.kind === 'failed') throw reading.error;
      return reading.candidates;
    } finally {
      done(verdict);
    }
  };

  return {
    provider,
    async lookUp(lookup, bounds, beforeAsking = () => Promise.resolve()) {
      const { breaker, limiter } = states.get(lookup.key);
      // While the breaker is open nobody joins the queue. Those already in it are told when they reach its head.
      if (breaker.waitMs() > 0) throw leftAlone(breaker);
      try {
        return await limiter.run(bounds, () => guarded(breaker, lookup, bounds, beforeAsking));
      } catch (error) {
        throw error instanceof QueueError ? notBegun(provider, error) : error;
      }
    },
  };
}

function notBegun(provider: Provider, { reason }: QueueError): ServiceError {
  const why = {
    full: 'too many addresses wait for it already',
    late: 'too many addresses were before this one',
  }[reason];
  return unavailable(provider.title, why, { cause: causeOf(provider, `queue: ${reason}`) });
}
