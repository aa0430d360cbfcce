/**
 * The port of remote providers. A descriptor is all that the program knows about one: names, settings, terms, and two
 * pure functions that build a request and read the response. What holds for all providers is in refine.ts.
 */

import type { Attribution } from '../../domain/attribution.ts';
import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { ServiceError } from '../../errors.ts';
import type { BreakerOutcome } from '../resilience/breaker.ts';
import type { KeySource, ProviderLabel } from '../resilience/failures.ts';
import {
  addressNotFound,
  addressRefused,
  rateLimited,
  refused,
  unavailable,
} from '../resilience/failures.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { Point } from '../../domain/filter/distance.ts';
import type { GeocodingArea } from '../../domain/geocoding-area.ts';
import type { AddressParts, GeocodingCandidate } from '../geocoder.ts';
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

/** A provider as readers know it. */
export type ProviderLabelled = ProviderLabel & Pick<ProviderDescriptor, 'name'>;

/** A public server with a strict rate limit, whose operators forbid suggestions and bulk geocoding. */
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
  /** As in `GEOCODER`, metrics and, unless there is a `nameSetting`, stored results. */
  readonly name: string;
  /** The setting of the name in stored results, for a format that many services use; null for none. */
  readonly nameSetting: string | null;
  /** The setting that replaces {@link attributions}, for the same reason; null for none. */
  readonly attributionSetting: string | null;
  /** Null if the operator must name a server. */
  readonly defaultUrl: string | null;
  readonly publicServer: PublicServer | null;
  readonly terms: Terms;
  /** What its terms require to be shown with its points. */
  readonly attributions: readonly Attribution[];
  /** Whether it can suggest addresses while one is typed. */
  readonly hasSuggestions: boolean;
  readonly request: (lookup: Lookup, server: ProviderServer) => HttpRequest;
  readonly read: (response: HttpResponse, lookup: Lookup) => Reading;
}

/** A provider bound to a server. */
export interface Provider extends Omit<ProviderDescriptor, 'request' | 'defaultUrl'> {
  /** Origin and path prefix; part of the cache key. */
  readonly baseUrl: string;
  /** The name in stored results. */
  readonly shownName: string;
  readonly request: (lookup: Lookup) => HttpRequest;
}

/** The values of a provider's settings; null if not set. */
export interface ProviderConfig {
  /** The deployment's key. */
  readonly key: string | null;
  readonly url: string | null;
  readonly contact: string | null;
  readonly shownName: string | null;
  /** In place of the provider's own. */
  readonly attribution: Attribution | null;
}

export const OPENSTREETMAP: Attribution = {
  text: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
};

/** The limits of the public server if `url` is that server; otherwise null. */
export function publicServerAt(
  { publicServer, defaultUrl }: Pick<ProviderDescriptor, 'publicServer' | 'defaultUrl'>,
  url: string | null,
): PublicServer | null {
  const address = url ?? defaultUrl;
  if (address === null) return null;
  const host = new URL(address).hostname.toLowerCase().replace(/\.$/, '');
  return publicServer?.host === host ? publicServer : null;
}

export type Question =
  | { readonly kind: 'forward'; readonly address: string }
  | { readonly kind: 'reverse'; readonly point: Point }
  /** Only for providers with suggestions. */
  | { readonly kind: 'suggest'; readonly text: string; readonly near: Point | null };

export interface LookupContext {
  readonly key: string | null;
  readonly keySource: KeySource;
  /** Null for the whole world. */
  readonly area: GeocodingArea | null;
  readonly trace?: TraceContext | undefined;
}

export type Lookup = Question & LookupContext;

/** The point to prefer results near: that of the query, else the centre of the bounds. */
export function preferredPoint(lookup: Lookup): Point | null {
  if (lookup.kind === 'suggest' && lookup.near !== null) return lookup.near;
  const bounds = lookup.area?.bounds ?? null;
  if (bounds === null) return null;
  const { south, west, north, east } = bounds;
  const middle = (west + (west > east ? east + 360 : east)) / 2;
  return { latitude: (south + north) / 2, longitude: middle > 180 ? middle - 360 : middle };
}

/** The parameters `lat` and `lon`; null leaves them out. */
export function latLon(point: Point | null) {
  return {
    lat: point === null ? null : toPlainDecimal(point.latitude),
    lon: point === null ? null : toPlainDecimal(point.longitude),
  };
}

/** `48.5,-2.25` */
export function pointText({ latitude, longitude }: Point): string {
  return `${toPlainDecimal(latitude)},${toPlainDecimal(longitude)}`;
}

/** The text of a forward query or of suggestions. */
export function textOf(lookup: Exclude<Question, { readonly kind: 'reverse' }>): string {
  return lookup.kind === 'forward' ? lookup.address : lookup.text;
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

/** A candidate, with the parts of its address as far as the provider names them. */
export interface ProviderResult extends GeocodingCandidate {
  readonly parts: AddressParts;
}

/** Likeliest first; at least one. */
export type Candidates = readonly [ProviderResult, ...ProviderResult[]];

export type Reading = { readonly kind: 'found'; readonly candidates: Candidates } | Failed;

/**
 * @param base origin and path prefix, with or without a trailing slash
 * @param parameters null and undefined leave one out; an array repeats it
 */
export function endpoint(
  base: string,
  path: string,
  parameters: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const text of typeof value === 'string' ? [value] : (value ?? [])) search.append(name, text);
  }
  url.search = search.toString();
  return url;
}

/** The language without script and region, for providers that know only those: `pt` for `pt-BR`. */
export function baseLanguage(area: GeocodingArea | null): string | null {
  return area?.language?.split('-', 1)[0] ?? null;
}

/** Lower-case codes, separated by commas; null for all countries. */
export function countryList(area: GeocodingArea | null): string | null {
  return area === null || area.countries.length === 0 ? null : area.countries.join(',').toLowerCase();
}

/** `west,south,east,north`; null without bounds, and for bounds across the antimeridian, which no provider takes. */
export function boundsText(area: GeocodingArea | null): string | null {
  const bounds = area?.bounds ?? null;
  if (bounds === null || bounds.west > bounds.east) return null;
  return [bounds.west, bounds.south, bounds.east, bounds.north].map(toPlainDecimal).join(',');
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
 * No results mean that the address was not found. The first result must have the documented form. Invalid ones after it
 * are skipped.
 *
 * @param read returns the candidate, or what is wrong with the result
 */
export function readCandidates(
  provider: ProviderLabel,
  results: readonly unknown[],
  read: (result: unknown) => ProviderResult | string,
): Reading {
  if (results.length === 0) return failed(addressNotFound(provider.title));
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
  // Addok responds with 413 to more than 200 characters.
  if (status === 413 || status === 414 || status === 431)
    return failed(addressRefused(title, 'it is too long'));
  if (status >= 300 && status < 400) {
    const why = `it returned a redirect (status ${status}), which is not followed; check ${urlSetting}`;
    return failed(unavailable(title, why, { cause }));
  }
  if (status !== 200) {
    return failed(unavailable(title, `it returned status ${status}; check ${urlSetting}`, { cause }));
  }
  return response.isTooLarge ? undocumented(provider, 'over 1 MiB') : null;
}

export const NO_PARTS: AddressParts = {
  houseNumber: null,
  street: null,
  postcode: null,
  city: null,
  state: null,
  country: null,
  countryCode: null,
};

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
