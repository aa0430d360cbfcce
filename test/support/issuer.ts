/** An issuer of JWTs on this machine, whose keys and faults a test decides. */

import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { CryptoKey, JWK } from 'jose';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const AUDIENCE = 'map-locations';

export interface SigningKey {
  readonly alg: string;
  readonly kid: string | null;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function makeKey(
  alg = 'ES256',
  kid: string | null = `key-${Math.random()}`,
): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg, use: 'sig', ...(kid !== null && { kid }) };
  return { alg, kid, privateKey, jwk };
}

export interface Claims {
  readonly [claim: string]: unknown;
}

export class Issuer {
  /** What the JWKS holds. */
  keys: readonly SigningKey[];
  /** Answers each request for the JWKS, in the place of the keys; null where it works. */
  fault: ((response: ServerResponse) => void) | null = null;
  /** Members of the openid-configuration that are not as they should be. */
  configuration: Record<string, unknown> = {};
  /** Paths, as they were asked for. */
  readonly asked: string[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, keys: readonly SigningKey[]) {
    this.#server = server;
    this.keys = keys;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', ({ url = '' }, response: ServerResponse) => {
      this.asked.push(url);
      if (url === '/.well-known/openid-configuration') {
        response.end(
          JSON.stringify({ issuer: this.url, jwks_uri: `${this.url}/jwks`, ...this.configuration }),
        );
      } else if (this.fault !== null) this.fault(response);
      else response.end(JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) }));
    });
  }

  static async start(keys?: readonly SigningKey[]): Promise<Issuer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Issuer(server, keys ?? [await makeKey()]);
  }

  /** How often the keys were asked for. */
  get fetches(): number {
    return this.asked.filter((path) => path === '/jwks').length;
  }

  get settings(): Record<string, string> {
    return { JWT_ISSUER: this.url, JWT_AUDIENCE: AUDIENCE };
  }

  /** A JWT of Alice's that may write, unless the claims say otherwise; undefined leaves a claim out. */
  async sign(claims: Claims = {}, key = this.keys[0], header: Claims = {}): Promise<string> {
    if (key === undefined) throw new Error('The issuer has no key.');
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      iss: this.url,
      aud: AUDIENCE,
      sub: 'alice',
      exp: now + 600,
      scope: 'map-locations:write',
    };
    const protectedHeader = { alg: key.alg, ...(key.kid !== null && { kid: key.kid }), ...header };
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader(protectedHeader).sign(key.privateKey);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
