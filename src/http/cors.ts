/**
 * CORS for the listed origins. @fastify/cors does not fit: it responds to OPTIONS on any path and sends its headers
 * to unlisted origins, whereas the contract requires `Allow` and 404 on unknown paths.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';

import { addVary } from './caching.ts';
import { RATE_HEADERS } from './limits/rate-headers.ts';
import { REQUEST_ID_HEADER } from './request/request-id.ts';

/** Fields that a tile has no room for. */
export const FIELDS_LEFT_OUT_HEADER = 'x-fields-left-out';
const EXPOSED = `Link, ETag, Retry-After, X-Fields-Left-Out, ${RATE_HEADERS}, ${REQUEST_ID_HEADER}`;
const ALLOWED_HEADERS = `Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, Apollo-Require-Preflight, ${REQUEST_ID_HEADER}`;
/** Seconds that a browser may cache a preflight; Chromium's maximum. */
const MAX_AGE = '7200';

/** @param origins exact origins, or `*` for any. Any is safe: tokens travel in a header, never in a cookie */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return;
  addVary(reply, 'Origin');
  const { origin } = request.headers;
  if (origin !== undefined && (origins.includes('*') || origins.includes(origin))) {
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
  }
}

/**
 * Lets a map's page read published maps in a sandboxed frame, whose origin is opaque: browsers send `null`, from any site. So
 * only for what everybody can read, with neither a token nor a cookie.
 */
export function allowOpaqueOrigin({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers.origin !== 'null' || headers.authorization !== undefined || headers.cookie !== undefined)
    return;
  if (reply.hasHeader('access-control-allow-origin')) return;
  const asked = headers['access-control-request-headers']?.toLowerCase() ?? '';
  if (asked.split(',').some((name) => name.trim() === 'authorization')) return;
  addVary(reply, 'Origin');
  reply.header('access-control-allow-origin', 'null').header('access-control-expose-headers', EXPOSED);
}

/** Lets pages of every site read what everybody can read. Browsers then send no cookie. */
export function allowAnyOrigin(reply: FastifyReply): void {
  if (reply.hasHeader('access-control-allow-origin')) return;
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
}

/** Whether a WebSocket comes from the server's own origin or a listed one. Programs send no `Origin`. */
export function isOwnOrListed(
  request: FastifyRequest,
  origins: readonly string[],
  publicUrl: string | null,
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  // Compare hosts only: a proxy that terminates TLS may not forward the scheme.
  return host === request.host.toLowerCase() || (publicUrl !== null && host === new URL(publicUrl).host);
}

/**
 * Responds to OPTIONS with the path's methods and, for a listed origin, the preflight headers.
 *
 * @param moreHeaders names of request headers, each after a comma
 */
export function respondToOptions(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: string,
  moreHeaders = '',
): FastifyReply {
  reply.header('allow', methods);
  const isPreflight = request.headers['access-control-request-method'] !== undefined;
  if (isPreflight && reply.hasHeader('access-control-allow-origin')) {
    reply
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', `${ALLOWED_HEADERS}${moreHeaders}`)
      .header('access-control-max-age', MAX_AGE);
  }
  return reply.code(204).send();
}
