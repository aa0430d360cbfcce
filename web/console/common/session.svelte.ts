/** The signed-in user: by the cookie of a session, or by a token, which is kept for this tab only. */

import { AuthClient } from '../account/auth-client.ts';
import type { SignInOptions } from '../account/auth-client.ts';
import type { GraphqlClient } from '../../shared/graphql.ts';
import { createGraphqlClient, GraphqlError, send } from '../../shared/graphql.ts';
import type { ViewerQuery } from '../generated/operations.ts';
import { LinkedMapDocument, ViewerDocument } from '../generated/operations.ts';
import type { ConsoleConfig } from './config.ts';
import { messageOf, t } from './messages.ts';

export type Viewer = NonNullable<ViewerQuery['viewer']>;

const KEY = 'map-locations-token';
/** Secrets of links to a map begin so. */
const LINK_PREFIX = 'mll_';
/** Tells the other tabs that the session was ended in this one. */
const SIGNED_OUT = 'signed-out';

/** A link that opens one map without an account. */
export interface OpenedLink {
  readonly name: string;
  readonly mapId: string;
}

export class Session {
  viewer = $state.raw<Viewer | null>(null);
  /** Why signing in failed or the session ended; empty if there is nothing to report. */
  problem = $state('');
  isSigningIn = $state(false);
  /** False until it is known whether the browser is signed in. */
  isReady = $state(false);
  /** The session or token is no longer valid, and the page waits for a new one. */
  isInterrupted = $state(false);
  /** Null until they are known. */
  options = $state.raw<SignInOptions | null>(null);
  /** The link that this tab was opened by; null for people and tokens. */
  link = $state.raw<OpenedLink | null>(null);
  /** The link that does not open its map; without a problem if it is not valid. */
  failedLink = $state.raw<{ readonly secret: string; readonly problem: string | null } | null>(null);
  readonly auth: AuthClient;
  readonly #url: string;
  readonly #documentId: string | null;
  readonly #tabs = new BroadcastChannel('map-locations');
  /** Null for a session, and while nobody is signed in. */
  #token: string | null = null;

  constructor({ graphqlUrl, authUrl, documentId }: ConsoleConfig) {
    this.#url = graphqlUrl;
    this.#documentId = documentId;
    this.auth = new AuthClient(authUrl);
    this.#tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === SIGNED_OUT && this.#token === null) this.#interrupt(t('session.endedElsewhere'));
    });
  }

  /** Signs in with the token of this tab, or else the session of the browser, if there is one. */
  async resume(): Promise<void> {
    const stored = sessionStorage.getItem(KEY);
    try {
      if (stored?.startsWith(LINK_PREFIX)) return await this.openLink(stored);
      if (stored !== null) await this.signIn(stored);
      else await this.#readOptions();
      if (stored === null && this.options?.isSignedIn === true) await this.#begin(null);
    } catch (error) {
      this.problem = messageOf(error);
    } finally {
      this.isReady = true;
    }
  }

  /** What to call the user; not unique. Empty if nobody is signed in. */
  get name(): string {
    return this.viewer?.account?.displayName ?? this.viewer?.owner ?? '';
  }

  /** Whether the browser's session is used, not a token. */
  get hasCookie(): boolean {
    return this.viewer !== null && this.#token === null;
  }

  get canWrite(): boolean {
    return this.viewer?.scope === 'write';
  }

  /** The token's record; null for a session and a JWT. */
  get #tokenRecord() {
    return this.viewer?.token ?? null;
  }

  /** Whether the caller may create maps and tokens: it must not be limited to one map. */
  get canManage(): boolean {
    return this.canWrite && (this.#tokenRecord?.map ?? null) === null;
  }

  /** When the token expires, in milliseconds since the epoch; null for never, and for a session. */
  get expiresAt(): number | null {
    if (this.#tokenRecord !== null) {
      return this.#tokenRecord.expiresAt === null ? null : Date.parse(this.#tokenRecord.expiresAt);
    }
    return this.#token === null || this.link !== null ? null : expiryOfJwt(this.#token);
  }

  /** Of a request with `fetch`. */
  get access(): Pick<RequestInit, 'headers' | 'credentials'> {
    if (this.#token === null) return { credentials: 'same-origin' };
    return { headers: { authorization: `Bearer ${this.#token}` }, credentials: 'omit' };
  }

  get #options() {
    return {
      url: this.#url,
      token: this.#token,
      usesSession: this.#token === null,
      documentId: this.#documentId,
    };
  }

  /** Options for a client in a worker, with an absolute URL. */
  get connection() {
    return { ...this.#options, url: new URL(this.#url, location.href).href };
  }

  readonly request: GraphqlClient = async (document, variables, signal) => {
    this.#requireAccess();
    try {
      return await createGraphqlClient(this.#options)(document, variables, signal);
    } catch (error) {
      if (error instanceof GraphqlError && error.code === 'UNAUTHENTICATED') {
        this.#interrupt(this.#token === null ? t('session.ended') : t('session.invalidToken'));
        this.#requireAccess();
      }
      throw error;
    }
  };

  /**
   * Opens a stream of events.
   *
   * @throws GraphqlError NETWORK_ERROR
   */
  async stream(query: string, variables: unknown, accept: string, signal?: AbortSignal): Promise<Response> {
    this.#requireAccess();
    return send(this.#options, { query, variables }, accept, signal);
  }

  /** While the page waits for a new sign-in, what it repeats would count as failed ones. */
  #requireAccess(): void {
    if (!this.isInterrupted) return;
    throw this.link === null
      ? new GraphqlError('UNAUTHENTICATED', '')
      : new GraphqlError('LINK_ENDED', t('session.linkEnded'));
  }

  /** With a token. */
  signIn(token: string): Promise<void> {
    return this.#attempt(() => this.#begin(token));
  }

  /** In place of whoever is signed in in this tab. @param secret of a link to a map */
  async openLink(secret: string): Promise<void> {
    const former = sessionStorage.getItem(KEY);
    this.#forget();
    try {
      await this.#begin(secret);
    } catch (error) {
      const isInvalid = error instanceof GraphqlError && error.code === 'UNAUTHENTICATED';
      this.#token = null;
      this.failedLink = { secret, problem: isInvalid ? null : messageOf(error) };
      if (former !== null && former !== secret) sessionStorage.setItem(KEY, former);
    } finally {
      this.isReady = true;
    }
  }

  /** Goes on as whoever is signed in in the browser. */
  async leaveLink(): Promise<void> {
    if (this.failedLink === null) this.#forget();
    this.failedLink = null;
    this.isReady = false;
    await this.resume();
  }

  /** With what `start` sets a cookie for, such as a password. */
  signInBy(start: () => Promise<void>): Promise<void> {
    return this.#attempt(async () => {
      await start();
      await this.#begin(null);
    });
  }

  /** Ends the session, here, on the server and at the provider. */
  async signOut(): Promise<void> {
    const usedSession = this.#token === null;
    this.#forget();
    if (!usedSession) return this.#readOptions();
    try {
      const next = await this.auth.signOut();
      this.#tabs.postMessage(SIGNED_OUT);
      if (next === null) await this.#readOptions();
      else location.assign(next);
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  #forget(): void {
    sessionStorage.removeItem(KEY);
    this.#token = null;
    this.viewer = null;
    this.link = null;
    this.failedLink = null;
    this.isInterrupted = false;
    this.problem = '';
  }

  /** The page stays as it is, with its unsaved changes, until the same person signs in again. */
  #interrupt(problem: string): void {
    // Signed out meanwhile.
    if (this.viewer === null) return;
    sessionStorage.removeItem(KEY);
    this.problem = problem;
    this.isInterrupted = true;
    if (this.options === null && this.link === null) void this.#readOptions();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.isSigningIn = true;
    this.problem = '';
    try {
      await work();
    } catch (error) {
      const isInvalid = error instanceof GraphqlError && error.code === 'UNAUTHENTICATED';
      this.problem = isInvalid ? t('session.invalidToken') : messageOf(error);
      if (this.options === null) await this.#readOptions();
    } finally {
      this.isSigningIn = false;
    }
  }

  /** @param token null for the cookie of the session */
  async #begin(token: string | null): Promise<void> {
    this.#token = token;
    const request = createGraphqlClient(this.#options);
    const isLink = token?.startsWith(LINK_PREFIX) === true;
    const link = isLink ? await readLink(request) : null;
    const { viewer } = await request(ViewerDocument, {});
    if (token !== null) sessionStorage.setItem(KEY, token);
    this.isInterrupted = false;
    this.link = link;
    this.viewer = viewer;
  }

  async #readOptions(): Promise<void> {
    this.options = await this.auth.options();
  }
}

async function readLink(request: GraphqlClient): Promise<OpenedLink | null> {
  const { viewer } = await request(LinkedMapDocument, {});
  const [map] = viewer?.maps?.nodes ?? [];
  return viewer === null || map === undefined
    ? null
    : { name: viewer.owner.replace(/^link:/, ''), mapId: map.id };
}

/** @param token a JWT that the server has verified */
function expiryOfJwt(token: string): number {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { exp } = JSON.parse(atob(payload)) as { exp: number };
  return exp * 1_000;
}
