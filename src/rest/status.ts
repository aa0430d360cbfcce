/** The HTTP status of a /v0 error. */

import type { ErrorCode } from '../errors.ts';
import { ERRORS } from '../errors.ts';

/** The codes that /v0 can return: it has no tokens, webhooks or suggestions. */
export type V0ErrorCode = Exclude<
  ErrorCode,
  'TOKEN_NOT_FOUND' | 'WEBHOOK_NOT_FOUND' | 'MEMBER_NOT_FOUND' | 'LAST_OWNER' | 'SUGGESTIONS_UNAVAILABLE'
>;

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
