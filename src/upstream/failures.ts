/** The upstream's failures as ours. */

import type { ErrorCode } from '../errors.ts';
import { ERRORS, ServiceError } from '../errors.ts';
import type { UpstreamFailure } from './shape.ts';

/** What was asked for: of it the number 404 speaks. */
export type Asked = 'map' | 'location';

/** Characters of an upstream's message that are passed on. */
const MAX_MESSAGE = 1_000;

/** Codes by /v0's numbers. Several codes share a number; these are what a client should take them for. */
const SHARED: Readonly<Record<number, ErrorCode>> = { 503: 'STORAGE_UNAVAILABLE' };

/**
 * A failure in the shape of /v0. It keeps the upstream's status and number at /v0.
 *
 * @param token of the caller; should the message repeat it, it is taken out
 */
export function answered(
  status: number,
  { error, message }: UpstreamFailure,
  asked: Asked,
  token: string,
  retryAfterSeconds: number | undefined,
): ServiceError {
  const code = codeOfNumber(error, asked) ?? codeOfStatus(status);
  const text = message.replaceAll(token, '…').slice(0, MAX_MESSAGE);
  return new ServiceError(code, text === '' ? 'The upstream refused the request.' : text, {
    retryAfterSeconds,
    v0: { status, error },
  });
}

/** A failure of any other shape, such as a proxy's page: its status may say enough. Null where it does not. */
export function failureByStatus(status: number, retryAfterSeconds: number | undefined): ServiceError | null {
  const text = TEXTS.get(status);
  return text === undefined ? null : new ServiceError(codeOfStatus(status), text, { retryAfterSeconds });
}

const TEXTS: ReadonlyMap<number, string> = new Map([
  [401, 'The upstream does not accept the token.'],
  [403, 'The upstream does not allow this with the token.'],
  [413, 'The request is too large for the upstream.'],
  [429, 'The upstream takes no more requests for now; try again later.'],
]);

const DEFAULT_RETRY_SECONDS = 1;

/**
 * No usable answer.
 *
 * @param why for the log: without the token, the URL and any value of the answer
 */
export function unusable(why: string, retryAfterSeconds = DEFAULT_RETRY_SECONDS): ServiceError {
  return new ServiceError('STORAGE_UNAVAILABLE', 'The upstream gave no usable answer.', {
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

function codeOfNumber(error: number, asked: Asked): ErrorCode | null {
  if (error === 404) return asked === 'location' ? 'LOCATION_NOT_FOUND' : 'MAP_NOT_FOUND';
  const shared = SHARED[error];
  if (shared !== undefined) return shared;
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return codes.find((code) => ERRORS[code].error === error) ?? null;
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 503) return 'STORAGE_UNAVAILABLE';
  const own = (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code].status === status);
  if (own !== undefined) return own;
  if (status === 502 || status === 504) return 'STORAGE_UNAVAILABLE';
  return status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR';
}
