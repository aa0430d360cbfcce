/**
 * The port of remote providers. A descriptor is all that the program knows about one: names, settings, terms, and two
 * pure functions that build a request and read the response. What holds for all providers is in refine.ts.
 */

import type { Attribution } from '../../domain/attribution.ts';
import type { Point } from '../../domain/filter/distance.ts';
import type { GeocodingArea } from '../../domain/geocoding-area.ts';
import type { ServiceError } from '../../errors.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { AddressParts, GeocodingCandidate } from '../geocoder.ts';
import type { BreakerOutcome } from '../resilience/breaker.ts';
import type { KeySource, ProviderLabel } from '../resilience/failures.ts';
import type { HttpRequest, HttpResponse } from './http.ts';

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
