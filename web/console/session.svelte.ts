/** Who is signed in. The token is kept for the tab alone. */

import type { GraphqlClient } from '../shared/graphql.ts';
import { createGraphqlClient, GraphqlError } from '../shared/graphql.ts';
import type { ViewerQuery } from './generated/operations.ts';
import { ViewerDocument } from './generated/operations.ts';
import { messageOf } from './messages.ts';

export type Viewer = NonNullable<ViewerQuery['viewer']>;

const KEY = 'map-locations-token';

export class Session {
  viewer = $state.raw<Viewer | null>(null);
  /** Why nobody is signed in, where there is a reason to tell. */
  problem = $state('');
  isSigningIn = $state(false);
  readonly #url: string;
  readonly #documentId: string | null;
  #token: string | null = null;

  constructor(url: string, documentId: string | null) {
    this.#url = url;
    this.#documentId = documentId;
    const kept = sessionStorage.getItem(KEY);
    if (kept !== null) void this.signIn(kept);
  }

  get canWrite(): boolean {
    return this.viewer?.scope === 'write';
  }

  /** Null for a JWT. */
  get #own() {
    return this.viewer?.token ?? null;
  }

  /** Whether it may make maps and tokens. A JWT is limited to no map. */
  get canManage(): boolean {
    return this.canWrite && (this.#own?.map ?? null) === null;
  }

  /** When the token stops working, in milliseconds since the epoch; null where it never does. */
  get endsAt(): number | null {
    if (this.#own === null) return endOfJwt(this.#token ?? '');
    return this.#own.expiresAt === null ? null : Date.parse(this.#own.expiresAt);
  }

  get authorization(): string {
    return `Bearer ${this.#token ?? ''}`;
  }

  get #options() {
    return { url: this.#url, token: this.#token, documentId: this.#documentId };
  }

  /** What a worker asks the server with: its addresses are not relative to the page. */
  get connection() {
    return { ...this.#options, url: new URL(this.#url, location.href).href };
  }

  readonly ask: GraphqlClient = async (document, variables, signal) => {
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
      this.viewer = (await this.ask(ViewerDocument, {})).viewer;
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

/** Of one that the server has verified. */
function endOfJwt(token: string): number {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { exp } = JSON.parse(atob(payload)) as { exp: number };
  return exp * 1_000;
}
