/**
 * Provider failures as errors for clients: which provider, what happened, what to do. Messages never quote the provider,
 * because its text may contain a key; the cause, for the log, quotes it without the key.
 */

import { ServiceError } from '../../errors.ts';

/** Retry-After if the provider does not say: most quotas are per minute. */
const RATE_LIMIT_SECONDS = 60;
const UNAVAILABLE_SECONDS = 5;
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** Whose key was used; null for a provider without keys. */
export type KeySource = 'map' | 'deployment' | null;

export interface ProviderLabel {
  /** The name in sentences, e.g. `Google`. */
  readonly title: string;
  /** The setting of the deployment's key, e.g. `GOOGLE_API_KEY`; null for a provider without keys. */
  readonly keySetting: string | null;
  /** The setting of the base URL, e.g. `GOOGLE_GEOCODING_URL`. */
  readonly urlSetting: string;
  /** The setting of the contact email address for the server's operators, e.g. `NOMINATIM_EMAIL`; null for none. */
  readonly contactSetting: string | null;
}

export function addressNotFound(title: string): ServiceError {
  return new ServiceError(
    'ADDRESS_NOT_FOUND',
    `${title} does not know this address; check its spelling, or add its town and country.`,
  );
}

/** @param why the provider's response, e.g. `REQUEST_DENIED` or `status 403` */
export function refused(
  provider: ProviderLabel,
  keySource: KeySource,
  why: string,
  cause?: unknown,
): ServiceError {
  const { title, keySetting, urlSetting, contactSetting } = provider;
  const advice = {
    map: "check the map's geocodingApiKey and its permissions",
    deployment: `check the key in ${keySetting} and its permissions`,
    none: `check its usage policy, and ${[urlSetting, contactSetting].filter((name) => name !== null).join(' and ')}`,
  }[keySource ?? 'none'];
  return new ServiceError('GEOCODER_REFUSED', `${title} refused the request (${why}): ${advice}.`, { cause });
}

export function keyMissing(providers: readonly ProviderLabel[]): ServiceError {
  const titles = providers.map(({ title }) => title).join(' and ');
  const settings = providers.map(({ keySetting }) => keySetting).join(' or ');
  return new ServiceError(
    'GEOCODER_REFUSED',
    `${titles} cannot be used without a key: set the map's geocodingApiKey, or ${settings} for the whole deployment.`,
  );
}

export function rateLimited(title: string, why: string, retryAfterSeconds?: number): ServiceError {
  const seconds = toWholeSeconds(retryAfterSeconds ?? RATE_LIMIT_SECONDS);
  return new ServiceError(
    'RATE_LIMITED',
    `${title} accepts no more requests for now (${why}); try again in ${inWords(seconds)}.`,
    { retryAfterSeconds: seconds, details: { provider: title, retryAfter: seconds } },
  );
}

/** @param why a clause, e.g. `it did not respond in time` */
export function unavailable(
  title: string,
  why: string,
  options: { readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
): ServiceError {
  return new ServiceError('GEOCODER_UNAVAILABLE', `${title} is unavailable: ${why}.`, {
    retryAfterSeconds: toWholeSeconds(options.retryAfterSeconds ?? UNAVAILABLE_SECONDS),
    cause: options.cause,
  });
}

export function addressRefused(title: string, why: string): ServiceError {
  return new ServiceError('BAD_USER_INPUT', `${title} rejects this address: ${why}.`);
}

export function toWholeSeconds(seconds: number): number {
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(seconds)));
}

function inWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** A provider's text, shortened, with the key removed in every URL encoding. */
export function withoutKey(text: string, key: string | null): string {
  const spellings =
    key === null ? [] : [key, encodeURIComponent(key), new URLSearchParams({ k: key }).toString().slice(2)];
  const escape = (spelling: string) => spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  let clean = text;
  for (const spelling of spellings) clean = clean.replace(new RegExp(escape(spelling), 'gi'), '[key]');
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}
