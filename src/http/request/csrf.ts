/**
 * Whether a request comes from a page of this server. `SameSite` cookies are not enough: they are also sent from other ports
 * of the same host and from sibling domains.
 */

import type { FastifyRequest } from 'fastify';

import { ServiceError } from '../../errors.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** @throws ServiceError CSRF for a method that may change something, from elsewhere */
export function assertSafeOrOwn(request: FastifyRequest, publicUrl: string | null): void {
  if (!SAFE_METHODS.has(request.method)) assertOwnPage(request, publicUrl);
}

/** @throws ServiceError CSRF */
export function assertOwnPage(request: FastifyRequest, publicUrl: string | null): void {
  // Browsers leave it out on plain http, except from this machine.
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined ? hasOwnOrigin(request, publicUrl) : site === 'same-origin';
  if (!isOwn) throw crossSite();
}

/** Whether the request names an origin, and it is this server's. */
export function hasOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  // A proxy that terminates TLS may not forward the scheme.
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  if (isSecure && protocol !== 'https:') return false;
  return host === request.host.toLowerCase() || (publicUrl !== null && host === new URL(publicUrl).host);
}

export function crossSite(): ServiceError {
  return new ServiceError(
    'CSRF',
    'A request with the cookie of a session must come from a page of this server; other clients send a token.',
  );
}
