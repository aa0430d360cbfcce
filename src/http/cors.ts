/**
 * CORS for the listed origins. @fastify/cors does not fit: it would answer OPTIONS on any path, and send its headers to
 * origins that are not listed. The contract asks for `Allow`, for 404 on unknown paths, and for neither of these.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';

import { RATE_HEADERS } from './limits/rate-headers.ts';
import { REQUEST_ID_HEADER } from './request/request-id.ts';

const EXPOSED = `Link, ETag, Retry-After, ${RATE_HEADERS}, ${REQUEST_ID_HEADER}`;
const ALLOWED_HEADERS = `Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, Apollo-Require-Preflight, ${REQUEST_ID_HEADER}`;
/** Seconds that a browser may remember a preflight. Chromium allows no more. */
const MAX_AGE = '7200';

/** @param origins exact origins, or `*` for any. Any is safe, since tokens are in a header and never in a cookie */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return;
  addVary(reply, 'Origin');
  const { origin } = request.headers;
  if (origin !== undefined && (origins.includes('*') || origins.includes(origin))) {
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
  }
}

/** Whether a page that opens a WebSocket is the server's own or of a listed origin. Programs name no origin. */
export function isOwnOrListed(
  request: FastifyRequest,
  origins: readonly string[],
  publicUrl: string | null,
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  // A proxy that speaks https for the server may not say so: the host is what counts.
  return host === request.host.toLowerCase() || (publicUrl !== null && host === new URL(publicUrl).host);
}

/** Answers OPTIONS: the methods of the path and, for a listed origin, what its preflight asks. */
export function respondToOptions(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: string,
): FastifyReply {
  reply.header('allow', methods);
  const isPreflight = request.headers['access-control-request-method'] !== undefined;
  if (isPreflight && reply.hasHeader('access-control-allow-origin')) {
    reply
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', MAX_AGE);
  }
  return reply.code(204).send();
}

export function addVary(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary');
  if (known === undefined) reply.header('vary', name);
  else if (!String(known).split(', ').includes(name)) reply.header('vary', `${String(known)}, ${name}`);
}
