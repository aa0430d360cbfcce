/** Signs in by OpenID Connect: authorization code with PKCE, state, nonce and issuer check. */

import * as oidc from 'openid-client';

import { isSubject, ownerNameOf } from '../domain/owner-name.ts';
import { isLabel } from '../domain/text.ts';
import type { IdentityProvider, SignedIn, SignInAttempt, SignInFailure } from './identity-provider.ts';
import { SignInError } from './identity-provider.ts';

export interface OpenIdConnectOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  /** Separated by spaces; with `openid`. */
  readonly scopes: string;
  /** Where the provider sends the browser after signing in. */
  readonly redirectUri: string;
  /** The same, after signing out. */
  readonly signedOutUri: string;
  /** Milliseconds for all requests of one step; 5,000 by default. */
  readonly timeoutMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const TIMEOUT_MS = 5_000;
/** Milliseconds after which the provider's metadata is read again. */
export const METADATA_MAX_AGE_MS = 10 * 60_000;
/** Seconds that the provider's clock may differ. */
const CLOCK_TOLERANCE_S = 60;
/** Code points. */
const MAX_NAME_LENGTH = 256;

type Options = OpenIdConnectOptions & { readonly timeoutMs: number };

export function createOpenIdConnect(given: OpenIdConnectOptions): IdentityProvider {
  const options: Options = { timeoutMs: TIMEOUT_MS, ...given };
  const { redirectUri, signedOutUri, scopes, timeoutMs } = options;
  const metadata = metadataSource(options);
  // Its keys are not kept from one sign-in to the next, so that rotated keys are known at once.
  const configuration = async () => newConfiguration(options, await metadata.known());
  return {
    begin: () =>
      withinLimit(timeoutMs, async () => {
        const attempt: SignInAttempt = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          codeVerifier: oidc.randomPKCECodeVerifier(),
        };
        // Browsers must not be sent to a provider that is down.
        const config = newConfiguration(options, await metadata.latest());
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, attempt };
      }),
    async complete(callback, attempt) {
      if (callback.searchParams.get('state') !== attempt.state) {
        throw new SignInError('state_mismatch', 'The state of the callback is not that of the sign-in.');
      }
      return withinLimit(timeoutMs, async () => redeem(await configuration(), callback, attempt));
    },
    async signOutUrl(idToken) {
      try {
        return await withinLimit(timeoutMs, async () => {
          const config = await configuration();
          if (config.serverMetadata().end_session_endpoint === undefined) return null;
          const parameters = { id_token_hint: idToken, post_logout_redirect_uri: signedOutUri };
          return oidc.buildEndSessionUrl(config, parameters).href;
        });
      } catch (error) {
        if (error instanceof SignInError) return null;
        throw error;
      }
    },
  };
}

type Metadata = oidc.ServerMetadata;

interface MetadataSource {
  /** From the provider, in one request at a time. */
  latest(): Promise<Metadata>;
  /** The last one, read again when it is old; while that fails, the old one is used. */
  known(): Promise<Metadata>;
}

function metadataSource(options: Options): MetadataSource {
  const { now = () => performance.now() } = options;
  let last: { readonly metadata: Metadata; readonly since: number } | null = null;
  let reading: Promise<Metadata> | null = null;
  const read = async (): Promise<Metadata> => {
    const found = await oidc.discovery(
      new URL(options.issuer),
      options.clientId,
      undefined,
      authenticationOf(options),
      {
        execute: insecureOnLoopback(options),
        timeout: options.timeoutMs / 1000,
      },
    );
    last = { metadata: found.serverMetadata(), since: now() };
    return last.metadata;
  };
  const latest = () => (reading ??= read().finally(() => (reading = null)));
  return {
    latest,
    async known() {
      if (last !== null && now() - last.since < METADATA_MAX_AGE_MS) return last.metadata;
      try {
        return await latest();
      } catch (error) {
        if (last === null) throw error;
        return last.metadata;
      }
    },
  };
}

function newConfiguration(options: Options, metadata: Metadata): oidc.Configuration {
  const { clientId, timeoutMs } = options;
  const client = { [oidc.clockTolerance]: CLOCK_TOLERANCE_S };
  const config = new oidc.Configuration(metadata, clientId, client, authenticationOf(options));
  config.timeout = timeoutMs / 1000;
  for (const allow of insecureOnLoopback(options)) allow(config);
  // Checks the signature too, although TLS authenticates the token endpoint.
  oidc.enableNonRepudiationChecks(config);
  return config;
}

/** The settings allow an http issuer on this machine only. */
function insecureOnLoopback({ issuer }: OpenIdConnectOptions): ((config: oidc.Configuration) => void)[] {
  return new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
}

function authenticationOf({ clientSecret }: OpenIdConnectOptions): oidc.ClientAuth {
  // Every provider has to support it (OpenID Connect Core 1.0, 9, where nothing else is registered).
  return clientSecret === null ? oidc.None() : basicAuthentication(clientSecret);
}

/**
 * As `ClientSecretBasic` of openid-client, but encodes only what must be encoded. That one encodes `-`, `.` and `_`, too, and
 * Google and Authentik, who do not decode, then know neither the client nor its secret
 * (https://github.com/panva/oauth4webapi/issues/165, https://github.com/goauthentik/authentik/issues/20739).
 */
function basicAuthentication(clientSecret: string): oidc.ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${btoa(credentials)}`);
  };
}

async function redeem(
  config: oidc.Configuration,
  callback: URL,
  { state, nonce, codeVerifier }: SignInAttempt,
): Promise<SignedIn> {
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) {
    throw new SignInError('invalid_response', 'The provider sent no id token.');
  }
  const { iss, sub } = claims;
  if (!isSubject(sub)) {
    throw new SignInError('invalid_response', 'The claim sub is blank, too long or has control characters.');
  }
  const name = nameIn(claims) ?? (await nameOfUserInfo(config, tokens.access_token, sub));
  return { ownerName: ownerNameOf(iss, sub), name, idToken: tokens.id_token };
}

/** Some providers name people only there. A sign-in does not fail for want of a name. */
async function nameOfUserInfo(
  config: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<string | null> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return null;
  return oidc.fetchUserInfo(config, accessToken, subject).then(nameIn, () => null);
}

function nameIn(claims: object): string | null {
  const name: unknown = 'name' in claims ? claims.name : null;
  return typeof name === 'string' && isLabel(name, MAX_NAME_LENGTH) ? name : null;
}

/** @throws SignInError in place of the errors of openid-client, and after the time limit */
async function withinLimit<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable('The provider did not respond in time.')), timeoutMs);
  });
  try {
    return await Promise.race([work(), limit]);
  } catch (error) {
    throw error instanceof SignInError ? error : toSignInError(error);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(message: string, cause?: unknown): SignInError {
  return new SignInError('issuer_unavailable', message, { cause });
}

function toSignInError(error: unknown): SignInError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof oidc.AuthorizationResponseError) {
    const failure: SignInFailure = error.error === 'access_denied' ? 'access_denied' : 'invalid_response';
    return new SignInError(failure, `The provider declined: ${code}.`, { cause: error });
  }
  // fetch rejects with a TypeError when there is no response.
  if (error instanceof TypeError || code === 'OAUTH_TIMEOUT' || isServerFailure(error)) {
    return unavailable('The provider cannot be reached.', error);
  }
  return new SignInError('invalid_response', `The provider's response is not valid: ${code}.`, {
    cause: error,
  });
}

function isServerFailure(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  const cause = error instanceof oidc.ClientError ? error.cause : undefined;
  return cause instanceof Response && cause.status >= 500;
}
