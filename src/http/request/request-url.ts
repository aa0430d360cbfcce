/** What a request's URL is made of. It is the path with the query string, as the client wrote them. */

import type { FastifyRequest } from 'fastify';

/** A request, as far as its URL goes. */
type Asked = Pick<FastifyRequest, 'url'>;

/** Without the query string, and without a slash at its end. */
export function pathOf(request: Asked): string {
  const path = writtenPathOf(request);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The query string without its question mark; empty where there is none. */
export function searchOf({ url }: Asked): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/**
 * The relative path from the answer to the server's root: `../`, `../../`. So pages work below any prefix of a proxy. A slash
 * at the path's end is one step more.
 */
export function baseOf(request: Asked): string {
  const steps = writtenPathOf(request).split('/').length - 2;
  return steps > 0 ? '../'.repeat(steps) : './';
}

/**
 * True where a segment that stands for an id is empty. No id is, so there is no such path.
 *
 * @param params of the path's pattern
 */
export function hasEmptySegment(params: unknown): boolean {
  return Object.values(params as Readonly<Record<string, string>>).includes('');
}

function writtenPathOf({ url }: Asked): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
