/** What a known path allows, for a request with a method that it does not. */

import findMyWay from 'find-my-way';

import { hasEmptySegment } from './request/request-url.ts';

/** An `Allow` header's value; null for a path that nothing answers. */
export type FindAllowed = (path: string) => string | null;

/**
 * Fastify's own router, asked for the path alone: it reads paths as Fastify does.
 *
 * @param allowed methods by pattern, as an `Allow` header says them; paths come without a trailing slash
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
