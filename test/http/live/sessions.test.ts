/** Subscriptions that the cookie of a session authenticates. Uses real intervals. */

import { setTimeout as delay } from 'node:timers/promises';

import { dataOf, makeLocations, makeMap } from '../../support/graphql.ts';
import type { LiveStream } from '../../support/live.ts';
import { CHANGES, closeSockets, openSession, openSocket, openStream } from '../../support/live.ts';
import { listen } from '../../support/raw-http.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { cheapPasswords, jarOf, OWN_PAGE, PASSWORD, postAuth, signUp } from '../../support/sign-in.ts';

const CHECK_MS = 2_000;
/** Allows for a busy machine. */
const MORE_MS = 3_000;
const LISTED = 'https://listed.example';

type Jar = Readonly<Record<string, string>>;

describe('a subscription with a session', () => {
  let server: TestServer;
  let port: number;
  let origin: string;
  let mapId: string;
  let jar: Jar;
  const streams: LiveStream[] = [];
  beforeAll(async () => {
    server = await createTestServer({ CORS_ORIGINS: LISTED }, { passwords: cheapPasswords().passwords });
    port = await listen(server);
    origin = `http://127.0.0.1:${port}`;
    await signUp(server, 'anna');
    mapId = (await makeMap(server, {}, await server.createToken({ owner: 'anna' }))).id;
  });
  beforeEach(async () => {
    jar = await signIn();
  });
  afterEach(() => {
    closeSockets();
    for (const stream of streams.splice(0)) stream.close();
  });
  afterAll(() => {
    // `fetch` keeps connections alive.
    server.app.server.closeIdleConnections();
    return server.close();
  });

  const signIn = async (): Promise<Jar> =>
    jarOf(await postAuth(server, 'sign-in', { name: 'anna', password: PASSWORD }));
  const openEvents = async (headers: Record<string, string>, query = CHANGES) => {
    const stream = await openStream(port, null, { query, variables: { mapId } }, { headers });
    streams.push(stream);
    return stream;
  };
  const within = <T>(milliseconds: number, awaited: Promise<T>): Promise<T | 'too late'> =>
    Promise.race([awaited, delay(milliseconds, 'too late' as const, { ref: false })]);

  it('sends changes to a page of the server, by both transports', async () => {
    const live = await openSession(port, null, { origin, headers: jar });
    live.subscribe('s', CHANGES, { mapId });
    const stream = await openEvents({ ...jar, origin });
    expect((await live.messages.next()).payload.data.locationChanges.kind).toBe('resync');
    expect((await stream.events.next()).data.data.locationChanges.kind).toBe('resync');
    const [made] = await makeLocations(server, mapId, [null], await server.createToken({ owner: 'anna' }));
    const created = { kind: 'created', locationId: made?.id };
    expect((await live.messages.next()).payload.data.locationChanges).toMatchObject(created);
    expect((await stream.events.next()).data.data.locationChanges).toMatchObject(created);
  });

  it.each<[string, (cookie: Jar) => Promise<unknown>]>([
    ['is signed out', (cookie) => postAuth(server, 'sign-out', {}, cookie)],
    [
      'is ended from another session',
      async () => {
        const headers = { ...OWN_PAGE, ...(await signIn()) };
        const body = { query: 'mutation { endSessions(input: {}) { endedIds } }' };
        dataOf(await server.request('POST', '/graphql', { token: null, headers, body }));
      },
    ],
    [
      'belongs to an account that is disabled',
      async () => {
        await server.gateway.services.accounts.disable('anna');
        await server.gateway.services.accounts.enable('anna');
      },
    ],
  ])('ends within two seconds when the session %s; that of a token goes on', async (_case, end) => {
    const live = await openSession(port, null, { origin, headers: jar });
    const kept = await openSession(port, await server.createToken({ owner: 'anna' }), {
      origin,
      headers: jar,
    });
    for (const each of [live, kept]) {
      each.subscribe('s', CHANGES, { mapId });
      await each.messages.next();
    }
    const stream = await openEvents({ ...jar, origin });
    await stream.events.next();
    await end(jar);
    expect(await within(CHECK_MS + MORE_MS, live.closed)).toMatchObject({ code: 4403 });
    expect(await within(MORE_MS, stream.events.next())).toMatchObject({
      event: 'next',
      data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
    await stream.ended;
    await makeLocations(server, mapId, [null], await server.createToken({ owner: 'anna' }));
    expect((await kept.messages.next()).payload.data.locationChanges.kind).toBe('created');
  });

  it('is refused to other origins, and to programs without one', async () => {
    for (const foreign of ['https://other.example', 'http://127.0.0.1:1', 'null']) {
      await expect(openSocket(port, { origin: foreign, headers: jar })).rejects.toThrow('403');
      expect((await openEvents({ ...jar, origin: foreign })).status).toBe(403);
    }
    await expect(openSocket(port, { headers: jar })).rejects.toThrow('403');
    expect((await openEvents(jar)).status).toBe(403);
  });

  it('is refused to an origin of CORS_ORIGINS, which may connect with a token', async () => {
    const live = await openSocket(port, { origin: LISTED, headers: jar });
    live.send({ type: 'connection_init' });
    expect(await live.closed).toMatchObject({ code: 4403 });
    expect((await openEvents({ ...jar, origin: LISTED })).status).toBe(403);
    const token = await server.createToken({ owner: 'anna' });
    const listed = await openSession(port, token, { origin: LISTED, headers: jar });
    listed.subscribe('s', '{ viewer { token { id } } }');
    expect((await listed.messages.next()).payload.data.viewer.token).not.toBeNull();
  });

  it('whose session has ended sees only public maps', async () => {
    await postAuth(server, 'sign-out', {}, jar);
    const live = await openSession(port, null, { origin, headers: jar });
    live.subscribe('s', CHANGES, { mapId });
    const message = await live.messages.next();
    expect(JSON.stringify(message)).toContain('UNAUTHENTICATED');
    const stream = await openEvents({ ...jar, origin });
    expect((await stream.events.next()).data.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});
