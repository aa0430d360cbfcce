/**
 * Failures of a provider as errors for clients: which provider, what the failure means, what to do. A provider's own
 * text is never in a message, since it may hold a key. It goes, without the key, into the cause, for the log.
 */

import { ServiceError } from '../../errors.ts';

/** Seconds that a client is told to wait when the provider does not say: most quotas are counted by the minute. */
const RATE_LIMIT_SECONDS = 60;
const UNAVAILABLE_SECONDS = 5;
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** Whose key the provider was asked with; null for a provider without keys. */
export type KeySource = 'map' | 'deployment' | null;

export interface ProviderLabel {
  /** The name in sentences, e.g. `Google`. */
  readonly title: string;
  /** The setting that holds the deployment's key, e.g. `GOOGLE_API_KEY`; null when there are no keys. */
  readonly keySetting: string | null;
  /** The setting that holds the base address, e.g. `GOOGLE_GEOCODING_URL`. */
  readonly urlSetting: string;
  /** The setting with an email address for the server's operators, e.g. `NOMINATIM_EMAIL`; null when there is none. */
  readonly contactSetting: string | null;
}

export function addressNotFound(title: string): ServiceError {
  return new ServiceError(
    'ADDRESS_NOT_FOUND',
    `${title} does not know this address; check its spelling, or give town and country too.`,
  );
}

/** @param why what the provider answered, e.g. `REQUEST_DENIED` or `status 403` */
export function refused(
  provider: ProviderLabel,
  keySource: KeySource,
  why: string,
  cause?: unknown,
): ServiceError {
  const { title, keySetting, urlSetting, contactSetting } = provider;
  const advice = {
    map: "check the map's geocodingApiKey, and what it is allowed to do",
    deployment: `check the key in ${keySetting}, and what it is allowed to do`,
    none: `check who may use it, and the settings ${[urlSetting, contactSetting].filter((name) => name !== null).join(' and ')}`,
  }[keySource ?? 'none'];
  return new ServiceError('GEOCODER_REFUSED', `${title} refused the request (${why}): ${advice}.`, { cause });
}

export function keyMissing(providers: readonly ProviderLabel[]): ServiceError {
  const titles = providers.map(({ title }) => title).join(' and ');
  const settings = providers.map(({ keySetting }) => keySetting).join(' or ');
  return new ServiceError(
    'GEOCODER_REFUSED',
    `${titles} cannot be asked without a key: set the map's geocodingApiKey, or ${settings} for the whole deployment.`,
  );
}

export function rateLimited(title: string, why: string, retryAfterSeconds?: number): ServiceError {
  const seconds = toWholeSeconds(retryAfterSeconds ?? RATE_LIMIT_SECONDS);
  return new ServiceError(
    'RATE_LIMITED',
    `${title} takes no more requests for now (${why}); try again in ${inWords(seconds)}.`,
    { retryAfterSeconds: seconds },
  );
}

/** @param why a clause, e.g. `it did not answer in time` */
export function unavailable(
  title: string,
  why: string,
  options: { readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
): ServiceError {
  return new ServiceError('GEOCODER_UNAVAILABLE', `${title} cannot be asked at present: ${why}.`, {
    retryAfterSeconds: toWholeSeconds(options.retryAfterSeconds ?? UNAVAILABLE_SECONDS),
    cause: options.cause,
  });
}

export function addressRefused(title: string, why: string): ServiceError {
  return new ServiceError('BAD_USER_INPUT', `${title} does not take this address: ${why}.`);
}

export function toWholeSeconds(seconds: number): number {
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(seconds)));
}

function inWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** A text that a provider wrote, shortened, and without the key in any spelling that a URL can give it. */
export function withoutKey(text: string, key: string | null): string {
  const spellings =
    key === null ? [] : [key, encodeURIComponent(key), new URLSearchParams({ k: key }).toString().slice(2)];
  const escape = (spelling: string) => spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  let clean = text;
  for (const spelling of spellings) clean = clean.replace(new RegExp(escape(spelling), 'gi'), '[key]');
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}
