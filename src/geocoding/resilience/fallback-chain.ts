/** Providers tried in order: each is called only if the one before failed. */

import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { GeocodeOutcome, OnCall } from '../events.ts';
import { outcomeOf } from '../events.ts';
import type { Geocoder, GeocodingCandidate, GeocodingQuery, GeocodingResult } from '../geocoder.ts';
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

/** Errors after which the next provider is tried. Not GEOCODER_REFUSED: the operator must notice a bad key. */
const FALLS_THROUGH: ReadonlySet<ErrorCode> = new Set([
  'ADDRESS_NOT_FOUND',
  'RATE_LIMITED',
  'GEOCODER_UNAVAILABLE',
]);

/** One operation of the geocoder port, for remote providers and for the offline geocoder. */
interface Operation<T> {
  remote(provider: CachedProvider, query: ProviderQuery, bounds: Bounds): Promise<T>;
  offline(query: GeocodingQuery): Promise<T>;
}

export class FallbackChain implements Required<Pick<Geocoder, 'geocode' | 'candidates'>> {
  readonly #options: FallbackChainOptions;

  constructor(options: FallbackChainOptions) {
    this.#options = options;
  }

  geocode(query: GeocodingQuery): Promise<GeocodingResult> {
    const { offline } = this.#options;
    return this.#run(query, {
      remote: (provider, remoteQuery, bounds) => provider.geocode(remoteQuery, bounds),
      offline: (offlineQuery) => offline.geocode(offlineQuery),
    });
  }

  candidates(query: GeocodingQuery): Promise<readonly GeocodingCandidate[]> {
    const { offline } = this.#options;
    return this.#run(query, {
      remote: (provider, remoteQuery, bounds) => provider.candidates(remoteQuery, bounds),
      offline: (offlineQuery) => candidatesOf(offline, offlineQuery),
    });
  }

  async #run<T>(query: GeocodingQuery, operation: Operation<T>): Promise<T> {
    const { timeoutMs, time } = this.#options;
    const steps = selectProviders(query.apiKey, this.#options);
    const { signal } = query;
    const deadline = new ExtensibleDeadline(time, Math.min(timeoutMs, query.timeoutMs ?? timeoutMs));
    let remoteLeft = steps.filter(({ name }) => name !== 'offline').length;
    const failures: ServiceError[] = [];
    for (const step of steps) {
      if (signal?.aborted === true) throw abortReason(signal);
      try {
        if (step.name === 'offline') return await this.#runOffline(query, operation);
        // Providers share the remaining time, so that one that hangs leaves some to the next.
        const share = deadline.remaining() / remoteLeft;
        remoteLeft -= 1;
        return await this.#runRemote(step, query, share, operation);
      } catch (error) {
        if (signal !== undefined && isAborted(signal)) throw abortReason(signal);
        if (!(error instanceof ServiceError) || !FALLS_THROUGH.has(error.code)) throw error;
        failures.push(error);
      }
    }
    throw combineFailures(failures);
  }

  async #runRemote<T>(
    { name, key, keySource }: Exclude<ProviderStep, { readonly name: 'offline' }>,
    query: GeocodingQuery,
    milliseconds: number,
    operation: Operation<T>,
  ): Promise<T> {
    const { address, mapId = null, tokenId = null, requestId, trace, signal } = query;
    const provider = this.#options.providers.get(name);
    if (provider === undefined) throw new TypeError(`The provider ${name} was not opened.`);
    if (milliseconds <= 0) throw deadlineExceeded();
    const bounds = {
      deadline: new ExtensibleDeadline(this.#options.time, milliseconds),
      signal: signal ?? new AbortController().signal,
    };
    const lookup = { address, key, keySource, trace };
    return operation.remote(provider, { lookup, mapId, tokenId, requestId }, bounds);
  }

  async #runOffline<T>({ address, signal, requestId }: GeocodingQuery, operation: Operation<T>): Promise<T> {
    const { time, onCall } = this.#options;
    const start = time.now();
    const report = (outcome: GeocodeOutcome) =>
      onCall({
        provider: 'offline',
        outcome,
        milliseconds: time.now() - start,
        isCacheHit: false,
        requestId,
      });
    try {
      const result = await operation.offline({ address, apiKey: null, signal });
      report('found');
      return result;
    } catch (error) {
      report(signal?.aborted === true ? 'aborted' : outcomeOf(error));
      throw error;
    }
  }
}

/** A function, because TypeScript assumes that `signal.aborted` does not change across an await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** One error for several. The address counts as not found only if every provider says so. */
export function combineFailures(failures: readonly ServiceError[]): ServiceError {
  const [only] = failures;
  if (only !== undefined && failures.length === 1) return only;
  const reasons = failures.filter(({ code }) => code !== 'ADDRESS_NOT_FOUND');
  if (reasons.length === 0) {
    const message = 'No geocoder found this address; check its spelling.';
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
