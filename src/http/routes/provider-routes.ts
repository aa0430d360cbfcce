/** Signing in at an identity provider: the way there, and the way back. Browsers navigate to these paths. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ServiceError } from '../../errors.ts';
import type { SignInFailure } from '../../oidc/identity-provider.ts';
import { CALLBACK_PATH, SignInError } from '../../oidc/identity-provider.ts';
import type { ProviderService } from '../../services/accounts/provider-service.ts';
import { CONSOLE_PATH } from '../../web/pages.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { baseUrlOf, searchOf } from '../request/request-url.ts';
import type { SecretCookie } from '../request/session-cookie.ts';

export const LOGIN_PATH = '/auth/login';

/** Why a sign-in failed, for the console. */
export type SignInErrorCode = SignInFailure | 'not_allowed';

export interface ProviderRoutesOptions {
  readonly provider: ProviderService;
  readonly requests: RequestLifecycle;
  readonly sessionCookie: SecretCookie;
  /** Of a sign-in that is under way. */
  readonly signInCookie: SecretCookie;
  readonly publicUrl: string | null;
}

export function providerRoutes(app: FastifyInstance, options: ProviderRoutesOptions): void {
  const { provider, requests, sessionCookie, signInCookie, publicUrl } = options;

  const get = (path: string, navigate: (request: FastifyRequest, reply: FastifyReply) => Promise<string>) =>
    app.get(path, {
      // A HEAD would use up the sign-in.
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        await requests.begin(request, reply);
      },
      handler: async (request, reply) => {
        const consoleUrl = baseUrlOf(request, publicUrl) + CONSOLE_PATH;
        let url: string;
        try {
          url = await navigate(request, reply);
        } catch (error) {
          const code = codeOf(error);
          if (code === null) throw error;
          logFailure(request, code, error);
          url = `${consoleUrl}#signInError=${code}`;
        }
        return reply.redirect(url, 303);
      },
    });

  get(LOGIN_PATH, async (request, reply) => {
    const { url, secret } = await provider.begin({
      returnTo: new URLSearchParams(searchOf(request)).get('returnTo'),
      session: sessionCookie.read(request),
    });
    signInCookie.set(reply, secret);
    return url;
  });

  get(CALLBACK_PATH, async (request, reply) => {
    const secret = signInCookie.read(request);
    const browser = { requestId: request.id, userAgent: request.headers['user-agent'] ?? null };
    const { started, returnTo } = await provider.complete(browser, searchOf(request), secret);
    signInCookie.clear(reply);
    sessionCookie.set(reply, started.secret);
    return returnUrlOf(returnTo, baseUrlOf(request, publicUrl) + CONSOLE_PATH);
  });
}

const MAX_RETURN_TO = 2_048;

/**
 * The console at `returnTo` if that is a path of it, else the console.
 *
 * @param returnTo unchecked; with or without the path of PUBLIC_URL before it
 * @param consoleUrl absolute
 */
export function returnUrlOf(returnTo: string | null, consoleUrl: string): string {
  if (returnTo === null || returnTo.length > MAX_RETURN_TO || !/^\/(?![/\\])/.test(returnTo))
    return consoleUrl;
  if (!URL.canParse(returnTo, consoleUrl)) return consoleUrl;
  const { origin, pathname, search, hash } = new URL(returnTo, consoleUrl);
  const own = new URL(consoleUrl);
  if (origin !== own.origin || (pathname !== own.pathname && pathname !== CONSOLE_PATH)) return consoleUrl;
  return consoleUrl + search + hash;
}

/** Null for a failure that is not of signing in. */
function codeOf(error: unknown): SignInErrorCode | null {
  if (error instanceof SignInError) return error.code;
  return error instanceof ServiceError && error.code === 'FORBIDDEN' ? 'not_allowed' : null;
}

/** Without the error itself, whose properties and causes may hold what the provider sent. */
function logFailure(request: FastifyRequest, code: SignInErrorCode, error: unknown): void {
  request.errorCode = code;
  const isOfProvider = code === 'issuer_unavailable' || code === 'invalid_response';
  const reason = error instanceof Error ? error.message : undefined;
  const causes = isOfProvider ? causesOf(error) : undefined;
  request.log[isOfProvider ? 'warn' : 'info']({ code, reason, causes }, 'Signing in at the provider failed');
}

/** The codes of the causes, such as ECONNREFUSED. */
function causesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let cause = error; cause instanceof Error && codes.length < 5; cause = cause.cause) {
    if ('code' in cause && /^[A-Z0-9_]+$/.test(String(cause.code))) codes.push(String(cause.code));
  }
  return codes;
}
