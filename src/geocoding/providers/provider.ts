/**
 * The port of remote providers. A descriptor holds all that the program knows of one: names, settings, terms, how to
 * make a request and how to read the response. Both functions are pure.
 */

import type { ServiceError } from '../../errors.ts';
import type { BreakerOutcome } from '../resilience/breaker.ts';
import type { KeySource, ProviderLabel } from '../resilience/failures.ts';
import { addressRefused, rateLimited, refused, unavailable } from '../resilience/failures.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { GeocodingCandidate } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { HttpResponse, HttpRequest } from './http.ts';

/** What a provider's terms allow us to keep. */
export interface Terms {
  /** Who may use a cached result: the map that asked, everybody with the same key, or everybody. */
  readonly scope: 'map' | 'key' | 'everybody';
  /** Milliseconds that coordinates may be kept; null is without limit. */
  readonly maxAgeMs: number | null;
  /** Whether the address as the provider writes it may be kept too. */
  readonly keepsText: boolean;
}

/** A public server whose operators allow few requests. */
export interface PublicServer {
  readonly host: string;
  /** Milliseconds between two requests of the whole process. */
  readonly intervalMs: number;
  /** The same in words, after "its operators allow". */
  readonly rule: string;
}

/** Where requests go, and who sends them. */
export interface ProviderServer {
  /** Origin and path prefix. */
  readonly baseUrl: string;
  /** Email address that the server's operators can write to; null for none. */
  readonly contact: string | null;
  /** The program and its version, e.g. `map-locations/1.2.3`. */
  readonly userAgent: string;
}

export interface ProviderDescriptor extends ProviderLabel {
  /** In `GEOCODER`, in metrics and in what is stored. */
  readonly name: string;
  readonly defaultUrl: string;
  readonly publicServer: PublicServer | null;
  readonly terms: Terms;
  readonly request: (lookup: Lookup, server: ProviderServer) => HttpRequest;
  readonly read: (response: HttpResponse, lookup: Lookup) => Reading;
}

/** A provider at a server. */
export interface Provider extends Omit<ProviderDescriptor, 'request'> {
  /** Origin and path prefix; part of the key under which results are cached. */
  readonly baseUrl: string;
  readonly request: (lookup: Lookup) => HttpRequest;
}

/** @param server the descriptor's own server where it has no `url` */
export function openProvider(
  descriptor: ProviderDescriptor,
  { url = null, contact = null, userAgent }: Partial<ProviderConfig> & Pick<ProviderServer, 'userAgent'>,
): Provider {
  const baseUrl = url ?? descriptor.defaultUrl;
  const server = { baseUrl, contact, userAgent };
  return { ...descriptor, baseUrl, request: (lookup) => descriptor.request(lookup, server) };
}

/** The values of a provider's settings; null for those that are not set. */
export interface ProviderConfig {
  /** The deployment's key. */
  readonly key: string | null;
  readonly url: string | null;
  readonly contact: string | null;
}

/** The rules of the public server, where that is the one at `url`; null for any other server. */
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
  /** How many places to ask for; by default 1. */
  readonly limit?: number;
  /** Of the request that asks. */
  readonly trace?: TraceContext | undefined;
}

export interface Failed {
  readonly kind: 'failed';
  readonly error: ServiceError;
  /** True when asking again soon may help. */
  readonly isTransient: boolean;
  /** What the response means for the circuit breaker. */
  readonly outcome: BreakerOutcome;
  /** Seconds before which the provider does not want to be asked again. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The likeliest first; at least one. */
export type Candidates = readonly [GeocodingCandidate, ...GeocodingCandidate[]];

export type Reading = { readonly kind: 'found'; readonly candidates: Candidates } | Failed;

/** @param base origin and path prefix, with or without a slash at the end */
export function endpoint(base: string, path: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

/**
 * UTF-16 units. Google's limit (https://developers.google.com/maps/url-encoding); most servers accept about as much.
 */
const MAX_URL_LENGTH = 16_384;

/** @throws ServiceError BAD_USER_INPUT when the address makes the request too long */
export function assertShortEnough(provider: Provider, lookup: Lookup): void {
  if (provider.request(lookup).url.href.length > MAX_URL_LENGTH) {
    throw addressRefused(provider.title, 'it is too long');
  }
}

/** For the log: details of a failure that clients do not see. */
export function causeOf(provider: ProviderLabel, detail: string): Error {
  return new Error(`${provider.title}: ${detail}`);
}

export function failed(error: ServiceError, options: Partial<Omit<Failed, 'kind' | 'error'>> = {}): Failed {
  return { kind: 'failed', error, isTransient: false, outcome: 'success', ...options };
}

/** A response that the provider's documentation does not describe. It is not retried: the next would be the same. */
export function undocumented(provider: ProviderLabel, what: string): Failed {
  return failed(
    unavailable(provider.title, `its answer is not understood (${what})`, { cause: causeOf(provider, what) }),
  );
}

/**
 * The first result must have the documented shape. Others that do not are left out.
 *
 * @param read a candidate, or what is wrong with the result
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

/** The failure that the status stands for; null when the body is to be read. */
export function readStatus(provider: ProviderLabel, response: HttpResponse, lookup: Lookup): Failed | null {
  const { status, retryAfterSeconds } = response;
  const { title, urlSetting } = provider;
  const cause = causeOf(provider, `status ${status}`);
  if (status >= 500 || status === 408) {
    const error = unavailable(title, `it answered with status ${status}`, { retryAfterSeconds, cause });
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
    return failed(addressRefused(title, `it answered with status ${status}`));
  }
  if (status === 414 || status === 431) return failed(addressRefused(title, 'it is too long'));
  if (status >= 300 && status < 400) {
    const why = `it answered with a redirect (status ${status}), which is not followed; check ${urlSetting}`;
    return failed(unavailable(title, why, { cause }));
  }
  if (status !== 200) {
    return failed(unavailable(title, `it answered with status ${status}; check ${urlSetting}`, { cause }));
  }
  return response.isTooLarge ? undocumented(provider, 'over 1 MiB') : null;
}

/** A point as a provider gives it: checked, never rounded. */
export interface Point {
  /** Degrees, -90 to 90, WGS 84. */
  readonly latitude: number;
  /** Degrees, -180 to 180, WGS 84. */
  readonly longitude: number;
}

/** The point, with 0 instead of -0 (they differ in JSON and in texts); null when it is not on Earth. */
export function toPoint(latitude: number, longitude: number): Point | null {
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude: latitude + 0, longitude: longitude + 0 } : null;
}

const DECIMAL = /^-?[0-9]{1,3}(\.[0-9]{1,30})?$/;

/** Reads degrees written as a text, e.g. `-0.1276474`; NaN for anything else. */
export function parseDegrees(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
