/** Signing in and out, for the console: with a password, links that set one, and at a provider. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isJsonObject } from '../../domain/json/json.ts';
import { badUserInput } from '../../errors.ts';
import { CALLBACK_PATH } from '../../oidc/identity-provider.ts';
import type { BrowserRequest, PasswordService } from '../../services/accounts/password-service.ts';
import type { ProviderService } from '../../services/accounts/provider-service.ts';
import type { SessionService, StartedSession } from '../../services/accounts/session-service.ts';
import { respondToOptions } from '../cors.ts';
import { sendAuthError } from '../errors.ts';
import { assertOwnPage } from '../request/csrf.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { onBodyArrived } from '../request/lifecycle.ts';
import type { Cookies } from '../request/session-cookie.ts';
import { LOGIN_PATH, providerRoutes } from './provider-routes.ts';

const READ_METHODS = 'GET, HEAD, OPTIONS';
const NAVIGATION_METHODS = 'GET, OPTIONS';
const WRITE_METHODS = 'POST, OPTIONS';

const OPTIONS_PATH = '/auth/options';

/** The value of `Allow`, by path. */
export const AUTH_METHODS: ReadonlyMap<string, string> = new Map([
  [OPTIONS_PATH, READ_METHODS],
  [LOGIN_PATH, NAVIGATION_METHODS],
  [CALLBACK_PATH, NAVIGATION_METHODS],
  ...['sign-in', 'link', 'setup', 'reset', 'sign-out'].map(
    (name) => [`/auth/${name}`, WRITE_METHODS] as const,
  ),
]);

export interface AuthRoutesOptions {
  readonly passwords: PasswordService;
  readonly provider: ProviderService;
  readonly sessions: SessionService;
  readonly requests: RequestLifecycle;
  readonly cookies: Cookies;
  readonly publicUrl: string | null;
}

type Handler = (request: FastifyRequest, reply: FastifyReply, body: Body) => Promise<unknown>;

export function authRoutes(app: FastifyInstance, options: AuthRoutesOptions): void {
  const { passwords, provider, sessions, requests, cookies, publicUrl } = options;
  const cookie = cookies.session;
  app.setErrorHandler(sendAuthError);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    done();
  });

  app.get(OPTIONS_PATH, {
    config: { acceptsSessions: true },
    onRequest: async (request, reply) => {
      await requests.begin(request, reply);
    },
    handler: (request, reply) =>
      reply.header('cache-control', 'no-store').send({
        password: passwords.isEnabled,
        provider: provider.label,
        isSignedIn: requests.scopeOf(request).caller?.kind === 'session',
      }),
  });

  const post = (name: string, handler: Handler) =>
    app.post(`/auth/${name}`, {
      onRequest: async (request, reply) => {
        await requests.begin(request, reply);
        // Nobody must be signed in to another's account either.
        assertOwnPage(request, publicUrl);
      },
      preHandler: onBodyArrived(requests),
      handler: (request, reply) => handler(request, reply, new Body(request.body)),
    });

  const signIn =
    (start: (request: BrowserRequest, body: Body) => Promise<StartedSession>): Handler =>
    async (request, reply, body) => {
      const former = cookie.read(request);
      const { secret } = await start(browserOf(request), body);
      if (former !== null) await sessions.signOut({ requestId: request.id }, former);
      cookie.set(reply, secret);
      return {};
    };

  post(
    'sign-in',
    signIn((request, body) =>
      passwords.signIn(request, { name: body.text('name'), password: body.text('password') }),
    ),
  );
  post('link', async (_request, _reply, body) => passwords.findLink(body.text('secret')));
  post(
    'setup',
    signIn((request, body) =>
      passwords.setUp(request, {
        secret: body.text('secret'),
        name: body.optionalText('name'),
        password: body.text('password'),
      }),
    ),
  );
  post(
    'reset',
    signIn((request, body) =>
      passwords.reset(request, { secret: body.text('secret'), password: body.text('password') }),
    ),
  );
  post('sign-out', async (request, reply) => {
    const secret = cookie.read(request);
    const session = secret === null ? null : await sessions.signOut({ requestId: request.id }, secret);
    cookie.clear(reply);
    return { endSessionUrl: session === null ? null : await provider.signOutUrl(session) };
  });
  providerRoutes(app, {
    ...{ provider, requests, publicUrl },
    sessionCookie: cookies.session,
    signInCookie: cookies.signIn,
  });

  for (const [path, methods] of AUTH_METHODS) {
    app.options(path, (request, reply) => respondToOptions(request, reply, methods));
  }
}

function browserOf({ id, ip, headers }: FastifyRequest): BrowserRequest {
  return { requestId: id, address: ip, userAgent: headers['user-agent'] ?? null };
}

/** The members of a JSON body. */
class Body {
  readonly #members: Readonly<Record<string, unknown>>;

  /** @throws ServiceError BAD_USER_INPUT */
  constructor(body: unknown) {
    if (body !== undefined && body !== null && !isJsonObject(body)) {
      throw badUserInput('The body must be a JSON object.');
    }
    this.#members = body ?? {};
  }

  /** @throws ServiceError BAD_USER_INPUT */
  text(name: string): string {
    const value = this.optionalText(name);
    if (value === null) throw badUserInput(`${name} is required.`);
    return value;
  }

  /** @throws ServiceError BAD_USER_INPUT */
  optionalText(name: string): string | null {
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : null;
    if (value === null || value === undefined) return null;
    if (typeof value !== 'string') throw badUserInput(`${name} must be a string.`);
    return value;
  }
}
