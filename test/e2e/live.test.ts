/** Subscriptions with several workers: every subscriber gets every change, in one order, without loss. */

import { setTimeout as delay } from 'node:timers/promises';

import type { LiveStream } from '../support/live.ts';
import { CHANGES, closeSockets, openSession, openStream } from '../support/live.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import type { Server, Settings } from '../support/program.ts';
import { createFolder, killPrograms, startServer, workersOf } from '../support/program.ts';
import { describeUnless } from '../support/skip.ts';
import { PATIENCE_MS } from '../support/until.ts';
import { locationBody, prepareMap } from './prepared-map.ts';

const mongodb = await testServer();
const streams = new Set<LiveStream>();

afterEach(() => {
  closeSockets();
  for (const stream of streams) stream.close();
  streams.clear();
});
afterAll(killPrograms);

/** Milliseconds. On an idle machine a change arrives within two seconds of its response. */
const SOON_MS = 10_000;

interface ChangeEvent {
  readonly cursor: string;
  readonly kind: string;
  readonly locationId: string | null;
}

/** A subscription to the map over either transport. */
interface Subscription {
  /** The next event. Rejects when the connection is lost. */
  next(): Promise<ChangeEvent>;
}

for (const [name, urlOf] of [
  ['SQLite', () => 'sqlite:store.db'],
  ['MongoDB', () => (mongodb === null ? '' : ownDatabase(mongodb))],
] as const) {
  describeUnless(name === 'MongoDB' && mongodb === null && NO_MONGODB, `on ${name}, with WORKERS=2`, () => {
    const cwd = createFolder();
    const env: Settings = { DATABASE_URL: urlOf(), WORKERS: '2', DEMO: '0', LOG_LEVEL: 'info' };
    let server: Server;
    let token: string;
    let mapId: string;
    beforeAll(async () => {
      ({ token, mapId } = await prepareMap(
        cwd,
        name === 'MongoDB' ? { DATABASE_URL: env['DATABASE_URL'] } : {},
      ));
      server = await startServer({ cwd, env, ownGroup: true });
    });
    afterAll(() => server.stop());

    const portOf = () => Number(new URL(server.url).port);

    const overWebSocket = async (since: string | null): Promise<Subscription> => {
      const live = await openSession(portOf(), token);
      live.subscribe('s', CHANGES, { mapId, since });
      return { next: async () => (await live.messages.next()).payload.data.locationChanges };
    };
    const overEvents = async (since: string | null): Promise<Subscription> => {
      const stream = await openStream(portOf(), token, { query: CHANGES, variables: { mapId, since } });
      streams.add(stream);
      return { next: async () => (await stream.events.next()).data.data.locationChanges };
    };
    /** Enough subscriptions to reach both workers. */
    const followAll = (since: string | null) =>
      Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 ? overWebSocket : overEvents)(since)));

    /** Uses a new connection, so that both workers write. @returns the location's id */
    const create = async (called: string): Promise<string> => {
      const response = await fetch(`${server.url}/v0/map/${mapId}/location`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: locationBody(called),
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: { id: string } }).data.id;
    };

    it('sends every change to every subscriber, soon and in one order', async () => {
      const all = await followAll(null);
      for (const each of all) expect((await each.next()).kind).toBe('resync');
      const created = await Promise.all(Array.from({ length: 24 }, (_, index) => create(`${index}`)));
      const respondedAt = performance.now();
      const received = await Promise.all(
        all.map(async (each) => {
          const events: ChangeEvent[] = [];
          while (events.length < created.length) events.push(await each.next());
          return events;
        }),
      );
      expect(performance.now() - respondedAt).toBeLessThan(SOON_MS);
      const [first = []] = received;
      expect(first.map(({ locationId }) => locationId).sort()).toEqual([...created].sort());
      expect(received).toEqual(received.map(() => first));
    });

    it('loses and repeats nothing when a worker is killed and its subscribers reconnect', async () => {
      const [first] = await followAll(null);
      const { cursor } = await (first as Subscription).next();
      const all = await followAll(cursor);
      const created: string[] = [];
      const writing = (async () => {
        for (let count = 0; count < 30; count += 1) {
          // A request to the killed worker may have been carried out; the count leaves it out.
          await create(`late ${count}`).then(
            (id) => created.push(id),
            () => null,
          );
        }
      })();
      const followToEnd = async (
        subscription: Subscription,
      ): Promise<{ events: ChangeEvent[]; cuts: number }> => {
        const events: ChangeEvent[] = [];
        let cuts = 0;
        let current = subscription;
        for (;;) {
          try {
            const event = await current.next();
            events.push(event);
            if (event.kind === 'deleted') return { events, cuts };
          } catch {
            cuts += 1;
            current = await reconnect(events.at(-1)?.cursor ?? cursor, cuts % 2 ? overWebSocket : overEvents);
          }
        }
      };
      const followed = all.map(followToEnd);
      while (created.length < 10) await delay(5);
      process.kill(workersOf(server)[0]!, 'SIGKILL');
      await writing;
      const last = created.at(-1) ?? '';
      const deleted = await fetch(`${server.url}/v0/map/${mapId}/location/${last}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(deleted.status).toBe(200);
      const received = await Promise.all(followed);
      const [one] = received;
      expect(received.map(({ events }) => events)).toEqual(received.map(() => one?.events));
      const ids = one?.events.map(({ locationId }) => locationId) ?? [];
      expect(ids).toEqual(expect.arrayContaining(created));
      expect(new Set(ids).size).toBe(ids.length - 1);
      expect(received.some(({ cuts }) => cuts > 0)).toBe(true);
      expect(received.some(({ cuts }) => cuts === 0)).toBe(true);
    });
  });
}

/** Retries, since a connection may be refused while the worker restarts. */
async function reconnect(
  cursor: string,
  connect: (since: string | null) => Promise<Subscription>,
): Promise<Subscription> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await connect(cursor);
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(50);
    }
  }
}
