/** A person's account and sessions in GraphQL: who sees them, ending sessions, and changing the password. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { cheapPasswords, jarOf, OWN_PAGE, PASSWORD, postAuth, signUp } from '../support/sign-in.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SESSION = 'id createdAt lastUsedAt expiresAt userAgent isCurrent';
const NEW_PASSWORD = 'staple battery horse';

type Jar = Readonly<Record<string, string>>;

interface ShownSession {
  readonly id: string;
  readonly lastUsedAt: string;
  readonly userAgent: string | null;
  readonly isCurrent: boolean;
}

describe('the account of a session', () => {
  let now = Date.UTC(2030, 0, 1);
  let server: TestServer;
  let folder: string;
  let names = 0;
  let name: string;
  let jar: Jar;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'account-'));
    server = await createTestServer(
      { AUDIT_LOG: join(folder, 'audit.log') },
      { passwords: cheapPasswords().passwords, clock: () => now },
    );
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    // Attempts from the address of all tests are forgotten.
    now += 20 * MINUTE_MS;
    name = `anna ${names++}`;
    jar = await signUp(server, name);
  });

  const send = (query: string, cookie: Jar = jar, variables: unknown = {}): Promise<TestResponse> =>
    server.request('POST', '/graphql', {
      token: null,
      headers: { ...OWN_PAGE, ...cookie },
      body: { query, variables },
    });
  const signIn = (password = PASSWORD, userAgent = 'Test') =>
    postAuth(server, 'sign-in', { name, password }, { 'user-agent': userAgent });
  const sessionsOf = async (cookie: Jar = jar): Promise<ShownSession[]> =>
    dataOf(await send(`{ viewer { sessions { ${SESSION} } } }`, cookie)).viewer.sessions;
  const end = (ids?: readonly string[], cookie: Jar = jar) =>
    send('mutation ($ids: [ID!]) { endSessions(input: { ids: $ids }) { endedIds } }', cookie, { ids });
  const isSignedIn = async (cookie: Jar) => {
    const codes = codesOf(await send('{ viewer { owner } }', cookie));
    return codes.length === 0;
  };
  const change = (currentPassword: string, newPassword: string, cookie: Jar = jar) =>
    send('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { endedIds } }', cookie, {
      input: { currentPassword, newPassword },
    });
  const auditLines = () =>
    readFileSync(join(folder, 'audit.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ owner }) => owner === name);

  const ACCOUNT = '{ viewer { account { name hasPassword provider createdAt } } }';

  it('is shown to the session and to an unlimited token of its owner', async () => {
    const account = {
      ...{ name, hasPassword: true, provider: null },
      createdAt: new Date(now).toISOString(),
    };
    expect(dataOf(await send(ACCOUNT)).viewer).toEqual({ account });
    const token = await server.createToken({ owner: name });
    expect(dataOf(await server.graphql(ACCOUNT, {}, token)).viewer).toEqual({ account });
  });

  it('is hidden from tokens that are read-only or limited to one map, and null for an owner without one', async () => {
    const map = await makeMap(server, {}, await server.createToken({ owner: name }));
    for (const token of [
      await server.createToken({ owner: name, scope: 'read' }),
      await server.createToken({ owner: name, mapId: map.id }),
      await server.createToken({ owner: 'a program' }),
    ]) {
      expect(dataOf(await server.graphql(ACCOUNT, {}, token)).viewer).toEqual({ account: null });
    }
  });

  it('names its provider', async () => {
    const cookie = await signUp(server, `https://login.example/realm#${name}#1`);
    expect(dataOf(await send(ACCOUNT, cookie)).viewer.account).toMatchObject({
      name: `https://login.example/realm#${name}#1`,
      provider: 'https://login.example/realm',
    });
  });

  it('lists its sessions, the one that was used last first', async () => {
    const first = new Date(now).toISOString();
    now += DAY_MS;
    const other = jarOf(await signIn(PASSWORD, 'Phone'));
    now += DAY_MS;
    const last = new Date(now).toISOString();
    expect(await isSignedIn(jar)).toBe(true);
    await server.gateway.services.sessions.saveUses();
    const phone = {
      id: expect.stringMatching(/^session_/) as unknown,
      createdAt: new Date(now - DAY_MS).toISOString(),
      lastUsedAt: new Date(now - DAY_MS).toISOString(),
      expiresAt: new Date(now + 13 * DAY_MS).toISOString(),
      ...{ userAgent: 'Phone', isCurrent: false },
    };
    const own = {
      id: expect.stringMatching(/^session_/) as unknown,
      ...{ createdAt: first, lastUsedAt: last, expiresAt: new Date(now + 14 * DAY_MS).toISOString() },
      ...{ userAgent: 'lightMyRequest', isCurrent: true },
    };
    expect(await sessionsOf()).toEqual([own, phone]);
    expect((await sessionsOf(other)).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
    now += 14 * DAY_MS;
    const renewed = jarOf(await signIn());
    expect(await sessionsOf(renewed)).toMatchObject([{ isCurrent: true }]);
  });

  it('shows no sessions to a token, nor those of others to a session', async () => {
    const token = await server.createToken({ owner: name });
    const response = await server.graphql('{ viewer { sessions { id } } }', {}, token);
    expect(dataOf(response).viewer).toEqual({ sessions: [] });
    const stranger = await signUp(server, `stranger of ${name}`);
    expect(await sessionsOf(stranger)).toHaveLength(1);
  });

  it('ends the sessions that are named, also its own', async () => {
    const other = jarOf(await signIn());
    const third = jarOf(await signIn());
    const [otherId = ''] = (await sessionsOf(other)).flatMap(({ id, isCurrent }) => (isCurrent ? [id] : []));
    expect(dataOf(await end([otherId, otherId])).endSessions).toEqual({ endedIds: [otherId] });
    expect([await isSignedIn(jar), await isSignedIn(other), await isSignedIn(third)]).toEqual([
      ...[true, false, true],
    ]);
    expect(dataOf(await end([otherId])).endSessions).toEqual({ endedIds: [] });
    expect(dataOf(await end([])).endSessions).toEqual({ endedIds: [] });
    const ids = (await sessionsOf()).map(({ id }) => id);
    expect(dataOf(await end(ids)).endSessions.endedIds.sort()).toEqual(ids.sort());
    expect([await isSignedIn(jar), await isSignedIn(third)]).toEqual([false, false]);
  });

  it('without ids, ends all sessions but its own', async () => {
    const others = [jarOf(await signIn()), jarOf(await signIn())];
    expect(dataOf(await end()).endSessions.endedIds).toHaveLength(2);
    expect(await isSignedIn(jar)).toBe(true);
    for (const other of others) expect(await isSignedIn(other)).toBe(false);
  });

  it('does not end sessions of another account', async () => {
    const stranger = await signUp(server, `stranger of ${name}`);
    const ids = (await sessionsOf(stranger)).map(({ id }) => id);
    expect(dataOf(await end(ids)).endSessions).toEqual({ endedIds: [] });
    expect(await isSignedIn(stranger)).toBe(true);
  });

  it('refuses more ids than an account has sessions', async () => {
    const response = await end(Array.from({ length: 101 }, (_, index) => `session_${index}`));
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      'ids has 101 sessions; at most 100 are allowed.',
    ]);
  });

  it('changes its password and ends its other sessions', async () => {
    const other = jarOf(await signIn());
    const link = await server.gateway.services.accounts.create(`next to ${name}`, { withLink: true });
    expect(dataOf(await change(PASSWORD, NEW_PASSWORD)).changePassword.endedIds).toHaveLength(1);
    expect([await isSignedIn(jar), await isSignedIn(other)]).toEqual([true, false]);
    expect([(await signIn(PASSWORD)).status, (await signIn(NEW_PASSWORD)).status]).toEqual([401, 200]);
    // Links of other accounts go on.
    expect((await postAuth(server, 'link', { secret: link?.secret })).status).toBe(200);
  });

  it.each<[string, string, string, string, string]>([
    [
      'a wrong current password',
      'wrong password',
      NEW_PASSWORD,
      'SIGN_IN_FAILED',
      'currentPassword is wrong.',
    ],
    ['a short new one', PASSWORD, 'short', 'BAD_USER_INPUT', 'newPassword must have 10 to 256 characters.'],
    [
      'one of the most used',
      PASSWORD,
      'Password123',
      'BAD_USER_INPUT',
      'newPassword must not be one of the most used passwords.',
    ],
  ])('keeps its password with %s', async (_case, currentPassword, newPassword, code, message) => {
    const other = jarOf(await signIn());
    const response = await change(currentPassword, newPassword);
    expect([response.status, codesOf(response), messageOf(response)]).toEqual([200, [code], message]);
    expect(response.json.data).toEqual({ changePassword: null });
    expect([await isSignedIn(other), (await signIn()).status]).toEqual([true, 200]);
  });

  it('counts wrong current passwords and failed sign-ins together', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect((await signIn('wrong password')).status).toBe(401);
      expect(codesOf(await change('wrong password', NEW_PASSWORD))).toEqual(['SIGN_IN_FAILED']);
    }
    const response = await change(PASSWORD, NEW_PASSWORD);
    expect(codesOf(response)).toEqual(['RATE_LIMITED']);
    expect((await signIn()).status).toBe(429);
    expect(await isSignedIn(jar)).toBe(true);
    now += 15 * MINUTE_MS;
    expect(dataOf(await change(PASSWORD, NEW_PASSWORD)).changePassword).toEqual({ endedIds: [] });
  });

  it('has no password to change after signing in at a provider', async () => {
    const { storage } = server.gateway;
    const owner = await storage.findOwnerByName(name);
    await storage.updateAccount(owner?.id ?? '', { passwordHash: null });
    const response = await change(PASSWORD, NEW_PASSWORD);
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      'Your account has no password that could be changed.',
    ]);
    expect(dataOf(await send(ACCOUNT)).viewer.account.hasPassword).toBe(false);
  });

  it('leaves a line in the audit log for each change, without passwords', async () => {
    const other = jarOf(await signIn());
    const ids = (await sessionsOf(other)).flatMap(({ id, isCurrent }) => (isCurrent ? [id] : []));
    await end();
    await change('wrong password', NEW_PASSWORD);
    const third = jarOf(await signIn());
    const thirdIds = (await sessionsOf(third)).flatMap(({ id, isCurrent }) => (isCurrent ? [id] : []));
    await change(PASSWORD, NEW_PASSWORD);
    const tokenId: unknown = expect.stringMatching(/^session:owner_/);
    expect(auditLines().slice(-5)).toMatchObject([
      { operation: 'signIn', outcome: 'ok' },
      { operation: 'endSessions', tokenId, mapId: null, ids, outcome: 'ok' },
      { operation: 'changePassword', tokenId, mapId: null, ids: [], outcome: 'SIGN_IN_FAILED' },
      { operation: 'signIn', outcome: 'ok' },
      { operation: 'changePassword', tokenId, mapId: null, ids: thirdIds, outcome: 'ok' },
    ]);
    const written = `${server.log.join('')} ${readFileSync(join(folder, 'audit.log'), 'utf8')}`;
    for (const secret of [PASSWORD, NEW_PASSWORD, 'wrong password']) expect(written).not.toContain(secret);
  });
});
