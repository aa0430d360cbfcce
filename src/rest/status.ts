/** The HTTP status of a /v0 error. */

import type { ErrorCode } from '../errors.ts';
import { ERRORS } from '../errors.ts';

/** Codes of what /v0 does not have: tokens, webhooks, members, suggestions, sessions and history. */
const NOT_IN_V0 = [
  'TOKEN_NOT_FOUND',
  'WEBHOOK_NOT_FOUND',
  'SUGGESTIONS_UNAVAILABLE',
  'CSRF',
  'SIGN_IN_FAILED',
  'SIGN_IN_LINK_NOT_FOUND',
  'NAME_TAKEN',
  'MEMBER_NOT_FOUND',
  'INVITATION_NOT_FOUND',
  'MAP_LINK_NOT_FOUND',
  'LAST_OWNER',
  'HISTORY_NOT_FOUND',
  'EXTERNAL_ID_TAKEN',
] as const;

/** The codes that /v0 can return. */
export type V0ErrorCode = Exclude<ErrorCode, (typeof NOT_IN_V0)[number]>;

export const V0_ERROR_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter(
  (code): code is V0ErrorCode => !(NOT_IN_V0 as readonly ErrorCode[]).includes(code),
);

/** The interface prescribes status 400 for an unexpected error of "get a map". */
const GET_MAP = '/v0/map/:mapId';

/**
 * @param route the row's method and path; HEAD counts as GET
 * @param errorStatus one status for every error; null if each has its own
 */
export function statusOf(
  code: ErrorCode,
  { method, path }: { readonly method: string; readonly path: string | undefined },
  errorStatus: number | null,
): number {
  if (errorStatus !== null) return errorStatus;
  const isGetMap = method !== 'DELETE' && path === GET_MAP;
  return code === 'INTERNAL_SERVER_ERROR' && isGetMap ? 400 : ERRORS[code].status;
}
