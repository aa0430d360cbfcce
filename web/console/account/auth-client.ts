/** Requests of the console to /auth/: signing in and out. */

import { GraphqlError } from '../../shared/graphql.ts';

/** How people may sign in, besides tokens. */
export interface SignInOptions {
  readonly password: boolean;
  /** The label of the identity provider; null for none. */
  readonly provider: string | null;
  /** Whether the browser has a valid session. */
  readonly isSignedIn: boolean;
}

/** What a link is for, and whose. */
export interface SignInLink {
  readonly purpose: 'setup' | 'reset';
  /** Null if the name is yet to be chosen. */
  readonly name: string | null;
}

const ONLY_TOKENS: SignInOptions = { password: false, provider: null, isSignedIn: false };

export class AuthClient {
  readonly #url: string;

  /** @param url of /auth/, relative to the page */
  constructor(url: string) {
    this.#url = url;
  }

  /** @throws GraphqlError */
  async options(): Promise<SignInOptions> {
    try {
      return (await this.#send('options', { method: 'GET' })) as SignInOptions;
    } catch (error) {
      // A gateway keeps no accounts.
      if (error instanceof GraphqlError && error.code === 'NOT_FOUND') return ONLY_TOKENS;
      throw error;
    }
  }

  /** @throws GraphqlError */
  async signIn(name: string, password: string): Promise<void> {
    await this.#post('sign-in', { name, password });
  }

  /** @throws GraphqlError */
  async findLink(secret: string): Promise<SignInLink> {
    return (await this.#post('link', { secret })) as SignInLink;
  }

  /** Uses a link, and signs in. @throws GraphqlError */
  async useLink(
    { purpose }: Pick<SignInLink, 'purpose'>,
    input: { secret: string; name: string; password: string },
  ): Promise<void> {
    await this.#post(purpose, input);
  }

  /** @returns where to sign out at the provider; null for nowhere. @throws GraphqlError */
  async signOut(): Promise<string | null> {
    return ((await this.#post('sign-out', {})) as { endSessionUrl: string | null }).endSessionUrl;
  }

  /** Where the sign-in at the provider starts. It comes back to this page. */
  providerUrl(): string {
    const returnTo = location.pathname + location.search + location.hash;
    return `${this.#url}login?${new URLSearchParams({ returnTo })}`;
  }

  #post(name: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return this.#send(name, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #send(name: string, request: RequestInit): Promise<unknown> {
    const response = await fetch(this.#url + name, { ...request, credentials: 'same-origin' }).catch(
      () => null,
    );
    if (response === null) throw new GraphqlError('NETWORK_ERROR', '');
    const body: unknown = await response.json().catch(() => ({}));
    if (response.ok) return body;
    const {
      code = response.status === 404 ? 'NOT_FOUND' : 'UNKNOWN',
      message = '',
      ...details
    } = body as { code?: string; message?: string; [detail: string]: unknown };
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new GraphqlError(code, message, {
      details,
      retryAfter: Number.isFinite(seconds) ? seconds : null,
    });
  }
}
