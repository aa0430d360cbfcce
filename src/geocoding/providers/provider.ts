/**
 * The port of remote providers. A descriptor is all that the program knows about one: names, settings, terms, and two
 * pure functions that build a request and read the response.
 */

import type { ServiceError } from '../../errors.ts';
import type { BreakerOutcome } from '../resilience/breaker.ts';
import type { KeySource, ProviderLabel } from '../resilience/failures.ts';
import { addressRefused, rateLimited, refused, unavailable } from '../resilience/failures.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { GeocodingCandidate } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { HttpResponse, HttpRequest } from './http.ts';

/** What a provider's terms of service allow us to cache. */
export interface Terms {
  /** Who may share a cached result: one map, all users of one key, or everybody. */
  readonly scope: 'map' | 'key' | 'everybody';
  /** Milliseconds that coordinates may be cached; null for no limit. */
  readonly maxAgeMs: number | null;
  /** Whether the provider's spelling of the address may be kept too. */
  readonly keepsText: boolean;
}

/** A public server with a strict rate limit. */
export interface PublicServer {
  readonly host: string;
  /** Minimum milliseconds between two requests of the process. */
  readonly intervalMs: number;
  /** The limit in words; completes "its operators allow …". */
  readonly rule: string;
}

/** The server, and how the program identifies itself to it. */
export interface ProviderServer {
  /** Origin and path prefix. */
  readonly baseUrl: string;
  /** Email address for the server's operators; null for none. */
  readonly contact: string | null;
  /** Name and version of the program, e.g. `map-locations/1.2.3`. */
  readonly userAgent: string;
}

export interface ProviderDescriptor extends ProviderLabel {
  /** As in `GEOCODER`, metrics and stored results. */
  readonly name: string;
  readonly defaultUrl: string;
  readonly publicServer: PublicServer | null;
  readonly terms: Terms;
  readonly request: (lookup: Lookup, server: ProviderServer) => HttpRequest;
  readonly read: (response: HttpResponse, lookup: Lookup) => Reading;
}

/** A provider bound to a server. */
export interface Provider extends Omit<ProviderDescriptor, 'request'> {
  /** Origin and path prefix; part of the cache key. */
  readonly baseUrl: string;
  readonly request: (lookup: Lookup) => HttpRequest;
}

/** Without a `url`, the provider's default server is used. */
export function openProvider(
  descriptor: ProviderDescriptor,
  { url = null, contact = null, userAgent }: Partial<ProviderConfig> & Pick<ProviderServer, 'userAgent'>,
): Provider {
  const baseUrl = url ?? descriptor.defaultUrl;
  const server = { baseUrl, contact, userAgent };
  return { ...descriptor, baseUrl, request: (lookup) => descriptor.request(lookup, server) };
}

/** The values of a provider's settings; null if not set. */
export interface ProviderConfig {
  /** The deployment's key. */
  readonly key: string | null;
  readonly url: string | null;
  readonly contact: string | null;
}

/** The limits of the public server if `url` is that server; otherwise null. */
export function publicServerAt(
  { publicServer, defaultUrl }: Pick<ProviderDescriptor, 'publicServer' | 'defaultUrl'>,
  url: string | null,
): PublicServer | null {
  const host = new URL(url ?? defaultUrl).hostname.toLowerCase().replace(/\.$/, '');
  return publicServer?.host === host ? publicServer : null;
}

export interface Lookup {
  readonly address: string;
  readonly key: string | null;
  readonly keySource: KeySource;
  /** Maximum number of candidates; 1 by default. */
  readonly limit?: number;
  readonly trace?: TraceContext | undefined;
}

export interface Failed {
  readonly kind: 'failed';
  readonly error: ServiceError;
  /** True if a retry may succeed. */
  readonly isTransient: boolean;
  readonly outcome: BreakerOutcome;
  /** Seconds that the provider asks us to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Likeliest first; at least one. */
export type Candidates = readonly [GeocodingCandidate, ...GeocodingCandidate[]];

export type Reading = { readonly kind: 'found'; readonly candidates: Candidates } | Failed;

/** @param base origin and path prefix, with or without a trailing slash */
export function endpoint(base: string, path: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

/** Google's limit (https://developers.google.com/maps/url-encoding); most servers accept about as much. */
const MAX_URL_LENGTH = 16_384;

/** @throws ServiceError BAD_USER_INPUT if the address makes the URL too long */
export function assertShortEnough(provider: Provider, lookup: Lookup): void {
  if (provider.request(lookup).url.href.length > MAX_URL_LENGTH) {
    throw addressRefused(provider.title, 'it is too long');
  }
}

/** Details of a failure for the log, which clients do not see. */
export function causeOf(provider: ProviderLabel, detail: string): Error {
  return new Error(`${provider.title}: ${detail}`);
}

export function failed(error: ServiceError, options: Partial<Omit<Failed, 'kind' | 'error'>> = {}): Failed {
  return { kind: 'failed', error, isTransient: false, outcome: 'success', ...options };
}

/** A response that the provider's documentation does not describe. Not retried: the next one would be the same. */
export function undocumented(provider: ProviderLabel, what: string): Failed {
  return failed(
    unavailable(provider.title, `its response is invalid (${what})`, { cause: causeOf(provider, what) }),
  );
}

/**
 * The first result must have the documented form. Invalid ones after it are skipped.
 *
 * @param read returns the candidate, or what is wrong with the result
 */
export function readCandidates(
  provider: ProviderLabel,
  results: readonly unknown[],
  read: (result: unknown) => GeocodingCandidate | string,
): Reading {
  const best = read(results[0]);
  if (typeof best === 'string') return undocumented(provider, best);
  const others = results.slice(1, MAX_CANDIDATES).map(read);
  return {
    kind: 'found',
    candidates: [best, ...others.filter((other) => typeof other !== 'string')],
  };
}

/** The failure that the HTTP status means; null if the body should be read. */
export function readStatus(provider: ProviderLabel, response: HttpResponse, lookup: Lookup): Failed | null {
  const { status, retryAfterSeconds } = response;
  const { title, urlSetting } = provider;
  const cause = causeOf(provider, `status ${status}`);
  if (status >= 500 || status === 408) {
    const error = unavailable(title, `it returned status ${status}`, { retryAfterSeconds, cause });
    return failed(error, {
      isTransient: true,
      outcome: status >= 500 ? 'fault' : 'success',
      retryAfterSeconds,
    });
  }
  if (status === 429) {
    const error = rateLimited(title, 'status 429', retryAfterSeconds);
    return failed(error, { isTransient: true, retryAfterSeconds });
  }
  if (status === 401 || status === 403) {
    return failed(refused(provider, lookup.keySource, `status ${status}`, cause));
  }
  if (status === 400 || status === 422) {
    return failed(addressRefused(title, `it returned status ${status}`));
  }
  if (status === 414 || status === 431) return failed(addressRefused(title, 'it is too long'));
  if (status >= 300 && status < 400) {
    const why = `it returned a redirect (status ${status}), which is not followed; check ${urlSetting}`;
    return failed(unavailable(title, why, { cause }));
  }
  if (status !== 200) {
    return failed(unavailable(title, `it returned status ${status}; check ${urlSetting}`, { cause }));
  }
  return response.isTooLarge ? undocumented(provider, 'over 1 MiB') : null;
}

/** A provider's point: validated, never rounded. */
export interface Point {
  /** Degrees, -90 to 90, WGS 84. */
  readonly latitude: number;
  /** Degrees, -180 to 180, WGS 84. */
  readonly longitude: number;
}

/** Replaces -0 with 0, since they differ as text. Null if the point is not on Earth. */
export function toPoint(latitude: number, longitude: number): Point | null {
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude: latitude + 0, longitude: longitude + 0 } : null;
}

const DECIMAL = /^-?[0-9]{1,3}(\.[0-9]{1,30})?$/;

/** Parses decimal degrees, e.g. `-0.1276474`; NaN for anything else. */
export function parseDegrees(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
