/** Maps failures of the upstream to ServiceErrors. */

import type { ErrorCode } from '../errors.ts';
import { badUserInput, ERRORS, ServiceError } from '../errors.ts';
import { V0_ERROR_CODES } from '../rest/status.ts';
import type { UpstreamFailure } from './shape.ts';

/** What was requested: a 404 is about it. */
export type Requested = 'map' | 'location';

/** Longest upstream message that is passed on, in characters. */
const MAX_MESSAGE = 1_000;

/** Codes for /v0 error numbers that several codes share. */
const SHARED: Readonly<Record<number, ErrorCode>> = { 503: 'STORAGE_UNAVAILABLE' };

/**
 * An Error body of /v0. The error keeps the upstream's status and number.
 *
 * @param token of the caller; removed from the message if it repeats it
 */
export function failureByBody(
  status: number,
  { error, message }: UpstreamFailure,
  requested: Requested,
  token: string,
  retryAfterSeconds: number | undefined,
): ServiceError {
  const code = codeOfNumber(error, requested) ?? codeOfStatus(status);
  const text = message.replaceAll(token, '…').slice(0, MAX_MESSAGE);
  return new ServiceError(code, text === '' ? 'The upstream refused the request.' : text, {
    retryAfterSeconds,
    v0: { status, error },
  });
}

/** A failure without an Error body, such as a proxy's page. Null if the status says too little. */
export function failureByStatus(status: number, retryAfterSeconds: number | undefined): ServiceError | null {
  const text = TEXTS.get(status);
  return text === undefined ? null : new ServiceError(codeOfStatus(status), text, { retryAfterSeconds });
}

const TEXTS: ReadonlyMap<number, string> = new Map([
  [401, 'The upstream does not accept the token.'],
  [403, 'The upstream does not allow this with the token.'],
  [413, 'The request is too large for the upstream.'],
  [429, 'The upstream accepts no more requests for now; try again later.'],
]);

const DEFAULT_RETRY_SECONDS = 1;

/** @param why for the log: without the token, the URL and any value of the response */
export function unusable(why: string, retryAfterSeconds = DEFAULT_RETRY_SECONDS): ServiceError {
  return new ServiceError('STORAGE_UNAVAILABLE', 'The upstream gave no usable response.', {
    retryAfterSeconds,
    cause: new Error(why),
  });
}

/** @param why for the log */
export function unreachable(why: string): ServiceError {
  return new ServiceError('STORAGE_UNAVAILABLE', 'The upstream cannot be reached at the moment.', {
    retryAfterSeconds: DEFAULT_RETRY_SECONDS,
    cause: new Error(why),
  });
}

/** @param what a field, argument or method of GraphQL that /v0 does not have */
export function unsupportedByUpstream(what: string): ServiceError {
  return badUserInput(
    `The upstream does not have ${what}: it is not part of /v0, the API that this gateway calls.`,
  );
}

function codeOfNumber(error: number, requested: Requested): ErrorCode | null {
  if (error === 404) return requested === 'location' ? 'LOCATION_NOT_FOUND' : 'MAP_NOT_FOUND';
  const shared = SHARED[error];
  if (shared !== undefined) return shared;
  return V0_ERROR_CODES.find((code) => ERRORS[code].error === error) ?? null;
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 503) return 'STORAGE_UNAVAILABLE';
  const own = V0_ERROR_CODES.find((code) => ERRORS[code].status === status);
  if (own !== undefined) return own;
  if (status === 502 || status === 504) return 'STORAGE_UNAVAILABLE';
  return status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR';
}
