/** A local issuer of JWTs, whose keys and faults a test controls. */

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
  /** The keys in the JWKS. */
  keys: readonly SigningKey[];
  /** Handles requests for the JWKS instead of the issuer; null for none. */
  fault: ((response: ServerResponse) => void) | null = null;
  /** Wrong members of the openid-configuration. */
  configuration: Record<string, unknown> = {};
  /** Requested paths, in order. */
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

  /** The number of requests for the keys. */
  get fetches(): number {
    return this.asked.filter((path) => path === '/jwks').length;
  }

  get settings(): Record<string, string> {
    return { JWT_ISSUER: this.url, JWT_AUDIENCE: AUDIENCE };
  }

  /** Signs a JWT of Alice's with write access, unless the claims say otherwise; undefined omits a claim. */
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
