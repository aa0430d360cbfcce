/** Builds the geocoder of a deployment from its settings. */

import type { BreakerOptions } from './resilience/breaker.ts';
import type { GeocodeCache } from './cache/cache.ts';
import { MemoryGeocodeCache } from './cache/cache.ts';
import { FallbackChain } from './resilience/fallback-chain.ts';
import type { OnCall } from './events.ts';
import type { Geocoder } from './geocoder.ts';
import type { HttpGet } from './providers/http.ts';
import { httpGet } from './providers/http.ts';
import { Pacer } from './resilience/pacer.ts';
import type { PublicServer } from './providers/provider.ts';
import { hasServer, openProvider } from './providers/open-provider.ts';
import type { GeocoderName, ProviderConfigs, RemoteProvider } from './providers/providers.ts';
import { attributionsOf, PROVIDERS, selectedPublicServer } from './providers/providers.ts';
import type { GeocodeQuota } from './resilience/quota.ts';
import { MemoryGeocodeQuota } from './resilience/quota.ts';
import { createGuardedProvider } from './resilience/guarded-provider.ts';
import { CachedProvider } from './cache/cached-provider.ts';
import type { Time } from './resilience/time.ts';
import { SYSTEM_TIME } from './resilience/time.ts';

export interface GeocoderSettings {
  /** The setting `GEOCODER`, in order; at least one. */
  readonly geocoder: readonly GeocoderName[];
  readonly providers: ProviderConfigs;
  /** Milliseconds per address, including queues, retries and fallbacks. */
  readonly timeoutMs: number;
  /** Concurrent requests per provider and key. */
  readonly concurrency: number;
  /** Maximum queue length per provider and key. */
  readonly queueLength: number;
  /** Name and version of the program, e.g. `map-locations/1.2.3`. */
  readonly userAgent: string;
  /** Calls to remote providers per day (UTC), per token and per map; 0 for no limit. */
  readonly tokenQuota: number;
  readonly mapQuota: number;
  /** Processes that share the limits; 1 by default. */
  readonly processes?: number;
}

export interface GeocoderParts {
  readonly offline: Geocoder;
  /** In memory by default. */
  readonly cache?: GeocodeCache;
  readonly quota?: GeocodeQuota;
  /** Called for each provider call and each cache hit; not for a caller that joins another's call. */
  readonly onCall?: OnCall;
  /** For the log. Callers get their result even if the cache fails. */
  readonly onCacheFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** For tests. */
  readonly time?: Time;
  readonly breaker?: BreakerOptions;
  readonly random?: () => number;
  readonly get?: HttpGet;
}

/** By host of a public server: its rate limit applies to the whole process, however many geocoders it has. */
const publicPacers = new Map<string, Pacer>();

function pacerOf({ host, intervalMs }: PublicServer): Pacer {
  const pacer = publicPacers.get(host) ?? new Pacer(SYSTEM_TIME, intervalMs);
  publicPacers.set(host, pacer);
  return pacer;
}

const ignore = (): void => undefined;

/** The geocoder connects and loads data only for its first address, and never keeps the process alive. */
export function createGeocoder(settings: GeocoderSettings, parts: GeocoderParts): Geocoder {
  const { geocoder: names, providers: configs, timeoutMs, userAgent, processes = 1 } = settings;
  const { offline, clock = Date.now, time = SYSTEM_TIME, onCall = ignore } = parts;
  const cachedOptions = {
    cache: parts.cache ?? new MemoryGeocodeCache(),
    quota: parts.quota ?? new MemoryGeocodeQuota(),
    quotaLimits: { token: settings.tokenQuota, map: settings.mapQuota },
    time,
    clock,
    onCall,
    onCacheFailure: parts.onCacheFailure ?? ignore,
  };
  const limits = {
    concurrency: Math.max(1, Math.floor(settings.concurrency / processes)),
    queueLength: Math.ceil(settings.queueLength / processes),
  };
  /** One request at a time, and as many queued as the timeout can serve. */
  const publicLimits = ({ intervalMs }: PublicServer) => ({
    concurrency: 1,
    queueLength: Math.floor(timeoutMs / intervalMs),
  });
  const publicServerOf = (descriptor: RemoteProvider) =>
    selectedPublicServer(descriptor, names, configs[descriptor.name].url);
  const open = (descriptor: RemoteProvider): CachedProvider => {
    const publicServer = publicServerOf(descriptor);
    const provider = {
      ...openProvider(descriptor, { ...configs[descriptor.name], userAgent }),
      ...(publicServer !== null && { hasSuggestions: false }),
    };
    const guarded = createGuardedProvider(provider, {
      get: parts.get ?? httpGet,
      time,
      userAgent,
      pacer: publicServer === null ? null : pacerOf(publicServer),
      fairMs: Math.min(1000, timeoutMs / 10),
      limits: publicServer === null ? limits : publicLimits(publicServer),
      breaker: parts.breaker,
      random: parts.random,
    });
    return new CachedProvider(guarded, cachedOptions);
  };

  const chain = new FallbackChain({
    names,
    configs,
    providers: new Map(
      PROVIDERS.filter((descriptor) => hasServer(descriptor, configs[descriptor.name])).map((descriptor) => [
        descriptor.name,
        open(descriptor),
      ]),
    ),
    offline,
    timeoutMs,
    time,
    onCall,
  });
  const publicProvider = PROVIDERS.find((descriptor) => publicServerOf(descriptor) !== null);
  const slowest = publicProvider === undefined ? null : publicServerOf(publicProvider);
  const concurrency =
    slowest === null ? limits.concurrency : Math.max(1, Math.floor(publicLimits(slowest).queueLength / 2));
  return {
    geocode: (query) => chain.geocode(query),
    candidates: (query) => chain.candidates(query),
    reverse: (query) => chain.reverse(query),
    suggest: (query) => chain.suggest(query),
    refusesBulk: publicProvider === undefined ? null : bulkRefusal(publicProvider),
    attributions: new Map([...attributionsOf(configs), ...(offline.attributions ?? [])]),
    concurrency,
  };
}

function bulkRefusal({ title, urlSetting }: RemoteProvider): string {
  return `The operators of the public ${title} server do not allow geocoding many addresses again; set ${urlSetting} to your own server.`;
}
