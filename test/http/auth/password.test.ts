/** Signing in with a password over HTTP: links, cookies, failures and their limit. */

import type { TestResponse, TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import {
  cheapPasswords,
  cookieOf,
  jarOf,
  OWN_PAGE,
  PASSWORD,
  postAuth,
  signUp,
} from '../../support/sign-in.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const NOT_FOUND = {
  code: 'SIGN_IN_LINK_NOT_FOUND',
  message: 'The link is not valid: it is unknown, used or expired.',
};
const FAILED = { code: 'SIGN_IN_FAILED', message: 'The name or the password is wrong.' };

/** Why the length of a password is refused. */
const LENGTH = { reason: 'passwordLength', min: 10, max: 256 };

describe('signing in with a password', () => {
  let server: TestServer;
  let now = NOW;
  const { passwords, calls } = cheapPasswords();
  beforeEach(async () => {
    now = NOW;
    calls.length = 0;
    server = await createTestServer({}, { clock: () => now, passwords });
  });
  afterEach(() => server.close());

  const post = (name: string, body: unknown, headers?: Record<string, string>) =>
    postAuth(server, name, body, headers);
  const signIn = (name: string, password = PASSWORD, headers?: Record<string, string>) =>
    post('sign-in', { name, password }, headers);
  /** Whose session the cookie is; null for none. */
  const viewerOf = async (headers: Record<string, string>): Promise<string | null> => {
    const response = await server.request('POST', '/graphql', {
      token: null,
      headers: { ...OWN_PAGE, ...headers },
      body: { query: '{ viewer { owner scope token { id } } }' },
    });
    return response.json.data?.viewer?.owner ?? null;
  };
  const accounts = () => server.gateway.services.accounts;

  it('needs an account, which a link sets up once', async () => {
    const link = (await accounts().create('anna', { withLink: true }))!;
    expect((await post('link', { secret: link.secret })).json).toEqual({ purpose: 'setup', name: 'anna' });
    expect((await signIn('anna')).json).toEqual(FAILED);
    const response = await post('setup', { secret: link.secret, password: PASSWORD });
    expect([response.status, response.json]).toEqual([200, {}]);
    expect(await viewerOf(jarOf(response))).toBe('anna');
    for (const name of ['setup', 'link'])
      expect((await post(name, { secret: link.secret, password: PASSWORD })).json).toEqual(NOT_FOUND);
    expect(await viewerOf(jarOf(await signIn('anna')))).toBe('anna');
  });

  it('sets a cookie for this server only, which no script reads', async () => {
    await signUp(server, 'anna');
    const [pair, ...attributes] = cookieOf(await signIn('anna'));
    expect(pair).toMatch(/^__Host-map-locations-[0-9a-f]{8}=mls_[\w-]{43}$/);
    expect(attributes).toEqual(['Max-Age=7776000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']);
  });

  it('responds without caching and without a referrer', async () => {
    const link = await post('link', { secret: 'x' });
    const options = await server.request('GET', '/auth/options', { token: null });
    expect(link.status).toBe(404);
    for (const { headers } of [link, options]) {
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    }
  });

  it('offers its ways, and says whether the session is valid', async () => {
    const options = async (headers: Record<string, string> = {}) =>
      (await server.request('GET', '/auth/options', { token: null, headers })).json;
    expect(await options()).toEqual({ password: true, provider: null, isSignedIn: false });
    const jar = await signUp(server, 'anna');
    expect(await options(jar)).toEqual({ password: true, provider: null, isSignedIn: true });
    await post('sign-out', {}, jar);
    expect(await options(jar)).toEqual({ password: true, provider: null, isSignedIn: false });
  });

  it.each([
    ['a wrong password', 'anna', 'wrong password', 1],
    ['an unknown name', 'nobody', PASSWORD, 1],
    ['an impossible name', '\u0007', PASSWORD, 1],
    ['a password that is too long', 'anna', 'x'.repeat(3_000), 1],
    ['a disabled account', 'disabled', PASSWORD, 1],
    ['an account without a password', 'fresh', PASSWORD, 1],
  ])('is refused alike, and computes as much, for %s', async (_case, name, password, computed) => {
    await signUp(server, 'anna');
    await signUp(server, 'disabled');
    await accounts().disable('disabled');
    await accounts().create('fresh', { withLink: true });
    calls.length = 0;
    const response = await signIn(name, password);
    expect([response.status, response.json]).toEqual([401, FAILED]);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(calls).toHaveLength(computed);
  });

  it.each([
    ['short', '123456789', { message: 'password must have 10 to 256 characters.', ...LENGTH }],
    ['long', 'ü'.repeat(257), { message: 'password must have 10 to 256 characters.', ...LENGTH }],
    [
      'among the most used',
      'Password123',
      { message: 'password must not be one of the most used passwords.', reason: 'passwordCommon' },
    ],
  ])('refuses a new password that is %s, and the link stays valid', async (_case, password, refusal) => {
    const { secret } = (await accounts().create('anna', { withLink: true }))!;
    const response = await post('setup', { secret, password });
    expect([response.status, response.json]).toEqual([400, { code: 'BAD_USER_INPUT', ...refusal }]);
    expect((await post('setup', { secret, password: '😀'.repeat(256) })).status).toBe(200);
  });

  it('takes a password as the same, however its letters are composed', async () => {
    const { secret } = (await accounts().create('anna', { withLink: true }))!;
    await post('setup', { secret, password: 'Schöne Grüße' });
    expect((await signIn('anna', 'Schöne Grüße'.normalize('NFD'))).status).toBe(200);
  });

  it.each([
    [{}, 'name is required.'],
    [{ name: 'anna' }, 'password is required.'],
    [{ name: 1, password: PASSWORD }, 'name must be a string.'],
    [{ name: 'anna', password: ['x'] }, 'password must be a string.'],
    [[], 'The body must be a JSON object.'],
  ])('names what is wrong with the body %j', async (body, message) => {
    const response = await post('sign-in', body);
    expect([response.status, response.json]).toEqual([400, { code: 'BAD_USER_INPUT', message }]);
  });

  it('accepts JSON only', async () => {
    const response = await server.request('POST', '/auth/sign-in', {
      token: null,
      headers: { ...OWN_PAGE, 'content-type': 'text/plain' },
      body: JSON.stringify({ name: 'anna', password: PASSWORD }),
    });
    expect([response.status, response.json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('replaces the session that the browser had', async () => {
    const former = await signUp(server, 'anna');
    const response = await signIn('anna', PASSWORD, former);
    expect(jarOf(response)).not.toEqual(former);
    expect([await viewerOf(former), await viewerOf(jarOf(response))]).toEqual([null, 'anna']);
  });

  it('never makes a session of a secret that the browser brings', async () => {
    await signUp(server, 'anna');
    const [pair = ''] = cookieOf(await signIn('anna'));
    const name = pair.slice(0, pair.indexOf('='));
    const planted = { cookie: `${name}=mls_${'A'.repeat(43)}` };
    const response = await signIn('anna', PASSWORD, planted);
    expect(jarOf(response)).not.toEqual(planted);
    expect(await viewerOf(planted)).toBeNull();
  });

  it('ends with the session, when signing out', async () => {
    const jar = await signUp(server, 'anna');
    const other = jarOf(await signIn('anna'));
    const response = await post('sign-out', undefined, jar);
    expect([response.status, response.json]).toEqual([200, { endSessionUrl: null }]);
    expect(cookieOf(response)).toContain('Max-Age=0');
    expect([await viewerOf(jar), await viewerOf(other)]).toEqual([null, 'anna']);
    expect((await post('sign-out', {}, jar)).status).toBe(200);
  });

  it('lasts 14 days after the last use, and 90 days at most', async () => {
    const jar = await signUp(server, 'anna');
    const saved = () => server.gateway.services.sessions.saveUses();
    for (let days = 13; days < 90; days += 13) {
      now = NOW + days * DAY;
      expect([days, await viewerOf(jar)]).toEqual([days, 'anna']);
      await saved();
    }
    now = NOW + 90 * DAY;
    expect(await viewerOf(jar)).toBeNull();
    now = NOW;
    const idle = jarOf(await signIn('anna'));
    now = NOW + 14 * DAY;
    expect(await viewerOf(idle)).toBeNull();
  });

  it('keeps at most 100 sessions of an account: the oldest end', async () => {
    const first = await signUp(server, 'anna');
    now += 1;
    const second = jarOf(await signIn('anna'));
    now += 1;
    for (let count = 2; count < 101; count += 1) await signIn('anna');
    expect([await viewerOf(first), await viewerOf(second)]).toEqual([null, 'anna']);
  });

  describe('after ten failures in 15 minutes', () => {
    const fail = (name: string, headers?: Record<string, string>) => signIn(name, 'wrong password', headers);
    /** From another address each, as a proxy says. */
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const BODY = {
      code: 'RATE_LIMITED',
      message: 'Too many failed attempts to sign in; wait and try again.',
    };
    beforeEach(async () => {
      await server.close();
      server = await createTestServer({ TRUST_PROXY: 'loopback' }, { clock: () => now, passwords });
    });

    it('is refused for that account with the right password too, while open sessions go on', async () => {
      const jar = await signUp(server, 'anna');
      for (let index = 0; index < 10; index += 1) {
        expect((await fail('anna', from(`10.0.0.${index}`))).status).toBe(401);
        now += MINUTE;
      }
      calls.length = 0;
      const refused = await signIn('anna', PASSWORD, from('10.0.1.1'));
      expect([refused.status, refused.json]).toEqual([429, BODY]);
      expect(refused.headers['retry-after']).toBe('300');
      expect(calls).toEqual([]);
      expect(await viewerOf(jar)).toBe('anna');
      now += 5 * MINUTE;
      expect((await signIn('anna', PASSWORD, from('10.0.1.1'))).status).toBe(200);
      // The first failure has stopped counting, and one more fills the limit again.
      expect((await fail('anna', from('10.0.1.2'))).status).toBe(401);
      expect((await fail('anna', from('10.0.1.3'))).status).toBe(429);
    });

    it('is refused with the same body for a name that nobody has', async () => {
      await signUp(server, 'anna');
      const bodies = new Map<string, TestResponse>();
      for (const name of ['anna', 'nobody']) {
        for (let index = 0; index < 10; index += 1) await fail(name, from(`10.0.0.${index}`));
        bodies.set(name, await fail(name, from('10.0.1.1')));
      }
      const [known, unknown] = [bodies.get('anna')!, bodies.get('nobody')!];
      expect([unknown.status, unknown.text]).toEqual([429, known.text]);
      expect(unknown.headers['retry-after']).toBe(known.headers['retry-after']);
    });

    it('is refused from that address for any account, and nowhere else', async () => {
      await signUp(server, 'anna');
      for (let index = 0; index < 10; index += 1) await fail(`name ${index}`, from('10.0.0.1'));
      expect((await signIn('anna', PASSWORD, from('10.0.0.1'))).json).toEqual(BODY);
      expect((await signIn('anna', PASSWORD, from('10.0.0.2'))).status).toBe(200);
    });

    it('is refused from the whole network of an IPv6 address, which is one client', async () => {
      await signUp(server, 'anna');
      for (let index = 0; index < 10; index += 1) {
        await fail(`name ${index}`, from(`2001:db8:1:2::${index}`));
      }
      expect((await signIn('anna', PASSWORD, from('2001:db8:1:2:ffff::1'))).json).toEqual(BODY);
      expect((await signIn('anna', PASSWORD, from('2001:db8:1:3::1'))).status).toBe(200);
    });

    it('is not refused for sign-ins that succeed', async () => {
      await signUp(server, 'anna');
      for (let index = 0; index < 25; index += 1) expect((await signIn('anna')).status).toBe(200);
    });

    it('is refused also when they come at the same time', async () => {
      await signUp(server, 'anna');
      const responses = await Promise.all(Array.from({ length: 30 }, () => fail('anna')));
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
    });
  });

  describe('with the link of a first start', () => {
    const issue = async () => (await accounts().issueFirstLink()).secret;

    it('makes the first account, under a name that its person chooses', async () => {
      const secret = await issue();
      expect((await post('link', { secret })).json).toEqual({ purpose: 'setup', name: null });
      const response = await post('setup', { secret, name: 'Änne', password: PASSWORD });
      expect(await viewerOf(jarOf(response))).toBe('Änne');
      expect((await post('setup', { secret, name: 'ben', password: PASSWORD })).json).toEqual(NOT_FOUND);
    });

    it('makes no second account', async () => {
      const [secret, other] = [await issue(), await issue()];
      await post('setup', { secret, name: 'anna', password: PASSWORD });
      for (const name of ['link', 'setup']) {
        const response = await post(name, { secret: other, name: 'ben', password: PASSWORD });
        expect([response.status, response.json]).toEqual([404, NOT_FOUND]);
      }
    });

    it('expires after 24 hours', async () => {
      const secret = await issue();
      now += DAY - 1;
      expect((await post('link', { secret })).status).toBe(200);
      now += 1;
      expect((await post('setup', { secret, name: 'anna', password: PASSWORD })).json).toEqual(NOT_FOUND);
    });

    it('takes no name of another owner, and stays valid then', async () => {
      const secret = await issue();
      const taken = await post('setup', { secret, name: 'tester', password: PASSWORD });
      expect([taken.status, taken.json]).toEqual([
        409,
        { code: 'NAME_TAKEN', message: 'name is taken; choose another one.' },
      ]);
      expect((await post('setup', { secret, name: 'anna', password: PASSWORD })).status).toBe(200);
    });

    it.each([
      ['a blank one', ' ', /^name must be 1 to 128 characters/],
      ['one with a space at its end', 'anna ', /must not begin or end with a space/],
      ['one of a provider', 'https://id.example.org#anna', /names accounts of an OpenID Connect provider/],
      ['a long one', 'x'.repeat(129), /^name must be 1 to 128 characters/],
    ])('takes no name like %s', async (_case, name, message) => {
      const response = await post('setup', { secret: await issue(), name, password: PASSWORD });
      expect([response.status, response.json]).toEqual([
        400,
        { code: 'BAD_USER_INPUT', message: expect.stringMatching(message) as unknown },
      ]);
    });

    it('works for one of several requests at the same time', async () => {
      const secret = await issue();
      const responses = await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) => post('setup', { secret, name, password: PASSWORD })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
      expect(await accounts().list()).toHaveLength(1);
    });
  });

  describe('after a reset by the operator', () => {
    it('needs a new password, and earlier sessions have ended', async () => {
      const jar = await signUp(server, 'anna');
      const { secret } = await accounts().reset('anna');
      expect(await viewerOf(jar)).toBeNull();
      expect((await signIn('anna')).json).toEqual(FAILED);
      expect((await post('link', { secret })).json).toEqual({ purpose: 'reset', name: 'anna' });
      expect((await post('setup', { secret, password: PASSWORD })).json).toEqual(NOT_FOUND);
      const response = await post('reset', { secret, password: 'another password' });
      expect(await viewerOf(jarOf(response))).toBe('anna');
      expect((await signIn('anna')).json).toEqual(FAILED);
      expect((await signIn('anna', 'another password')).status).toBe(200);
      expect((await post('reset', { secret, password: 'a third password' })).json).toEqual(NOT_FOUND);
    });

    it('only the last link works', async () => {
      await signUp(server, 'anna');
      const [first, second] = [await accounts().reset('anna'), await accounts().reset('anna')];
      expect((await post('reset', { secret: first.secret, password: PASSWORD })).json).toEqual(NOT_FOUND);
      expect((await post('reset', { secret: second.secret, password: PASSWORD })).status).toBe(200);
    });
  });

  it('is refused for a disabled account until it is enabled, and its sessions have ended', async () => {
    const jar = await signUp(server, 'anna');
    await accounts().disable('anna');
    expect(await viewerOf(jar)).toBeNull();
    expect((await signIn('anna')).json).toEqual(FAILED);
    await accounts().enable('anna');
    expect(await viewerOf(jar)).toBeNull();
    expect(await viewerOf(jarOf(await signIn('anna')))).toBe('anna');
  });

  it('is not offered with PASSWORD_SIGN_IN=0', async () => {
    const without = await createTestServer({ PASSWORD_SIGN_IN: '0' });
    const options = await without.request('GET', '/auth/options', { token: null });
    expect(options.json.password).toBe(false);
    for (const name of ['sign-in', 'setup', 'reset']) {
      const response = await postAuth(without, name, { name: 'anna', password: PASSWORD, secret: 'x' });
      expect([response.status, response.json.code]).toEqual([403, 'FORBIDDEN']);
    }
    await without.close();
  });
});

describe('with PUBLIC_URL over http', () => {
  it('the cookie has neither Secure nor the prefix, which browsers would refuse', async () => {
    const { passwords } = cheapPasswords();
    const server = await createTestServer({ PUBLIC_URL: 'http://maps.test' }, { passwords });
    await signUp(server, 'anna');
    const response = await postAuth(server, 'sign-in', { name: 'anna', password: PASSWORD });
    const [pair, ...attributes] = cookieOf(response);
    expect(pair).toMatch(/^map-locations-[0-9a-f]{8}=mls_/);
    expect(attributes).not.toContain('Secure');
    await server.close();
  });

  it('a cookie that a neighbour has added beside it counts as none', async () => {
    const { passwords } = cheapPasswords();
    const server = await createTestServer({ PUBLIC_URL: 'http://maps.test' }, { passwords });
    const [anna, mallory] = [await signUp(server, 'anna'), await signUp(server, 'mallory')];
    const isSignedIn = async (cookie: string) =>
      (await server.request('GET', '/auth/options', { token: null, headers: { cookie } })).json.isSignedIn;
    expect(await isSignedIn(anna.cookie)).toBe(true);
    expect(await isSignedIn(`${mallory.cookie}; ${anna.cookie}`)).toBe(false);
    expect(await isSignedIn(`other=1; ${anna.cookie}; ${anna.cookie.replace('=', '-2=')}`)).toBe(true);
    await server.close();
  });
});
