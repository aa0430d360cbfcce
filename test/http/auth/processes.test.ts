/** Sessions on several servers of one store, as behind a load balancer. Uses real intervals. */

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { codesOf, dataOf, makeMap } from '../../support/graphql.ts';
import { CHANGES, openStream } from '../../support/live.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { listen } from '../../support/raw-http.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { cheapPasswords, jarOf, OWN_PAGE, PASSWORD, postAuth, signUp } from '../../support/sign-in.ts';
import { describeUnless } from '../../support/skip.ts';
import { temporaryFolder } from '../../storage/sqlite/temporary.ts';

/** The host of {@link OWN_PAGE}: all servers have the same address for browsers. */
const PUBLIC_URL = 'http://maps.test';
const CHECK_MS = 2_000;
/** Allows for a busy machine. */
const MORE_MS = 3_000;

const mongodb = await testServer();

function defineTests(databaseUrl: string): void {
  let one: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    const settings = { DATABASE_URL: databaseUrl, PUBLIC_URL };
    const { passwords } = cheapPasswords();
    one = await createTestServer(settings, { passwords });
    other = await createTestServer(settings, { passwords });
    await signUp(one, 'anna');
  });
  afterAll(async () => {
    for (const server of [one, other]) {
      // `fetch` keeps connections alive.
      server.app.server.closeIdleConnections();
      await server.close();
    }
  });

  const signIn = async (at: TestServer) =>
    jarOf(await postAuth(at, 'sign-in', { name: 'anna', password: PASSWORD }));
  const send = (at: TestServer, cookie: Readonly<Record<string, string>>, query: string) =>
    at.request('POST', '/graphql', { token: null, headers: { ...OWN_PAGE, ...cookie }, body: { query } });
  const isSignedIn = async (at: TestServer, cookie: Readonly<Record<string, string>>) =>
    codesOf(await send(at, cookie, '{ viewer { owner } }')).length === 0;

  it('is used on each, and has ended on each at the next request', async () => {
    const jar = await signIn(one);
    for (const server of [one, other, one]) expect(await isSignedIn(server, jar)).toBe(true);
    await postAuth(other, 'sign-out', {}, jar);
    for (const server of [one, other]) expect(await isSignedIn(server, jar)).toBe(false);
  });

  it('is ended from a session of another server, with the password', async () => {
    const [first, second] = [await signIn(one), await signIn(other)];
    for (const server of [one, other]) expect(await isSignedIn(server, first)).toBe(true);
    const { sessions } = dataOf(await send(one, second, '{ viewer { sessions { id isCurrent } } }')).viewer;
    expect(sessions.length).toBeGreaterThanOrEqual(2);
    dataOf(await send(other, second, 'mutation { endSessions(input: {}) { endedIds } }'));
    for (const server of [one, other]) {
      expect([await isSignedIn(server, first), await isSignedIn(server, second)]).toEqual([false, true]);
    }
  });

  it('ends its subscriptions on the others within two seconds', async () => {
    const jar = await signIn(one);
    const { id: mapId } = await makeMap(one, {}, await one.createToken({ owner: 'anna' }));
    const body = { query: CHANGES, variables: { mapId } };
    const stream = await openStream(await listen(one), null, body, {
      headers: { ...jar, origin: PUBLIC_URL },
    });
    await stream.events.next();
    await postAuth(other, 'sign-out', {}, jar);
    const late = delay(CHECK_MS + MORE_MS, 'too late' as const, { ref: false });
    expect(await Promise.race([stream.events.next(), late])).toMatchObject({
      data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
    await stream.ended;
  });
}

describe('a session on two servers of one SQLite file', () => {
  const folder = temporaryFolder();
  defineTests(`sqlite:${join(folder, 'shared.db')}`);
});

describeUnless(mongodb === null && NO_MONGODB, 'a session on two servers of one MongoDB database', () => {
  if (mongodb === null) return;
  defineTests(ownDatabase(mongodb));
});
