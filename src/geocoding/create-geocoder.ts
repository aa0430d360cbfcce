/** The geocoder of a deployment, from its settings. */

import type { GeocoderName } from '../domain/geocoder-name.ts';
import type { BreakerOptions } from './resilience/breaker.ts';
import type { GeocodeCache } from './cache/cache.ts';
import { MemoryGeocodeCache } from './cache/cache.ts';
import { createChain } from './resilience/fallback-chain.ts';
import type { OnCall } from './events.ts';
import type { Geocoder } from './geocoder.ts';
import { createGoogle } from './providers/google.ts';
import type { HttpGet } from './providers/http.ts';
import { httpGet } from './providers/http.ts';
import { createMapbox } from './providers/mapbox.ts';
import { createNominatim } from './providers/nominatim.ts';
import { Pacer } from './resilience/pacer.ts';
import type { Provider, RemoteName } from './providers/provider.ts';
import { isPublicNominatim } from './providers/public-nominatim.ts';
import type { GeocodeQuota } from './resilience/quota.ts';
import { MemoryGeocodeQuota } from './resilience/quota.ts';
import { createGuardedProvider } from './resilience/guarded-provider.ts';
import type { Source } from './cache/cached-provider.ts';
import { createSource } from './cache/cached-provider.ts';
import type { Time } from './resilience/time.ts';
import { SYSTEM_TIME } from './resilience/time.ts';

export interface GeocoderSettings {
  /** `GEOCODER`, in order; at least one. */
  readonly geocoder: readonly GeocoderName[];
  /** The deployment's keys, null for none. */
  readonly googleApiKey: string | null;
  readonly mapboxAccessToken: string | null;
  /** Origin and path prefix; null for the provider's own. */
  readonly googleUrl: string | null;
  readonly nominatimUrl: string | null;
  readonly mapboxUrl: string | null;
  /** An address that OpenStreetMap's operators can write to; required for the public server. */
  readonly nominatimEmail: string | null;
  /** Milliseconds for one address, all remote providers, attempts, pauses and queues together. */
  readonly timeoutMs: number;
  /** Requests under way at once for each provider and key. */
  readonly concurrency: number;
  /** Addresses that may wait in the queue, for each provider and key. */
  readonly queueLength: number;
  /** The program and its version, e.g. `map-locations/1.2.3`. */
  readonly userAgent: string;
  /** Calls to remote providers a day (UTC) for each token and each map; 0 is without limit. */
  readonly tokenQuota: number;
  readonly mapQuota: number;
  /** Processes that geocode at the same time and share the limits; by default this one alone. */
  readonly processes?: number;
}

export interface GeocoderParts {
  readonly offline: Geocoder;
  /** By default in memory, and so lost at the end of the process. */
  readonly cache?: GeocodeCache;
  readonly quota?: GeocodeQuota;
  /**
   * Called once for each call to a provider and each answer from the cache; not for a caller that joined another's
   * call.
   */
  readonly onCall?: OnCall;
  /** Called when the cache fails, for the log. The answer is given all the same. */
  readonly onCacheFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** For tests. */
  readonly time?: Time;
  readonly breaker?: BreakerOptions;
  readonly random?: () => number;
  readonly get?: HttpGet;
}

/** Of the public Nominatim. It holds for the whole process, however many geocoders are made. */
const PUBLIC_NOMINATIM_INTERVAL_MS = 1000;
const publicNominatimPacer = new Pacer(SYSTEM_TIME, PUBLIC_NOMINATIM_INTERVAL_MS);

const ignore = (): void => undefined;

/**
 * Makes the geocoder. It connects, loads and starts timers only at the first address, and never keeps the process
 * alive.
 */
export function createGeocoder(settings: GeocoderSettings, parts: GeocoderParts): Geocoder {
  const { geocoder: names, timeoutMs, userAgent, nominatimEmail: email, processes = 1 } = settings;
  const { offline, clock = Date.now, time = SYSTEM_TIME } = parts;
  const onCall = parts.onCall ?? ignore;
  const sourceOptions = {
    cache: parts.cache ?? new MemoryGeocodeCache(),
    quota: parts.quota ?? new MemoryGeocodeQuota(),
    quotaLimits: { token: settings.tokenQuota, map: settings.mapQuota },
    time,
    clock,
    onCall,
    onCacheFailure: parts.onCacheFailure ?? ignore,
  };

  const providers = {
    google: createGoogle({ url: settings.googleUrl }),
    nominatim: createNominatim({ url: settings.nominatimUrl, email, userAgent }),
    mapbox: createMapbox({ url: settings.mapboxUrl }),
  } satisfies Record<RemoteName, Provider>;
  const isPublic = names.includes('nominatim') && isPublicNominatim(providers.nominatim.baseUrl);
  // "A single thread": https://operations.osmfoundation.org/policies/nominatim/. The queue is no longer than what can
  // be served within the deadline.
  const publicLimits = { concurrency: 1, queueLength: Math.floor(timeoutMs / PUBLIC_NOMINATIM_INTERVAL_MS) };
  const limits = {
    concurrency: Math.max(1, Math.floor(settings.concurrency / processes)),
    queueLength: Math.ceil(settings.queueLength / processes),
  };
  const open = (provider: Provider): Source => {
    const isPaced = isPublic && provider.name === 'nominatim';
    const remote = createGuardedProvider(provider, {
      get: parts.get ?? httpGet,
      time,
      userAgent,
      pacer: isPaced ? publicNominatimPacer : null,
      fairMs: Math.min(1000, timeoutMs / 10),
      limits: isPaced ? publicLimits : limits,
      breaker: parts.breaker,
      random: parts.random,
    });
    return createSource(remote, sourceOptions);
  };

  const chain = createChain({
    names,
    keys: { google: settings.googleApiKey, mapbox: settings.mapboxAccessToken },
    labels: providers,
    sources: {
      google: open(providers.google),
      nominatim: open(providers.nominatim),
      mapbox: open(providers.mapbox),
    },
    offline,
    timeoutMs,
    time,
    onCall,
  });
  return {
    ...chain,
    concurrency: isPublic ? Math.max(1, Math.floor(publicLimits.queueLength / 2)) : limits.concurrency,
  };
}
