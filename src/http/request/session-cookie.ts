/** The cookie that holds the secret of a session. */

import { hash } from 'node:crypto';

import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Config } from '../../app/config.ts';
import { SESSION_MS } from '../../services/accounts/session-service.ts';

export interface SessionCookie {
  /** The secret of a request; null without one. */
  read(request: Pick<FastifyRequest, 'headers'>): string | null;
  set(reply: FastifyReply, secret: string): void;
  clear(reply: FastifyReply): void;
}

/** @param port that the server listens on */
export function createSessionCookie(
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  port: () => number,
): SessionCookie {
  // Browsers refuse the prefix and `Secure` on plain http, except from this machine.
  const isSecure = !publicUrl?.startsWith('http:');
  let name: string | null = null;
  const nameOf = () => {
    // Cookies ignore ports, so servers on one host need different names.
    name ??= `${isSecure ? '__Host-' : ''}map-locations-${hash('sha256', publicUrl ?? `${host}:${port()}`, 'hex').slice(0, 8)}`;
    return name;
  };
  const attributes = { httpOnly: true, secure: isSecure, sameSite: 'strict', path: '/' } as const;
  return {
    read: ({ headers: { cookie } }) => (cookie === undefined ? null : readOnce(cookie, nameOf())),
    set(reply, value) {
      // The store decides when the session ends.
      const maxAge = SESSION_MS / 1000;
      reply.header('set-cookie', stringifySetCookie({ name: nameOf(), value, maxAge, ...attributes }));
    },
    clear(reply) {
      reply.header('set-cookie', stringifySetCookie({ name: nameOf(), value: '', maxAge: 0, ...attributes }));
    },
  };
}

/**
 * Null if the cookie is there twice: without the prefix, another server of the same host can add one with a longer path, to
 * have people work in the attacker's account.
 */
function readOnce(cookies: string, name: string): string | null {
  const values = cookies.split(';').flatMap((pair) => parseCookie(pair)[name] ?? []);
  return values.length === 1 ? (values[0] ?? null) : null;
}
