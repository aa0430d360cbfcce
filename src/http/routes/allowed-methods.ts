/** Which methods each path allows: for `OPTIONS`, for `Allow`, and for 405 instead of 404. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';

import { ServiceError } from '../../errors.ts';
import type { V0Row } from '../../rest/table.ts';
import { noSuchPath } from '../errors.ts';
import { hasEmptySegment, pathOf } from '../request/request-url.ts';

export const PAGE_METHODS = 'GET, HEAD, OPTIONS';
export const EXPORT_METHODS = 'GET, HEAD, OPTIONS';
export const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

/** The `Allow` header of a path; null if the path does not exist. */
export type FindAllowed = (path: string) => string | null;

/**
 * Looks up paths with Fastify's own router, so that both read them alike.
 *
 * @param allowed `Allow` headers by route pattern; paths are looked up without a trailing slash
 */
export function createAllowedMethods(allowed: ReadonlyMap<string, string>): FindAllowed {
  const router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  for (const [pattern, methods] of allowed) router.on('GET', pattern, () => {}, methods);
  return (path) => {
    const route = router.find('GET', path);
    if (route === null || hasEmptySegment(route.params)) return null;
    return String(route.store);
  };
}

/** The `Allow` headers of the /v0 table, by path. */
export function methodsByPath(rows: readonly V0Row[]): Map<string, string> {
  const allowed = new Map<string, string[]>();
  for (const { method, path } of rows) {
    const methods = allowed.get(path) ?? [];
    methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    allowed.set(path, methods);
  }
  return new Map([...allowed].map(([path, methods]) => [path, [...methods, 'OPTIONS'].join(', ')]));
}

/** The error for a request without a route: 405 if the path allows other methods, else 404. */
export function noSuchRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  findAllowed: FindAllowed,
): ServiceError {
  const methods = findAllowed(pathOf(request));
  if (methods === null) return noSuchPath();
  reply.header('allow', methods);
  return new ServiceError('METHOD_NOT_ALLOWED', `This path allows ${methods}.`);
}
