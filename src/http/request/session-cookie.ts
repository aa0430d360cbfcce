/** Cookies that hold a secret: that of a session, and that of a sign-in that is under way at a provider. */

import { hash } from 'node:crypto';

import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Config } from '../../app/config.ts';
import { ATTEMPT_MS } from '../../services/accounts/provider-service.ts';
import { SESSION_MS } from '../../services/accounts/session-service.ts';

export interface SecretCookie {
  /** The secret of a request; null without one. */
  read(request: Pick<FastifyRequest, 'headers'>): string | null;
  set(reply: FastifyReply, secret: string): void;
  clear(reply: FastifyReply): void;
}

export interface Cookies {
  readonly session: SecretCookie;
  readonly signIn: SecretCookie;
}

/** @param port that the server listens on */
export function createCookies(
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  port: () => number,
): Cookies {
  // Browsers refuse the prefix and `Secure` on plain http, except from this machine.
  const isSecure = !publicUrl?.startsWith('http:');
  let prefix: string | null = null;
  const prefixOf = () => {
    // Cookies ignore ports, so servers on one host need different names.
    prefix ??= `${isSecure ? '__Host-' : ''}map-locations-${hash('sha256', publicUrl ?? `${host}:${port()}`, 'hex').slice(0, 8)}`;
    return prefix;
  };
  const cookie = (suffix: string, sameSite: 'strict' | 'lax', milliseconds: number): SecretCookie => {
    const attributes = { httpOnly: true, secure: isSecure, sameSite, path: '/' } as const;
    const send = (reply: FastifyReply, value: string, maxAge: number) =>
      reply.header(
        'set-cookie',
        stringifySetCookie({ name: prefixOf() + suffix, value, maxAge, ...attributes }),
      );
    return {
      read: ({ headers }) =>
        headers.cookie === undefined ? null : readOnce(headers.cookie, prefixOf() + suffix),
      set: (reply, secret) => void send(reply, secret, milliseconds / 1000),
      clear: (reply) => void send(reply, '', 0),
    };
  };
  return {
    // The store decides when the session ends.
    session: cookie('', 'strict', SESSION_MS),
    // Browsers send no Strict cookie on the way back from the provider.
    signIn: cookie('-sign-in', 'lax', ATTEMPT_MS),
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
