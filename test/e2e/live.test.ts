/** Subscriptions where several processes serve and write: everybody is told of everything, in one order, and loses nothing. */

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

/** Milliseconds. A change arrives two seconds after its answer at most, where the machine is not busy with other tests. */
const SOON_MS = 10_000;

interface AwaitedList {
  readonly cursor: string;
  readonly kind: string;
  readonly locationId: string | null;
}

/** One who follows the map, over either transport. */
interface Following {
  /** The next event. Rejects when the connection is cut. */
  next(): Promise<AwaitedList>;
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

    const overWebSocket = async (since: string | null): Promise<Following> => {
      const live = await openSession(portOf(), token);
      live.subscribe('s', CHANGES, { mapId, since });
      return { next: async () => (await live.messages.next()).payload.data.locationChanges };
    };
    const overEvents = async (since: string | null): Promise<Following> => {
      const stream = await openStream(portOf(), token, { query: CHANGES, variables: { mapId, since } });
      streams.add(stream);
      return { next: async () => (await stream.events.next()).data.data.locationChanges };
    };
    /** As many as are sure to be spread over both workers. */
    const followAll = (since: string | null) =>
      Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 ? overWebSocket : overEvents)(since)));

    /** On a connection of its own, so that both workers write. @returns the location's id */
    const create = async (called: string): Promise<string> => {
      const response = await fetch(`${server.url}/v0/map/${mapId}/location`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: locationBody(called),
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: { id: string } }).data.id;
    };

    it('tells every subscriber of every change, soon and in one order', async () => {
      const all = await followAll(null);
      for (const each of all) expect((await each.next()).kind).toBe('resync');
      const created = await Promise.all(Array.from({ length: 24 }, (_, index) => create(`${index}`)));
      const answered = performance.now();
      const told = await Promise.all(
        all.map(async (each) => {
          const events: AwaitedList[] = [];
          while (events.length < created.length) events.push(await each.next());
          return events;
        }),
      );
      expect(performance.now() - answered).toBeLessThan(SOON_MS);
      const [first = []] = told;
      expect(first.map(({ locationId }) => locationId).sort()).toEqual([...created].sort());
      expect(told).toEqual(told.map(() => first));
    });

    it('loses and repeats nothing where a worker is killed and its subscribers come back', async () => {
      const [first] = await followAll(null);
      const { cursor } = await (first as Following).next();
      const all = await followAll(cursor);
      const created: string[] = [];
      const writing = (async () => {
        for (let count = 0; count < 30; count += 1) {
          // A request that was on its way to the killed worker may have been made; it is not counted here.
          await create(`late ${count}`).then(
            (id) => created.push(id),
            () => null,
          );
        }
      })();
      const followToEnd = async (following: Following): Promise<{ events: AwaitedList[]; cuts: number }> => {
        const events: AwaitedList[] = [];
        let cuts = 0;
        let current = following;
        for (;;) {
          try {
            const event = await current.next();
            events.push(event);
            if (event.kind === 'deleted') return { events, cuts };
          } catch {
            cuts += 1;
            current = await comeBack(events.at(-1)?.cursor ?? cursor, cuts % 2 ? overWebSocket : overEvents);
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
      const told = await Promise.all(followed);
      const [one] = told;
      expect(told.map(({ events }) => events)).toEqual(told.map(() => one?.events));
      const ids = one?.events.map(({ locationId }) => locationId) ?? [];
      expect(ids).toEqual(expect.arrayContaining(created));
      expect(new Set(ids).size).toBe(ids.length - 1);
      expect(told.some(({ cuts }) => cuts > 0)).toBe(true);
      expect(told.some(({ cuts }) => cuts === 0)).toBe(true);
    });
  });
}

/** While the worker is started anew a connection may be refused. */
async function comeBack(
  cursor: string,
  connect: (since: string | null) => Promise<Following>,
): Promise<Following> {
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
