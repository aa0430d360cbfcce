/** Providers asked one after the other. The next is asked only when the one before could not answer. */

import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { OnCall } from '../events.ts';
import { outcomeOf } from '../events.ts';
import type { Geocoder, GeocodingQuery } from '../geocoder.ts';
import { candidatesOf } from '../geocoder.ts';
import type { ProviderStep, SelectionOptions } from '../provider-selection.ts';
import { selectProviders } from '../provider-selection.ts';
import type { RemoteName } from '../providers/providers.ts';
import type { CachedProvider, ProviderQuery } from '../cache/cached-provider.ts';
import type { Bounds, Time } from './time.ts';
import { abortReason, ExtensibleDeadline, deadlineExceeded } from './time.ts';

export interface FallbackChainOptions extends SelectionOptions {
  readonly providers: ReadonlyMap<RemoteName, CachedProvider>;
  readonly offline: Geocoder;
  /** Milliseconds for all remote providers together. */
  readonly timeoutMs: number;
  readonly time: Time;
  readonly onCall: OnCall;
}

/**
 * Failures after which the next provider is asked. A refused key is not among them: the operator has to learn of it.
 */
const FALLS_THROUGH: ReadonlySet<ErrorCode> = new Set([
  'ADDRESS_NOT_FOUND',
  'RATE_LIMITED',
  'GEOCODER_UNAVAILABLE',
]);

/** What is asked of whichever geocoder's turn it is. */
interface Question<T> {
  ofSource(source: CachedProvider, query: ProviderQuery, bounds: Bounds): Promise<T>;
  ofOffline(query: GeocodingQuery): Promise<T>;
}

/** @returns functions that geocode as the port says */
export function createFallbackChain(
  options: FallbackChainOptions,
): Required<Pick<Geocoder, 'geocode' | 'candidates'>> {
  const { providers, offline, timeoutMs, time, onCall } = options;

  const geocodeOffline = async <T>(
    { address, signal, requestId }: GeocodingQuery,
    question: Question<T>,
  ): Promise<T> => {
    const start = time.now();
    const report = (outcome: ReturnType<typeof outcomeOf>) =>
      onCall({
        provider: 'offline',
        outcome,
        milliseconds: time.now() - start,
        isCacheHit: false,
        requestId,
      });
    try {
      const result = await question.ofOffline({ address, apiKey: null, signal });
      report('found');
      return result;
    } catch (error) {
      report(signal?.aborted === true ? 'aborted' : outcomeOf(error));
      throw error;
    }
  };

  const tryProviders = async <T>(query: GeocodingQuery, question: Question<T>): Promise<T> => {
    const steps = selectProviders(query.apiKey, options);
    const { signal } = query;
    const deadline = new ExtensibleDeadline(time, Math.min(timeoutMs, query.timeoutMs ?? timeoutMs));
    let remoteLeft = steps.filter(({ name }) => name !== 'offline').length;

    const take = (step: ProviderStep): Promise<T> => {
      if (step.name === 'offline') return geocodeOffline(query, question);
      const source = providers.get(step.name);
      if (source === undefined) throw new TypeError(`There is no source for ${step.name}.`);
      // Each provider gets its share of the time, so that one that hangs leaves some to the next.
      const share = deadline.remaining() / remoteLeft;
      remoteLeft -= 1;
      if (share <= 0) throw deadlineExceeded();
      const { address, mapId = null, tokenId = null, requestId, trace } = query;
      const lookup = { address, key: step.key, keySource: step.keySource, trace };
      const bounds = {
        deadline: new ExtensibleDeadline(time, share),
        signal: signal ?? new AbortController().signal,
      };
      return question.ofSource(source, { lookup, mapId, tokenId, requestId }, bounds);
    };

    const failures: ServiceError[] = [];
    for (const step of steps) {
      if (signal?.aborted === true) throw abortReason(signal);
      try {
        return await take(step);
      } catch (error) {
        if (signal !== undefined && hasGone(signal)) throw abortReason(signal);
        if (!(error instanceof ServiceError) || !FALLS_THROUGH.has(error.code)) throw error;
        failures.push(error);
      }
    }
    throw combineFailures(failures);
  };

  return {
    geocode: (query) =>
      tryProviders(query, {
        ofSource: (source, asked, bounds) => source.geocode(asked, bounds),
        ofOffline: (asked) => offline.geocode(asked),
      }),
    candidates: (query) =>
      tryProviders(query, {
        ofSource: (source, asked, bounds) => source.candidates(asked, bounds),
        ofOffline: (asked) => candidatesOf(offline, asked),
      }),
  };
}

/** A function, so that the signal is read again after every wait: TypeScript would assume that it has not changed. */
function hasGone(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** One error for all. "Not found" is only certain when all providers have said so. */
export function combineFailures(failures: readonly ServiceError[]): ServiceError {
  const [only] = failures;
  if (only !== undefined && failures.length === 1) return only;
  const reasons = failures.filter(({ code }) => code !== 'ADDRESS_NOT_FOUND');
  if (reasons.length === 0) {
    const message = 'None of the geocoders asked knows this address; check its spelling.';
    return new ServiceError('ADDRESS_NOT_FOUND', message);
  }
  const isLimitedOnly = reasons.every(({ code }) => code === 'RATE_LIMITED');
  const waits = reasons.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const causes = reasons.flatMap(({ cause }) => (cause === undefined ? [] : [cause]));
  return new ServiceError(
    isLimitedOnly ? 'RATE_LIMITED' : 'GEOCODER_UNAVAILABLE',
    reasons.map(({ message }) => message).join(' '),
    {
      retryAfterSeconds: waits.length === 0 ? undefined : Math.min(...waits),
      cause: causes.length === 0 ? undefined : new AggregateError(causes, 'Several geocoders failed.'),
    },
  );
}
