/** The HTTP status of a failure of /v0. */

import type { ErrorCode } from '../errors.ts';
import { ERRORS } from '../errors.ts';

/** The codes that /v0 answers with: it knows neither tokens nor webhooks. */
export type V0ErrorCode = Exclude<ErrorCode, 'TOKEN_NOT_FOUND' | 'WEBHOOK_NOT_FOUND'>;

/** The interface's document gives an unexpected error of "get a map" the status 400. */
const GET_MAP = '/v0/map/:mapId';

/**
 * @param route the row's method and path; HEAD is GET
 * @param errorStatus the one status of every failure; null when each has its own
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
