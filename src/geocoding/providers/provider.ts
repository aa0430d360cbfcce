/** The adapter of a remote provider: how to make a request, and how to read the answer. Both are pure. */

import type { ServiceError } from '../../errors.ts';
import type { BreakerOutcome } from '../resilience/breaker.ts';
import type { KeySource, ProviderLabel } from '../resilience/failures.ts';
import { addressRefused, rateLimited, refused, unavailable } from '../resilience/failures.ts';
import type { GeocodingCandidate, TraceContext } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { HttpResponse, HttpRequest } from './http.ts';

export type RemoteName = 'google' | 'nominatim' | 'mapbox';

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
  /** What the answer means for the circuit breaker. */
  readonly outcome: BreakerOutcome;
  /** Seconds before which the provider does not want to be asked again. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The likeliest first; at least one. */
export type Candidates = readonly [GeocodingCandidate, ...GeocodingCandidate[]];

export type Reading = { readonly kind: 'found'; readonly candidates: Candidates } | Failed;

export interface Provider extends ProviderLabel {
  readonly name: RemoteName;
  /** Origin and path prefix; part of the key under which answers are cached. */
  readonly baseUrl: string;
  request(lookup: Lookup): HttpRequest;
  read(response: HttpResponse, lookup: Lookup): Reading;
}

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

/** For the log: the details of a failure that a client is not told. */
export function causeOf(provider: ProviderLabel, detail: string): Error {
  return new Error(`${provider.title}: ${detail}`);
}

export function failed(error: ServiceError, options: Partial<Omit<Failed, 'kind' | 'error'>> = {}): Failed {
  return { kind: 'failed', error, isTransient: false, outcome: 'success', ...options };
}

/** An answer that the provider's documentation does not describe. It is not retried: the next would be the same. */
export function undocumented(provider: ProviderLabel, what: string): Failed {
  return failed(
    unavailable(provider.title, `its answer is not understood (${what})`, { cause: causeOf(provider, what) }),
  );
}

/**
 * The best place has to be of the documented shape. Others that are not are left out.
 *
 * @param read what one of the places says, or what is wrong with it
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

/** The failure that the status tells of; null when the body is to be read. */
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
