/** The signed-in user. The token is kept for this tab only. */

import type { GraphqlClient } from '../../shared/graphql.ts';
import { createGraphqlClient, GraphqlError } from '../../shared/graphql.ts';
import type { ViewerQuery } from '../generated/operations.ts';
import { ViewerDocument } from '../generated/operations.ts';
import { messageOf } from './messages.ts';

export type Viewer = NonNullable<ViewerQuery['viewer']>;

const KEY = 'map-locations-token';

export class Session {
  viewer = $state.raw<Viewer | null>(null);
  /** Why signing in failed or the session ended; empty if there is nothing to report. */
  problem = $state('');
  isSigningIn = $state(false);
  readonly #url: string;
  readonly #documentId: string | null;
  #token: string | null = null;

  constructor(url: string, documentId: string | null) {
    this.#url = url;
    this.#documentId = documentId;
    const stored = sessionStorage.getItem(KEY);
    if (stored !== null) void this.signIn(stored);
  }

  get canWrite(): boolean {
    return this.viewer?.scope === 'write';
  }

  /** The token's record; null for a JWT. */
  get #tokenRecord() {
    return this.viewer?.token ?? null;
  }

  /** Whether the token may create maps and tokens: it must not be limited to one map. */
  get canManage(): boolean {
    return this.canWrite && (this.#tokenRecord?.map ?? null) === null;
  }

  /** When the token expires, in milliseconds since the epoch; null for never. */
  get expiresAt(): number | null {
    if (this.#tokenRecord === null) return expiryOfJwt(this.#token ?? '');
    return this.#tokenRecord.expiresAt === null ? null : Date.parse(this.#tokenRecord.expiresAt);
  }

  get authorization(): string {
    return `Bearer ${this.#token ?? ''}`;
  }

  get #options() {
    return { url: this.#url, token: this.#token, documentId: this.#documentId };
  }

  /** Options for a client in a worker, with an absolute URL. */
  get connection() {
    return { ...this.#options, url: new URL(this.#url, location.href).href };
  }

  readonly request: GraphqlClient = async (document, variables, signal) => {
    try {
      return await createGraphqlClient(this.#options)(document, variables, signal);
    } catch (error) {
      if (error instanceof GraphqlError && error.code === 'UNAUTHENTICATED') {
        this.signOut();
        this.problem = messageOf(error);
      }
      throw error;
    }
  };

  async signIn(token: string): Promise<void> {
    this.#token = token;
    this.isSigningIn = true;
    this.problem = '';
    try {
      this.viewer = (await this.request(ViewerDocument, {})).viewer;
      sessionStorage.setItem(KEY, token);
    } catch (error) {
      this.problem = messageOf(error);
    } finally {
      this.isSigningIn = false;
    }
  }

  signOut(): void {
    sessionStorage.removeItem(KEY);
    this.#token = null;
    this.viewer = null;
    this.problem = '';
  }
}

/** @param token a JWT that the server has verified */
function expiryOfJwt(token: string): number {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { exp } = JSON.parse(atob(payload)) as { exp: number };
  return exp * 1_000;
}
