/** An identity provider: oidc-provider, with faults that a test switches on. Its sign-in page takes any name and password. */

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { CryptoKey, JWK } from 'jose';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const CLIENT_ID = 'map-locations';
/** Its signs need encoding in the header of Basic authentication. */
export const CLIENT_SECRET = 'a-secret: +/&=%~';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ProviderOptions {
  readonly redirectUri: string;
  readonly signedOutUri: string;
}

interface Key {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export class TestProvider {
  /** Not 127.0.0.1, where the server under test is: to a browser they are different sites. */
  readonly issuer: string;
  /** Changes the claims of id tokens before they are signed; null for none. */
  claims: ((claims: Record<string, unknown>) => void) | null = null;
  /** Signs id tokens with a key that the provider does not publish. */
  usesForeignKey = false;
  /** Handles requests instead of the provider; null for none. */
  fault: Handler | null = null;
  /** Paths of all requests. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #options: ProviderOptions;
  #handler: Handler = () => {};
  #key: Key;

  private constructor(server: Server, key: Key, options: ProviderOptions) {
    this.#server = server;
    this.#key = key;
    this.#options = options;
    this.issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(request.url ?? '');
      if (this.fault !== null) this.fault(request, response);
      else this.#handler(request, response);
    });
  }

  static async start(options: ProviderOptions): Promise<TestProvider> {
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    const provider = new TestProvider(server, await newKey('first'), options);
    provider.#mount();
    return provider;
  }

  /** Replaces the key; people who are signed in at the provider are signed out. */
  async rotateKey(): Promise<void> {
    this.#key = await newKey(`key ${Math.random()}`);
    this.#mount();
  }

  /** For a fault that concerns other requests. */
  pass(request: IncomingMessage, response: ServerResponse): void {
    this.#handler(request, response);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #mount(): void {
    const { redirectUri, signedOutUri } = this.#options;
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [redirectUri],
          post_logout_redirect_uris: [signedOutUri],
        },
      ],
      jwks: { keys: [this.#key.jwk] },
      claims: { openid: ['sub'], profile: ['name'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, name: `Name of ${id}` }),
      }),
      cookies: { keys: ['for these tests only'] },
    });
    const handle = provider.callback();
    this.#handler = (request, response) => {
      if (request.url === '/token') this.#alterToken(response);
      void handle(request, response);
    };
  }

  /** Replaces the id token of the response where a test wants another one. */
  #alterToken(response: ServerResponse): void {
    const { claims, usesForeignKey } = this;
    if (claims === null && !usesForeignKey) return;
    const end = response.end.bind(response);
    const replaced = async (body: unknown) => {
      const tokens = JSON.parse(String(body)) as Record<string, unknown>;
      if (typeof tokens['id_token'] === 'string') {
        const payload = decodeJwt(tokens['id_token']);
        claims?.(payload);
        const { privateKey } = usesForeignKey ? await newKey('foreign') : this.#key;
        const header = { alg: 'RS256', kid: this.#key.jwk.kid ?? '' };
        tokens['id_token'] = await new SignJWT(payload).setProtectedHeader(header).sign(privateKey);
      }
      response.removeHeader('content-length');
      end(JSON.stringify(tokens));
    };
    response.end = ((body: unknown) => {
      void replaced(body);
      return response;
    }) as typeof response.end;
  }
}

async function newKey(kid: string): Promise<Key> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } };
}

/**
 * Does what a person does in a browser, without one: signs in and consents, or declines.
 *
 * @returns the address of the callback, which is not requested
 */
export async function visitProvider(
  url: string,
  redirectUri: string,
  person: { readonly name: string; readonly declines?: boolean },
): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = url;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 12; step += 1) {
    if (next.startsWith(redirectUri)) return new URL(next);
    const response: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== null && { method: 'POST', body: form }),
    });
    form = null;
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      next = new URL(location, next).href;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (prompt === undefined) throw new Error(`The provider has no form: ${response.status} ${page}`);
    if (prompt === 'consent' && person.declines === true) next = `${next}/abort`;
    else form = new URLSearchParams({ prompt, login: person.name, password: 'any' });
  }
  throw new Error(`No callback after 12 steps: ${next}`);
}
