/** How the server ends subscriptions, and what keeps them open. Uses real intervals. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { dataOf, makeLocations, makeMap } from '../../support/graphql.ts';
import { CHANGES, closeSockets, openSession, openStream } from '../../support/live.ts';
import { addMember, makeMapLink, removeMember } from '../../support/members.ts';
import { listen } from '../../support/raw-http.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

const PING_MS = 12_000;
const CHECK_MS = 2_000;
const PAUSE_MS = 50;
/** Allows for a busy machine. */
const MORE_MS = 3_000;

describe('a subscription', () => {
  let server: TestServer;
  let port: number;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer({ BODY_LIMIT: String(32 * 1024 * 1024) });
    port = await listen(server);
    mapId = (await makeMap(server)).id;
  });
  afterEach(closeSockets);
  afterAll(() => {
    // `fetch` keeps connections alive.
    server.app.server.closeIdleConnections();
    return server.close();
  });

  const body = () => ({ query: CHANGES, variables: { mapId } });
  const within = <T>(milliseconds: number, awaited: Promise<T>): Promise<T | 'too late'> =>
    Promise.race([awaited, delay(milliseconds, 'too late' as const, { ref: false })]);

  it('is pinged every 12 seconds, and ends when its token is no longer valid', async () => {
    const token = await server.createToken();
    const lasting = await server.createToken();
    const [live, kept] = [await openSession(port, token), await openSession(port, lasting)];
    const [stream, keptStream] = [
      await openStream(port, token, body()),
      await openStream(port, lasting, body()),
    ];
    for (const each of [live, kept]) {
      each.subscribe('s', CHANGES, { mapId });
      await each.messages.next();
    }
    for (const each of [stream, keptStream]) await each.events.next();
    await server.gateway.services.tokens.revokeToken(token);
    expect(await within(CHECK_MS + MORE_MS, live.closed)).toMatchObject({ code: 4403 });
    expect(await within(MORE_MS, stream.events.next())).toMatchObject({
      event: 'next',
      data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
    await stream.ended;
    expect(stream.events.all.map(({ event }) => event)).not.toContain('complete');

    const commentsBefore = keptStream.comments.count;
    const isPinged = () =>
      kept.pings.frames > 0 && kept.pings.messages > 0 && keptStream.comments.count > commentsBefore;
    // Pauses instead of time: a busy machine takes longer for them.
    for (let pauses = 0; !isPinged(); pauses += 1) {
      expect(pauses * PAUSE_MS).toBeLessThan(PING_MS + MORE_MS);
      await delay(PAUSE_MS);
    }
    keptStream.close();
  });

  it('ends within two seconds when its member is removed, or its link is replaced, revoked or expires', async () => {
    const { services } = server.gateway;
    const member = await server.createToken({ owner: 'Ben' });
    await addMember(server, mapId, 'Ben', 'editor');
    const expiresAt = new Date(Date.now() + CHECK_MS).toISOString();
    const [replaced, revoked, expiring, kept] = [
      await makeMapLink(server, mapId),
      await makeMapLink(server, mapId),
      await makeMapLink(server, mapId, undefined, { expiresAt }),
      await makeMapLink(server, mapId),
    ];
    const secrets = [replaced, revoked, expiring, kept].map(({ secret }) => secret);
    const sessions = await Promise.all([member, ...secrets].map((token) => openSession(port, token)));
    const streams = await Promise.all([member, ...secrets].map((token) => openStream(port, token, body())));
    for (const each of sessions) {
      each.subscribe('s', CHANGES, { mapId });
      await each.messages.next();
    }
    for (const each of streams) await each.events.next();

    await removeMember(server, mapId, 'Ben');
    const owner = await server.createToken();
    const scope = { caller: await services.tokens.authenticate(owner) };
    await services.mapLinks.replaceMapLink(scope, mapId, replaced.id);
    await services.mapLinks.revokeMapLink(scope, mapId, revoked.id);
    const [ofMember, ...ofLinks] = sessions;
    expect(await within(CHECK_MS + MORE_MS, ofMember!.messages.next())).toMatchObject({
      ...{ type: 'error', id: 's' },
      payload: [{ extensions: { code: 'MAP_NOT_FOUND' } }],
    });
    expect(ofMember!.socket.readyState).toBe(ofMember!.socket.OPEN);
    for (const each of ofLinks.slice(0, 3)) {
      expect(await within(CHECK_MS + MORE_MS, each.closed)).toMatchObject({ code: 4403 });
    }
    for (const [index, code] of ['MAP_NOT_FOUND', ...Array<string>(3).fill('UNAUTHENTICATED')].entries()) {
      expect(await within(MORE_MS, streams[index]!.events.next())).toMatchObject({
        event: 'next',
        data: { errors: [{ extensions: { code } }] },
      });
    }
    const [location] = await makeLocations(server, mapId, [null]);
    const change = { payload: { data: { locationChanges: { locationId: location?.id } } } };
    expect(await ofLinks.at(-1)!.messages.next()).toMatchObject(change);
    streams.at(-1)!.close();
  });

  const SMALL = `subscription ($mapId: ID!, $since: String) {
    locationChanges(mapId: $mapId, since: $since) { cursor locationId location { properties } }
  }`;
  const PAGES = 8;
  /**
   * Locations too large for socket buffers, so that an unread connection blocks.
   *
   * @param afterPage called with the number of new locations
   * @returns their ids
   */
  const makeMany = async (afterPage: (count: number) => Promise<void>): Promise<string[]> => {
    const locations = Array.from({ length: 200 }, () => ({
      fields: { Name: 'N', Address: 'A', Text: 'x'.repeat(30_000) },
      position: { latitude: 1, longitude: 2 },
    }));
    const ids: string[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      const response = await server.graphql(
        'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { location { id } } } }',
        { input: { mapId, locations } },
      );
      const results: { location: { id: string } }[] = dataOf(response).createLocations.results;
      ids.push(...results.map(({ location }) => location.id));
      await afterPage(results.length);
    }
    return ids;
  };

  it('ends when 1,000 changes are unread; others continue, and its client can reconnect', async () => {
    const token = await server.createToken();
    const [slow, quick] = [await openSession(port, token), await openSession(port, token)];
    for (const each of [slow, quick]) each.subscribe('s', SMALL, { mapId });
    const [first] = await quick.messages.take(1);
    await slow.messages.next();
    const slowStream = await openPausedStream(port, token, { query: SMALL, variables: { mapId } });
    slow.tcp.pause();

    const read: Awaited<ReturnType<typeof quick.messages.take>> = [];
    // On a busy machine, its client in this process would be as slow as the other one.
    const made = await makeMany(async (count) => void read.push(...(await quick.messages.take(count))));
    const idOf = ({ payload }: { payload: { data: { locationChanges: { locationId: string } } } }) =>
      payload.data.locationChanges.locationId;
    expect(read.map(idOf)).toEqual(made);

    slow.tcp.resume();
    expect(await slow.closed).toMatchObject({ code: 4429 });
    const received = await slowStream.rest();
    expect(received).toContain('RATE_LIMITED');
    expect(received).not.toContain('event: complete');

    // Replay follows the reader's pace, whatever its length.
    const again = await openSession(port, token);
    const { cursor } = first.payload.data.locationChanges;
    again.subscribe('s', SMALL, { mapId, since: cursor });
    const [begin] = await again.messages.take(1);
    again.tcp.pause();
    await delay(500);
    again.tcp.resume();
    const rest = await again.messages.take(made.length - 1);
    expect([begin, ...rest].map(idOf)).toEqual(made);
  });
});

/** A stream of which only the start is read until `rest` reads it all. */
async function openPausedStream(port: number, token: string, body: object) {
  const asked = request({
    port,
    path: '/graphql',
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
  });
  asked.end(JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => (text += chunk));
  while (!text.includes('event: next')) await once(response, 'data');
  response.pause();
  return {
    async rest(): Promise<string> {
      response.resume();
      await once(response, 'end');
      return text;
    },
  };
}
