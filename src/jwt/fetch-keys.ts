/** Fetches the issuer's JWKS, from a configured URL or by OpenID Connect Discovery. */

import { isJsonObject } from '../domain/json/json.ts';
import type { HttpGet } from '../geocoding/providers/http.ts';
import { isIssuerUrl } from './issuer-url.ts';

export interface IssuerAddress {
  /** Exactly as in the claim `iss`. */
  readonly issuer: string;
  /** Null for discovery. */
  readonly jwksUrl: string | null;
}

/** Milliseconds for each of the two documents. */
const TIMEOUT_MS = 3_000;

/** Why the JWKS could not be fetched, for the log. The message has no values from responses. */
export class IssuerError extends Error {}

/** @throws IssuerError */
export async function fetchJwks({ issuer, jwksUrl }: IssuerAddress, get: HttpGet): Promise<unknown> {
  return fetchDocument(jwksUrl ?? (await discover(issuer, get)), 'JWKS', get);
}

/** OpenID Connect Discovery 1.0, 4: exactly one slash between issuer and path. */
async function discover(issuer: string, get: HttpGet): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await fetchDocument(url, 'openid-configuration', get);
  const { issuer: named = issuer, jwks_uri: jwksUri } = document;
  if (named !== issuer) throw new IssuerError('The openid-configuration has another issuer.');
  if (typeof jwksUri !== 'string' || !isIssuerUrl(jwksUri)) {
    throw new IssuerError('The openid-configuration has no usable jwks_uri.');
  }
  return jwksUri;
}

async function fetchDocument(url: string, what: string, get: HttpGet): Promise<Record<string, unknown>> {
  const response = await get({ url: new URL(url), headers: {} }, TIMEOUT_MS, new AbortController().signal);
  if ('failure' in response) throw new IssuerError(`The ${what} could not be fetched: ${response.code}.`);
  if (response.status !== 200) throw new IssuerError(`The ${what} has the status ${response.status}.`);
  if (!isJsonObject(response.body)) throw new IssuerError(`The ${what} is not a JSON object.`);
  return response.body;
}
