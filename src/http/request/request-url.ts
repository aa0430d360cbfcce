/** Parts of a request's URL: the path and query string as the client wrote them, and the base of absolute links. */

import type { FastifyRequest } from 'fastify';

type WithUrl = Pick<FastifyRequest, 'url'>;

/** The path without the query string and without a trailing slash. */
export function pathOf(request: WithUrl): string {
  const path = writtenPathOf(request);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The query string without its question mark; empty if there is none. */
export function searchOf({ url }: WithUrl): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/**
 * The relative path from the response to the server's root, such as `../`, so that pages work below any path prefix
 * of a proxy. A trailing slash counts as one level more.
 */
export function baseOf(request: WithUrl): string {
  const steps = writtenPathOf(request).split('/').length - 2;
  return steps > 0 ? '../'.repeat(steps) : './';
}

/** Whether a path parameter is empty. No id is, so such a path does not exist. @param params of the route's pattern */
export function hasEmptySegment(params: unknown): boolean {
  return Object.values(params as Readonly<Record<string, string>>).includes('');
}

function writtenPathOf({ url }: WithUrl): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

// A host name or address with an optional port. Responses must not repeat any other Host header.
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** The URL by which the client reached the server, for absolute links. @param publicUrl the setting; null if unset */
export function baseUrlOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  const { host } = request;
  // A proxy may forward any value that a client sent.
  const protocol = request.protocol === 'https' ? 'https' : 'http';
  const { localAddress = 'localhost', localPort = 80 } = request.socket;
  const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${protocol}://${HOST.test(host) ? host : `${local}:${localPort}`}`;
}
