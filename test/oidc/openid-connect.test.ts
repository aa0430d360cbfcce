/** Signing in by OpenID Connect, with a provider that is not ours. */

import type { SignInAttempt } from '../../src/oidc/identity-provider.ts';
import { SignInError } from '../../src/oidc/identity-provider.ts';
import type { OpenIdConnectOptions } from '../../src/oidc/openid-connect.ts';
import { createOpenIdConnect, METADATA_MAX_AGE_MS } from '../../src/oidc/openid-connect.ts';
import { CLIENT_ID, CLIENT_SECRET, TestProvider, visitProvider } from '../support/oidc-provider.ts';

const REDIRECT_URI = 'http://127.0.0.1:4000/auth/callback';
const SIGNED_OUT_URI = 'http://127.0.0.1:4000/console';

describe('signing in by OpenID Connect', () => {
  let provider: TestProvider;

  beforeAll(async () => {
    provider = await TestProvider.start({ redirectUri: REDIRECT_URI, signedOutUri: SIGNED_OUT_URI });
  });
  afterEach(() => {
    provider.claims = null;
    provider.usesForeignKey = false;
    provider.fault = null;
  });
  afterAll(() => provider.close());

  const client = (options: Partial<OpenIdConnectOptions> = {}) =>
    createOpenIdConnect({
      issuer: provider.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      scopes: 'openid profile',
      redirectUri: REDIRECT_URI,
      signedOutUri: SIGNED_OUT_URI,
      ...options,
    });
  type Client = ReturnType<typeof client>;

  async function callbackOf(
    signIn: Client,
    declines = false,
  ): Promise<{ callback: URL; attempt: SignInAttempt }> {
    const { url, attempt } = await signIn.begin();
    return { callback: await visitProvider(url, REDIRECT_URI, { name: 'anna', declines }), attempt };
  }

  async function complete(signIn: Client) {
    const { callback, attempt } = await callbackOf(signIn);
    return signIn.complete(callback, attempt);
  }

  async function failureOf(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof SignInError)) throw new Error('The sign-in did not fail.', { cause: error });
    return error.code;
  }

  it('names the owner by issuer and subject, and the person by the claim of the userinfo', async () => {
    const signedIn = await complete(client());
    expect(signedIn).toEqual({
      ownerName: `${provider.issuer}#anna`,
      name: 'Name of anna',
      idToken: expect.stringMatching(/^ey/),
    });
  });

  it('asks with a new state, nonce and code challenge each time, and with the given scopes', async () => {
    const signIn = client();
    const starts = [await signIn.begin(), await signIn.begin()];
    const queries = starts.map(({ url }) => new URL(url).searchParams);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(queries[0]?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(queries[0]?.get(name)).not.toBe(queries[1]?.get(name));
    }
    expect(queries[0]?.get('code_challenge_method')).toBe('S256');
    expect(queries[0]?.get('scope')).toBe('openid profile');
    expect(queries[0]?.get('redirect_uri')).toBe(REDIRECT_URI);
  });

  it('authenticates also where the provider does not decode its id, and decodes its secret', async () => {
    const { callback, attempt } = await callbackOf(client());
    const sent: string[] = [];
    provider.fault = (request, response) => {
      if (request.url === '/token') sent.push(String(request.headers.authorization));
      provider.pass(request, response);
    };
    await client().complete(callback, attempt);
    const [, credentials = ''] = sent[0]?.split(' ') ?? [];
    const [id, secret = ''] = Buffer.from(credentials, 'base64').toString().split(':');
    expect([id, decodeURIComponent(secret)]).toEqual(['map-locations', CLIENT_SECRET]);
    expect(secret).toMatch(/^[\w.~%-]+$/);
  });

  it('refuses a callback with another state, or none, without a request', async () => {
    const signIn = client();
    const { callback, attempt } = await callbackOf(signIn);
    const { length } = provider.requests;
    for (const state of ['other', '']) {
      const forged = new URL(callback);
      forged.searchParams.set('state', state);
      expect(await failureOf(signIn.complete(forged, attempt))).toBe('state_mismatch');
    }
    callback.searchParams.delete('state');
    expect(await failureOf(signIn.complete(callback, attempt))).toBe('state_mismatch');
    expect(provider.requests).toHaveLength(length);
  });

  it('refuses a code that was redeemed before', async () => {
    const signIn = client();
    const { callback, attempt } = await callbackOf(signIn);
    await signIn.complete(callback, attempt);
    expect(await failureOf(signIn.complete(callback, attempt))).toBe('invalid_response');
  });

  it('refuses a code that another browser obtained', async () => {
    const signIn = client();
    const { callback } = await callbackOf(signIn);
    const { attempt } = await signIn.begin();
    callback.searchParams.set('state', attempt.state);
    expect(await failureOf(signIn.complete(callback, attempt))).toBe('invalid_response');
  });

  it('refuses a callback that names another issuer, or none', async () => {
    const signIn = client();
    const { callback, attempt } = await callbackOf(signIn);
    expect(callback.searchParams.get('iss')).toBe(provider.issuer);
    callback.searchParams.set('iss', 'https://evil.example');
    expect(await failureOf(signIn.complete(callback, attempt))).toBe('invalid_response');
    callback.searchParams.delete('iss');
    expect(await failureOf(signIn.complete(callback, attempt))).toBe('invalid_response');
  });

  it('reports that the person declined', async () => {
    const signIn = client();
    const { callback, attempt } = await callbackOf(signIn, true);
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(await failureOf(signIn.complete(callback, attempt))).toBe('access_denied');
  });

  it.each<[string, (claims: Record<string, unknown>) => void]>([
    ['another audience', (claims) => (claims['aud'] = 'another-client')],
    ['no audience', (claims) => (claims['aud'] = [])],
    ['another issuer', (claims) => (claims['iss'] = 'https://evil.example')],
    ['another nonce', (claims) => (claims['nonce'] = 'other')],
    ['no nonce', (claims) => delete claims['nonce']],
    ['no subject', (claims) => delete claims['sub']],
    ['a blank subject', (claims) => (claims['sub'] = ' ')],
    ['a subject of 256 characters', (claims) => (claims['sub'] = 'x'.repeat(256))],
    ['an expiry more than a minute ago', (claims) => (claims['exp'] = Date.now() / 1000 - 70)],
    ['an issue time more than a minute ahead', (claims) => (claims['nbf'] = Date.now() / 1000 + 70)],
  ])('refuses an id token with %s', async (_what, change) => {
    provider.claims = change;
    expect(await failureOf(complete(client()))).toBe('invalid_response');
  });

  it('tolerates a clock that differs by less than a minute', async () => {
    provider.claims = (claims) => {
      claims['exp'] = Math.floor(Date.now() / 1000) - 50;
      claims['iat'] = Math.floor(Date.now() / 1000) + 50;
    };
    expect((await complete(client())).ownerName).toBe(`${provider.issuer}#anna`);
  });

  it('refuses an id token that is signed with a key that the provider does not publish', async () => {
    provider.usesForeignKey = true;
    expect(await failureOf(complete(client()))).toBe('invalid_response');
  });

  it('accepts a rotated key at once', async () => {
    const signIn = client();
    await complete(signIn);
    await provider.rotateKey();
    expect((await complete(signIn)).ownerName).toBe(`${provider.issuer}#anna`);
  });

  it('signs in without a name where the provider has none', async () => {
    const signIn = client();
    const { callback, attempt } = await callbackOf(signIn);
    const userinfo = '/me';
    provider.claims = () => {
      provider.fault = (request, response) => {
        if (request.url === userinfo) response.writeHead(500).end();
        else provider.pass(request, response);
      };
    };
    expect((await signIn.complete(callback, attempt)).name).toBeNull();
    expect(provider.requests).toContain(userinfo);
  });

  it('reports a provider that is down, fails or does not respond in time', async () => {
    const signIn = client({ timeoutMs: 200 });
    for (const fault of [
      (_request, response) => response.writeHead(503).end(),
      (request) => request.socket.destroy(),
      () => {},
    ] satisfies TestProvider['fault'][]) {
      provider.fault = fault;
      expect(await failureOf(signIn.begin())).toBe('issuer_unavailable');
    }
    provider.fault = null;
    const patient = client();
    const { callback, attempt } = await callbackOf(patient);
    provider.fault = (_request, response) => response.writeHead(502).end();
    expect(await failureOf(patient.complete(callback, attempt))).toBe('issuer_unavailable');
  });

  const reads = () => provider.requests.filter((path) => path.startsWith('/.well-known')).length;

  it('reads the metadata whenever a sign-in starts, so that nobody is sent to a provider that is down', async () => {
    const signIn = client();
    const before = reads();
    await Promise.all([signIn.begin(), signIn.begin()]);
    expect(reads() - before).toBe(1);
    await signIn.begin();
    expect(reads() - before).toBe(2);
    provider.fault = (request) => request.socket.destroy();
    expect(await failureOf(signIn.begin())).toBe('issuer_unavailable');
  });

  it('reads the metadata again after ten minutes, and uses the old one while that fails', async () => {
    let now = 0;
    const signIn = client({ now: () => now });
    const { idToken } = await complete(signIn);
    const before = reads();
    now = METADATA_MAX_AGE_MS - 1;
    expect(await signIn.signOutUrl(idToken)).not.toBeNull();
    expect(reads()).toBe(before);
    now = METADATA_MAX_AGE_MS;
    provider.fault = (_request, response) => response.writeHead(500).end();
    expect(await signIn.signOutUrl(idToken)).not.toBeNull();
    expect(reads() - before).toBe(1);
  });

  it('knows where to sign out, and does not where the provider is down or has no such page', async () => {
    const { idToken } = await complete(client());
    const url = new URL((await client().signOutUrl(idToken)) ?? '');
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(SIGNED_OUT_URI);
    expect(url.searchParams.get('id_token_hint')).toBe(idToken);
    provider.fault = (_request, response) => response.writeHead(500).end();
    expect(await client().signOutUrl(idToken)).toBeNull();
    provider.fault = (_request, response) => {
      const endpoint = `${provider.issuer}/x`;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          issuer: provider.issuer,
          authorization_endpoint: endpoint,
          token_endpoint: endpoint,
        }),
      );
    };
    expect(await client().signOutUrl(idToken)).toBeNull();
  });

  it('refuses a provider whose metadata names another issuer', async () => {
    provider.fault = (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer: 'https://evil.example' }));
    };
    expect(await failureOf(client().begin())).toBe('invalid_response');
  });
});
