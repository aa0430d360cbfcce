/** Providers tried in order: each is called only if the one before failed. */

import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { GeocodeOutcome, OnCall } from '../events.ts';
import { outcomeOf } from '../events.ts';
import { distanceBetween } from '../../domain/filter/distance.ts';
import type {
  Geocoder,
  GeocodingCandidate,
  GeocodingQuery,
  GeocodingResult,
  QueryContext,
  ReverseQuery,
  ReverseResult,
  Suggestion,
  SuggestionQuery,
} from '../geocoder.ts';
import { candidatesOf, MAX_SUGGESTIONS, suggestionsUnavailable } from '../geocoder.ts';
import type { ProviderStep, SelectionOptions } from '../provider-selection.ts';
import { selectProviders } from '../provider-selection.ts';
import type { RemoteName } from '../providers/providers.ts';
import type { CachedProvider } from '../cache/cached-provider.ts';
import type { LookupContext, Provider, ProviderResult } from '../providers/provider.ts';
import type { Bounds, Time } from './time.ts';
import { addressNotFound } from './failures.ts';
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
  /** Whether the provider can do it, or for null the offline geocoder; the others are skipped. */
  readonly isPossible?: (provider: Provider | null) => boolean;
  remote(provider: CachedProvider, call: RemoteCall, bounds: Bounds): Promise<T>;
  offline(geocoder: Geocoder): Promise<T>;
}

/** What all lookups of a query have. */
interface RemoteCall {
  readonly context: LookupContext;
  readonly rest: {
    readonly mapId: string | null;
    readonly tokenId: string | null;
    readonly requestId: string | undefined;
  };
}

/** Metres; farther addresses are not the address of a point. */
const REVERSE_METRES = 1_000;

export class FallbackChain implements Required<
  Omit<Geocoder, 'attributions' | 'concurrency' | 'refusesBulk'>
> {
  readonly #options: FallbackChainOptions;

  constructor(options: FallbackChainOptions) {
    this.#options = options;
  }

  geocode(query: GeocodingQuery): Promise<GeocodingResult> {
    const { address, signal, area } = query;
    return this.#run(query, {
      remote: (provider, { context, rest }, bounds) =>
        provider.geocode({ lookup: { kind: 'forward', address, ...context }, ...rest }, bounds),
      offline: (offline) => offline.geocode({ address, area, apiKey: null, signal }),
    });
  }

  candidates(query: GeocodingQuery): Promise<readonly GeocodingCandidate[]> {
    const { address, signal, area } = query;
    return this.#run(query, {
      remote: (provider, { context, rest }, bounds) =>
        provider.candidates({ lookup: { kind: 'forward', address, ...context }, ...rest }, bounds),
      offline: (offline) => candidatesOf(offline, { address, area, apiKey: null, signal }),
    });
  }

  async reverse(query: ReverseQuery): Promise<ReverseResult | null> {
    const { point, signal, area } = query;
    try {
      return await this.#run(query, {
        remote: async (provider, { context, rest }, bounds) => {
          const [nearest] = await provider.uncached(
            { lookup: { kind: 'reverse', point, ...context }, ...rest },
            bounds,
          );
          const distance = distanceBetween(point, nearest);
          // The next provider may know a nearer one.
          if (distance > REVERSE_METRES) throw addressNotFound(provider.provider.title);
          return toReverseResult(nearest, distance);
        },
        offline: async (offline) => (await offline.reverse?.({ point, area, apiKey: null, signal })) ?? null,
      });
    } catch (error) {
      return unlessNotFound(error, null);
    }
  }

  async suggest(query: SuggestionQuery): Promise<readonly Suggestion[]> {
    const { text, near, signal, area } = query;
    try {
      return await this.#run(query, {
        isPossible: (provider) => provider?.hasSuggestions ?? this.#options.offline.suggest !== undefined,
        remote: async (provider, { context, rest }, bounds) =>
          (await provider.uncached({ lookup: { kind: 'suggest', text, near, ...context }, ...rest }, bounds))
            .flatMap((result) => toSuggestion(result) ?? [])
            .slice(0, MAX_SUGGESTIONS),
        offline: async (offline) =>
          (await offline.suggest?.({ text, near, area, apiKey: null, signal })) ?? [],
      });
    } catch (error) {
      return unlessNotFound(error, []);
    }
  }

  async #run<T>(query: QueryContext, operation: Operation<T>): Promise<T> {
    const { timeoutMs, time } = this.#options;
    const { isPossible = () => true } = operation;
    const selected: readonly ProviderStep[] = selectProviders(query.apiKey, this.#options);
    const steps = selected.filter(({ name }) =>
      isPossible(name === 'offline' ? null : this.#providerNamed(name).provider),
    );
    if (steps.length === 0) throw this.#suggestionsUnavailable(selected);
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
    query: QueryContext,
    milliseconds: number,
    operation: Operation<T>,
  ): Promise<T> {
    const { mapId = null, tokenId = null, requestId, trace, signal, area = null } = query;
    if (milliseconds <= 0) throw deadlineExceeded();
    const bounds = {
      deadline: new ExtensibleDeadline(this.#options.time, milliseconds),
      signal: signal ?? new AbortController().signal,
    };
    const call = { context: { key, keySource, area, trace }, rest: { mapId, tokenId, requestId } };
    return operation.remote(this.#providerNamed(name), call, bounds);
  }

  /** Names a public server that would have suggestions if its operators allowed them. */
  #suggestionsUnavailable(steps: readonly ProviderStep[]): ServiceError {
    const names = steps.flatMap(({ name }) => (name === 'offline' ? [] : [name]));
    const refusing = names
      .map((name) => this.#providerNamed(name).provider)
      .find(({ publicServer, hasSuggestions }) => publicServer !== null && !hasSuggestions);
    if (refusing === undefined) return suggestionsUnavailable();
    const { title, urlSetting } = refusing;
    return suggestionsUnavailable(
      `The operators of the public ${title} server do not allow suggestions; set ${urlSetting} to your own server.`,
    );
  }

  #providerNamed(name: RemoteName): CachedProvider {
    const provider = this.#options.providers.get(name);
    if (provider === undefined) throw new TypeError(`The provider ${name} was not opened.`);
    return provider;
  }

  async #runOffline<T>({ signal, requestId }: QueryContext, operation: Operation<T>): Promise<T> {
    const { time, onCall, offline } = this.#options;
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
      const result = await operation.offline(offline);
      report('found');
      return result;
    } catch (error) {
      report(signal?.aborted === true ? 'aborted' : outcomeOf(error));
      throw error;
    }
  }
}

/** @throws the error, unless the address is not found */
function unlessNotFound<T>(error: unknown, nothing: T): T {
  if (error instanceof ServiceError && error.code === 'ADDRESS_NOT_FOUND') return nothing;
  throw error;
}

function toReverseResult(
  { parts, provider, formattedAddress }: ProviderResult,
  distance: number,
): ReverseResult {
  return { label: formattedAddress, ...parts, distance, provider };
}

/** The first part of the address, and the rest. Null without a text. */
function toSuggestion({ formattedAddress, latitude, longitude }: ProviderResult): Suggestion | null {
  if (formattedAddress === null) return null;
  const [label = '', ...rest] = formattedAddress.split(', ');
  return { label, description: rest.length === 0 ? null : rest.join(', '), latitude, longitude };
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
