/** Signing in at an identity provider over HTTP, with a provider that is not ours. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { returnUrlOf } from '../../../src/http/routes/provider-routes.ts';
import { rotateSecrets } from '../../../src/services/secrets/secret-rotation.ts';
import { createSecrets } from '../../../src/services/secrets/secrets.ts';
import { dataOf } from '../../support/graphql.ts';
import type { TestProvider } from '../../support/oidc-provider.ts';
import {
  CONSOLE_URL,
  cookiesOf,
  providerSettings,
  REDIRECT_URI,
  startProvider,
  TestBrowser,
} from '../../support/provider-server.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { cheapPasswords, OWN_PAGE, PASSWORD, postAuth, signUp } from '../../support/sign-in.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

let provider: TestProvider;
let server: TestServer;
let now = NOW;
const folder = mkdtempSync(join(tmpdir(), 'provider-'));
const auditLog = join(folder, 'audit.log');
const { passwords } = cheapPasswords();

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  now = NOW;
  server = await start();
});
afterEach(async () => {
  provider.fault = null;
  provider.claims = null;
  await server.close();
  rmSync(auditLog, { force: true });
});

const start = (settings: Record<string, string> = {}) =>
  createTestServer(
    { ...providerSettings(provider), AUDIT_LOG: auditLog, ...settings },
    { clock: () => now, passwords },
  );

const nameOf = (subject: string) => `${provider.issuer}#${subject}`;

/** Whose session the headers are of; null for none. */
async function viewerOf(headers: Record<string, string>, at = server): Promise<string | null> {
  const response = await at.request('POST', '/graphql', {
    token: null,
    headers: { ...OWN_PAGE, ...headers },
    body: { query: '{ viewer { owner scope } }' },
  });
  return response.json.data?.viewer?.owner ?? null;
}

/** The code of a sign-in that failed: no session, and back at the console. */
function failureOf(response: Awaited<ReturnType<TestBrowser['signIn']>>): string | null {
  const [page, code = null] = String(response.headers['location']).split('#signInError=');
  expect([response.status, page]).toEqual([303, CONSOLE_URL]);
  expect([...cookiesOf(response).values()].filter(([value]) => value !== '')).toEqual([]);
  return code;
}

const auditLines = () =>
  readFileSync(auditLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ operation }) => operation !== 'createToken')
    .map(({ operation, owner, outcome }) => [operation, owner, outcome]);

describe('signing in at a provider', () => {
  it('goes there and back, and starts a session of the owner that issuer and subject name', async () => {
    const browser = new TestBrowser();
    const login = await browser.get(server, '/auth/login');
    expect(login.status).toBe(303);
    expect(login.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const [[name, [value, ...attributes]]] = [...cookiesOf(login)] as [[string, string[]]];
    expect(name).toMatch(/^__Host-map-locations-[0-9a-f]{8}-sign-in$/);
    expect(value).toMatch(/^[\w-]{43}$/);
    expect(attributes).toEqual(['Max-Age=600', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']);

    const response = await browser.signIn(server);
    expect([response.status, response.headers['location']]).toEqual([303, CONSOLE_URL]);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const [cleared, session] = [...cookiesOf(response)];
    expect(cleared).toEqual([name, ['', 'Max-Age=0', ...attributes.slice(1)]]);
    expect(session?.[0]).toBe(name.replace('-sign-in', ''));
    expect(session?.[1].slice(1)).toEqual([
      ...['Max-Age=7776000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict'],
    ]);
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
    expect(auditLines()).toEqual([
      ['createAccount', nameOf('anna'), 'ok'],
      ['signIn', nameOf('anna'), 'ok'],
    ]);
  });

  it('is offered by the name of the provider', async () => {
    const offered = async (at: TestServer) =>
      (await at.request('GET', '/auth/options', { token: null })).json;
    expect((await offered(server)).provider).toBe(new URL(provider.issuer).host);
    const named = await start({ OIDC_LABEL: 'Museum account', PASSWORD_SIGN_IN: '0' });
    expect(await offered(named)).toEqual({ password: false, provider: 'Museum account', isSignedIn: false });
    await named.close();
    const without = await createTestServer();
    expect((await offered(without)).provider).toBeNull();
    for (const path of ['/auth/login', '/auth/callback?code=a&state=b']) {
      const { status, json } = await without.request('GET', path, { token: null });
      expect([status, json]).toEqual([
        404,
        { code: 'NOT_FOUND', message: 'This server has no identity provider.' },
      ]);
    }
    await without.close();
  });

  it('starts another session each time, and ends the former one of the browser', async () => {
    const browser = new TestBrowser();
    await browser.signIn(server);
    const first = browser.headers;
    const callback = await browser.goToProvider(server);
    // A browser does not send its Strict cookie on the way back.
    const [session] = first.cookie.split('=');
    browser.cookies.delete(String(session));
    await browser.get(server, callback);
    expect(browser.headers).not.toEqual(first);
    expect([await viewerOf(first), await viewerOf(browser.headers)]).toEqual([null, nameOf('anna')]);
  });

  it('ignores a session and a sign-in that somebody else planted', async () => {
    const browser = new TestBrowser();
    const [name] = cookiesOf(await browser.get(server, '/auth/login')).keys();
    browser.cookies.set(String(name).replace('-sign-in', ''), `mls_${'x'.repeat(43)}`);
    await browser.signIn(server);
    expect(browser.headers.cookie).not.toContain('xxx');
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
    const link = await server.gateway.services.accounts.create('ben', { withLink: true });
    for (const value of [String(link?.secret), 'x', '']) {
      browser.cookies.set(String(name), value);
      expect(failureOf(await browser.get(server, '/auth/callback?code=a&state=b'))).toBe('state_mismatch');
    }
    expect((await postAuth(server, 'setup', { secret: link?.secret, password: PASSWORD })).status).toBe(200);
  });

  it('finds the account again, whatever the person is called', async () => {
    for (const name of ['anna', 'ben', 'anna']) await new TestBrowser().signIn(server, { name });
    expect(await server.gateway.storage.listAccounts()).toHaveLength(2);
    expect((await server.gateway.services.accounts.list()).map((account) => account.name).sort()).toEqual([
      nameOf('anna'),
      nameOf('ben'),
    ]);
  });

  it('is not the account of a password, whatever its name and the e-mail address', async () => {
    await signUp(server, 'anna');
    const browser = new TestBrowser();
    provider.claims = (claims) => {
      claims['email'] = 'anna';
      claims['preferred_username'] = 'anna';
      claims['name'] = 'anna';
    };
    await browser.signIn(server);
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
    const failed = await postAuth(server, 'sign-in', { name: nameOf('anna'), password: PASSWORD });
    expect(failed.status).toBe(401);
  });
});

describe('the name that the provider has for a person', () => {
  const named = (name: unknown) => (claims: Record<string, unknown>) => {
    claims['name'] = name;
  };
  const graphqlOf =
    (browser: TestBrowser) =>
    async (query: string, variables: unknown = {}): Promise<ReturnType<typeof dataOf>> => {
      const response = await server.request('POST', '/graphql', {
        token: null,
        headers: { ...OWN_PAGE, ...browser.headers },
        body: { query, variables },
      });
      return dataOf(response);
    };
  const ACCOUNT = '{ viewer { owner account { name displayName } } }';
  const displayNameOf = async (browser: TestBrowser): Promise<string> =>
    (await graphqlOf(browser)(ACCOUNT)).viewer.account.displayName;

  it('is shown instead of issuer and subject, which stay the name of the owner', async () => {
    provider.claims = named('Anna <b>Bäcker</b>');
    const browser = new TestBrowser();
    await browser.signIn(server);
    const graphql = graphqlOf(browser);
    const [owner, name] = [nameOf('anna'), 'Anna <b>Bäcker</b>'];
    expect(await graphql(ACCOUNT)).toEqual({
      viewer: { owner, account: { name: owner, displayName: name } },
    });
    const fields = '[{ name: "Name", type: placeName }, { name: "Address", type: address }]';
    const { createMap } = await graphql(
      `mutation { createMap(input: { name: "M", fields: ${fields} }) { map { id } } }`,
    );
    const { id } = createMap.map;
    const { createInvitation } = await graphql(
      `
        mutation ($id: ID!) {
          createInvitation(input: { mapId: $id, role: viewer }) {
            secret
            invitation {
              createdBy
              createdByOwner
            }
          }
          createLocation(
            input: {
              mapId: $id
              fields: { Name: "A", Address: "1" }
              position: { latitude: 1, longitude: 2 }
            }
          ) {
            location {
              id
            }
          }
        }
      `,
      { id },
    );
    const created = { createdBy: name, createdByOwner: owner };
    expect(createInvitation.invitation).toEqual(created);
    const shown = await graphql(
      `
        query ($id: ID!, $secret: String!, $owner: String!, $name: String!) {
          invitation(secret: $secret) {
            invitedBy
            invitedByOwner
          }
          map(id: $id) {
            members {
              name
              displayName
            }
            invitations {
              createdBy
              createdByOwner
            }
            history {
              nodes {
                by {
                  kind
                  name
                  owner
                }
              }
            }
            byOwner: history(filter: { by: $owner }) {
              nodes {
                operation
              }
            }
            byName: history(filter: { by: $name }) {
              nodes {
                operation
              }
            }
            byAnother: history(filter: { by: "Anna" }) {
              nodes {
                operation
              }
            }
          }
        }
      `,
      { id, secret: createInvitation.secret, owner, name },
    );
    const calls = { nodes: [{ operation: 'createLocation' }] };
    expect(shown).toEqual({
      invitation: { invitedBy: name, invitedByOwner: owner },
      map: {
        members: [{ name: owner, displayName: name }],
        invitations: [created],
        history: { nodes: [{ by: { kind: 'account', name, owner } }] },
        ...{ byOwner: calls, byName: calls, byAnother: { nodes: [] } },
      },
    });
    expect(auditLines().map(([, each]) => each)).toEqual(Array(5).fill(owner));
  });

  it('is taken from its userinfo, and replaced at each sign-in', async () => {
    const browser = new TestBrowser();
    await browser.signIn(server);
    expect(await displayNameOf(browser)).toBe('Name of anna');
    provider.claims = named('Anna');
    await browser.signIn(server);
    expect(await displayNameOf(browser)).toBe('Anna');
  });

  it('is the owner’s name while the provider has none, or none that can be shown', async () => {
    const browser = new TestBrowser();
    provider.fault = (request, response) => {
      if (request.url !== '/me') return provider.pass(request, response);
      response.writeHead(500).end();
    };
    for (const name of [undefined, 7, '', ' ', 'Anna\nBen', '\ud800', 'x'.repeat(257)]) {
      provider.claims = named('Anna');
      await browser.signIn(server);
      expect(await displayNameOf(browser)).toBe('Anna');
      provider.claims = named(name);
      await browser.signIn(server);
      expect([name, await displayNameOf(browser)]).toEqual([name, nameOf('anna')]);
    }
    provider.claims = named('😀'.repeat(256));
    await browser.signIn(server);
    expect(await displayNameOf(browser)).toBe('😀'.repeat(256));
  });

  it('may be that of somebody else, whose account stays another one', async () => {
    await signUp(server, 'Anna');
    provider.claims = named('Anna');
    for (const subject of ['anna', 'ben']) {
      const browser = new TestBrowser();
      await browser.signIn(server, { name: subject });
      expect((await graphqlOf(browser)(ACCOUNT)).viewer).toEqual({
        owner: nameOf(subject),
        account: { name: nameOf(subject), displayName: 'Anna' },
      });
    }
    expect(
      (await server.gateway.services.accounts.list()).map(({ name, displayName }) => [name, displayName]),
    ).toEqual([
      ['Anna', 'Anna'],
      [nameOf('anna'), 'Anna'],
      [nameOf('ben'), 'Anna'],
    ]);
    expect((await postAuth(server, 'sign-in', { name: 'Anna', password: PASSWORD })).status).toBe(200);
  });

  it('is forgotten when the account is disabled, and not stored by a sign-in that is refused', async () => {
    const { accounts } = server.gateway.services;
    const displayName = async () => (await accounts.list())[0]?.displayName;
    provider.claims = named('Anna');
    await new TestBrowser().signIn(server);
    expect(await displayName()).toBe('Anna');
    await accounts.disable(nameOf('anna'));
    expect(await displayName()).toBe(nameOf('anna'));
    expect(failureOf(await new TestBrowser().signIn(server))).toBe('not_allowed');
    expect(await displayName()).toBe(nameOf('anna'));
  });
});

describe('a callback', () => {
  it('without the cookie signs nobody in, so that nobody gets into another’s account', async () => {
    const attacker = new TestBrowser();
    const callback = await attacker.goToProvider(server, { name: 'attacker' });
    const victim = new TestBrowser();
    expect(failureOf(await victim.get(server, callback))).toBe('state_mismatch');
    await victim.get(server, '/auth/login');
    expect(failureOf(await victim.get(server, callback))).toBe('state_mismatch');
    expect(victim.headers.cookie).toBe('');
    expect(await server.gateway.storage.listAccounts()).toEqual([]);
  });

  it('that is forged leaves the sign-in of the browser as it is', async () => {
    const browser = new TestBrowser();
    const callback = await browser.goToProvider(server);
    for (const forged of ['', '?code=a', '?code=a&state=b', '?error=access_denied&state=b']) {
      expect(failureOf(await browser.get(server, `/auth/callback${forged}`))).toBe('state_mismatch');
    }
    await browser.get(server, callback);
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
  });

  it('works once, and only for ten minutes', async () => {
    const browser = new TestBrowser();
    const callback = await browser.goToProvider(server);
    const cookies = new Map(browser.cookies);
    await browser.get(server, callback);
    const replay = new TestBrowser();
    for (const [name, value] of cookies) replay.cookies.set(name, value);
    const before = provider.requests.length;
    expect(failureOf(await replay.get(server, callback))).toBe('state_mismatch');
    expect(provider.requests).toHaveLength(before);

    const late = await replay.goToProvider(server);
    now += 10 * MINUTE;
    expect(failureOf(await replay.get(server, late))).toBe('state_mismatch');
  });

  it('works once also if it comes twice at the same time', async () => {
    const browser = new TestBrowser();
    const callback = await browser.goToProvider(server);
    const responses = await Promise.all([browser.get(server, callback), browser.get(server, callback)]);
    const locations = responses.map(({ headers }) => headers['location']).sort();
    expect(locations).toEqual([CONSOLE_URL, `${CONSOLE_URL}#signInError=state_mismatch`]);
  });

  it('with a code that was used elsewhere is invalid', async () => {
    const [one, other] = [new TestBrowser(), new TestBrowser()];
    const used = new URL(await one.goToProvider(server), REDIRECT_URI);
    await one.get(server, used.pathname + used.search);
    const fresh = new URL(await other.goToProvider(server), REDIRECT_URI);
    fresh.searchParams.set('code', String(used.searchParams.get('code')));
    expect(failureOf(await other.get(server, fresh.pathname + fresh.search))).toBe('invalid_response');
  });

  it('is not used up by HEAD, and allows no other method', async () => {
    const browser = new TestBrowser();
    const callback = await browser.goToProvider(server);
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    for (const method of ['HEAD', 'POST']) {
      const response = await server.request(method, callback, { token: null, headers: { cookie } });
      expect([method, response.status, response.headers['allow']]).toEqual([method, 405, 'GET, OPTIONS']);
    }
    await browser.get(server, callback);
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
  });

  it('leaves neither code, state, cookie nor token in the log', async () => {
    const browser = new TestBrowser();
    const callback = await browser.goToProvider(server);
    const secrets = [...new URLSearchParams(callback.split('?')[1]).values(), ...browser.cookies.values()];
    await browser.get(server, callback);
    await browser.get(server, callback);
    const { idToken } = (
      await server.gateway.storage.listSessions(
        (await server.gateway.storage.findOwnerByName(nameOf('anna')))!.id,
      )
    )[0]!;
    const log = server.log.join('') + readFileSync(auditLog, 'utf8');
    expect(log).toContain('state_mismatch');
    expect(secrets.filter((secret) => secret !== provider.issuer).length).toBeGreaterThanOrEqual(3);
    for (const secret of [...secrets, ...browser.cookies.values(), String(idToken)]) {
      if (secret !== provider.issuer) expect(log).not.toContain(secret);
    }
  });
});

describe('a person', () => {
  it('who declines is back at the console', async () => {
    const browser = new TestBrowser();
    expect(failureOf(await browser.signIn(server, { declines: true }))).toBe('access_denied');
  });

  it('without an account is refused with OIDC_ALLOW_SIGN_UP=0, until there is one', async () => {
    const closed = await start({ OIDC_ALLOW_SIGN_UP: '0' });
    expect(failureOf(await new TestBrowser().signIn(closed))).toBe('not_allowed');
    expect(await closed.gateway.storage.findOwnerByName(nameOf('anna'))).toBeNull();
    expect(auditLines()).toEqual([['signInFailed', nameOf('anna'), 'FORBIDDEN']]);
    await closed.gateway.services.accounts.create(nameOf('anna'), { withLink: false });
    const browser = new TestBrowser();
    await browser.signIn(closed);
    expect(await viewerOf(browser.headers, closed)).toBe(nameOf('anna'));
    await closed.close();
  });

  it('whose account is disabled is refused, until it is enabled', async () => {
    const browser = new TestBrowser();
    await browser.signIn(server);
    const { accounts } = server.gateway.services;
    await accounts.disable(nameOf('anna'));
    expect(await viewerOf(browser.headers)).toBeNull();
    expect(failureOf(await new TestBrowser().signIn(server))).toBe('not_allowed');
    await accounts.enable(nameOf('anna'));
    await browser.signIn(server);
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
  });

  it('is the owner that a JWT of the same issuer and subject names', async () => {
    const { tokens } = server.gateway.services;
    const before = await tokens.findOrCreateOwner(nameOf('anna'));
    const browser = new TestBrowser();
    await browser.signIn(server);
    expect((await server.gateway.storage.listAccounts()).map(({ ownerId }) => ownerId)).toEqual([
      before.owner.id,
    ]);
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
  });

  it('who is the first is an owner of the demo map, but not the demo’s owner', async () => {
    const { storage, services } = server.gateway;
    const token = await server.createToken({ owner: 'demo' });
    const fields = '[{ name: "Name", type: placeName }, { name: "Address", type: address }]';
    const made: string[] = [];
    for (const name of ['Demo', 'Mine']) {
      const created = await server.graphql(
        `mutation { createMap(input: { name: "${name}", fields: ${fields} }) { map { id } } }`,
        {},
        token,
      );
      made.push(dataOf(created).createMap.map.id as string);
    }
    await services.demoMap.remember(made[0]!);
    const namesOf = async (name: string) => {
      const browser = new TestBrowser();
      await browser.signIn(server, { name });
      const response = await server.request('POST', '/graphql', {
        token: null,
        headers: { ...OWN_PAGE, ...browser.headers },
        body: { query: '{ viewer { maps { nodes { name myRole } } } }' },
      });
      return dataOf(response).viewer.maps.nodes as unknown;
    };
    expect(await namesOf('anna')).toEqual([{ name: 'Demo', myRole: 'owner' }]);
    expect(await namesOf('ben')).toEqual([]);
    expect((await storage.findOwnerByName('demo'))?.name).toBe('demo');
  });
});

describe('while the provider is down', () => {
  const REFUSE: NonNullable<TestProvider['fault']> = (request) => request.socket.destroy();

  it('sessions go on, and signing in says so', async () => {
    const browser = new TestBrowser();
    await browser.signIn(server);
    const callback = await new TestBrowser().goToProvider(server);
    provider.fault = REFUSE;
    expect(await viewerOf(browser.headers)).toBe(nameOf('anna'));
    expect(callback).toContain('code=');
    const fresh = await start();
    expect(failureOf(await new TestBrowser().get(fresh, '/auth/login'))).toBe('issuer_unavailable');
    const warnings = fresh.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => level === 40);
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'issuer_unavailable', msg: 'Signing in at the provider failed' }),
    ]);
    provider.fault = null;
    expect((await new TestBrowser().get(fresh, '/auth/login')).headers['location']).toContain(
      provider.issuer,
    );
    await fresh.close();
  });

  it('a callback says so, too', async () => {
    const browser = new TestBrowser();
    const callback = await browser.goToProvider(server);
    provider.fault = REFUSE;
    expect(failureOf(await browser.get(server, callback))).toBe('issuer_unavailable');
  });

  it('signing in gives up after five seconds if nothing responds', async () => {
    const fresh = await start();
    provider.fault = () => {};
    const since = performance.now();
    expect(failureOf(await new TestBrowser().get(fresh, '/auth/login'))).toBe('issuer_unavailable');
    expect(performance.now() - since).toBeGreaterThan(4_900);
    await fresh.close();
  });

  it('signing out works here', async () => {
    const browser = new TestBrowser();
    await browser.signIn(server);
    const fresh = await start({ DATABASE_URL: `sqlite:${join(folder, 'out.db')}` });
    await browser.signIn(fresh);
    provider.fault = REFUSE;
    const response = await postAuth(fresh, 'sign-out', {}, browser.headers);
    expect(response.status).toBe(200);
    expect(await viewerOf(browser.headers, fresh)).toBeNull();
    await fresh.close();
  });
});

describe('signing out', () => {
  it('ends the session here, and names the page that ends it at the provider', async () => {
    const sealed = await start({ SECRET_KEY: 'k'.repeat(32) });
    const browser = new TestBrowser();
    await browser.signIn(sealed);
    const owner = await sealed.gateway.storage.findOwnerByName(nameOf('anna'));
    const [session] = await sealed.gateway.storage.listSessions(owner!.id);
    expect(session?.userAgent).toBe('Test/1');
    expect(session?.idToken).toMatch(/^aes-256-gcm:/);
    const { json } = await postAuth(sealed, 'sign-out', {}, browser.headers);
    const url = new URL(json.endSessionUrl);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(CONSOLE_URL);
    const [, payload = ''] = String(url.searchParams.get('id_token_hint')).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ sub: 'anna' });
    expect(await viewerOf(browser.headers, sealed)).toBeNull();
    expect(auditLines().at(-1)).toEqual(['signOut', nameOf('anna'), 'ok']);
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/session/end/confirm')]);
    await sealed.close();
  });

  it('names no such page for the session of a password, or if the id token cannot be opened', async () => {
    const jar = await signUp(server, 'ben');
    expect((await postAuth(server, 'sign-out', {}, jar)).json).toEqual({ endSessionUrl: null });
    const database = { DATABASE_URL: `sqlite:${join(folder, 'keys.db')}` };
    const sealed = await start({ ...database, SECRET_KEY: 'k'.repeat(32) });
    const browser = new TestBrowser();
    await browser.signIn(sealed);
    await sealed.close();
    const rotated = { ...database, SECRET_KEY: 'l'.repeat(32), SECRET_KEY_FALLBACK: 'k'.repeat(32) };
    const between = await start(rotated);
    await rotateSecrets(between.gateway.storage, createSecrets('l'.repeat(32), 'k'.repeat(32)));
    await between.close();
    const after = await start({ ...database, SECRET_KEY: 'l'.repeat(32) });
    const { status, json } = await postAuth(after, 'sign-out', {}, browser.headers);
    expect([status, json]).toEqual([200, { endSessionUrl: null }]);
    await after.close();
  });
});

describe('returnTo', () => {
  it.each([
    ['/console', CONSOLE_URL],
    ['/console#/maps/a', `${CONSOLE_URL}#/maps/a`],
    ['/console?a=b#c', `${CONSOLE_URL}?a=b#c`],
    ['/base/console#/maps/a', `${CONSOLE_URL}#/maps/a`],
    ['/', CONSOLE_URL],
    ['/consoles', CONSOLE_URL],
    ['/console/../graphiql', CONSOLE_URL],
    ['//evil.example/console', CONSOLE_URL],
    ['/\\evil.example/console', CONSOLE_URL],
    ['https://evil.example/console', CONSOLE_URL],
    ['javascript:alert(1)', CONSOLE_URL],
    ['/console#\r\nset-cookie: a=b', `${CONSOLE_URL}#set-cookie:%20a=b`],
    [`/console#${'x'.repeat(3_000)}`, CONSOLE_URL],
  ])('%j leads to %s', async (returnTo, url) => {
    const response = await new TestBrowser().signIn(server, { returnTo });
    expect(response.headers['location']).toBe(url);
  });

  it('never leads away from the console', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '\\',
        '//',
        ':',
        '@',
        '..',
        '.',
        '%2e',
        '%2f',
        '%5c',
        '?',
        '#',
        '\t',
        '\n',
        'https:',
      ),
      fc.constantFrom('/console', '/base/console', 'evil.example', 'maps.test', 'javascript:'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const result = returnUrlOf(pieces.join(''), CONSOLE_URL);
        const { origin, pathname, username } = new URL(result);
        expect([origin, pathname, username]).toEqual(['https://maps.test', '/base/console', '']);
        expect(result).toMatch(/^[\x21-\x7e]+$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('several processes', () => {
  it('complete what another one has started, and know its sessions', async () => {
    const database = { DATABASE_URL: `sqlite:${join(folder, 'shared.db')}` };
    const [one, other] = [await start(database), await start(database)];
    const browser = new TestBrowser();
    await browser.get(other, await browser.goToProvider(one));
    expect(await viewerOf(browser.headers, one)).toBe(nameOf('anna'));
    expect(await viewerOf(browser.headers, other)).toBe(nameOf('anna'));
    await Promise.all([one.close(), other.close()]);
  });
});

describe('the rate limit', () => {
  it('counts both ways for the address', async () => {
    const limited = await start({ RATE_LIMIT: '3' });
    const browser = new TestBrowser();
    const statuses = [];
    for (const path of ['/auth/login', '/auth/callback', '/auth/login', '/auth/login', '/auth/callback']) {
      statuses.push((await browser.get(limited, path)).status);
    }
    expect(statuses).toEqual([303, 303, 303, 429, 429]);
    await limited.close();
  });
});
