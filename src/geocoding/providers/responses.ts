/** What reading the responses of several providers has in common: failures, candidates and points. */

import type { Point } from '../../domain/filter/distance.ts';
import type { ServiceError } from '../../errors.ts';
import type { AddressParts } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import type { ProviderLabel } from '../resilience/failures.ts';
import {
  addressNotFound,
  addressRefused,
  rateLimited,
  refused,
  unavailable,
} from '../resilience/failures.ts';
import type { HttpResponse } from './http.ts';
import type { Failed, Lookup, ProviderResult, Reading } from './provider.ts';

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
