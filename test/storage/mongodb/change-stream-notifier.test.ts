/**
 * When watched maps are polled, with a change stream and without. The streams are simulated
 * (test/support/change-streams.ts), or the driver's own; the last part uses a replica set.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

import type { Db } from 'mongodb';

import type { NotifierTimes } from '../../../src/storage/mongodb/change-stream-notifier.ts';
import { ChangeStreamNotifier } from '../../../src/storage/mongodb/change-stream-notifier.ts';
import type { ChangeWatch } from '../../../src/storage/changes.ts';
import { watchChanges } from '../../../src/storage/mongodb/change-watch.ts';
import { Database } from '../../../src/storage/mongodb/database.ts';
import { MapWrites } from '../../../src/storage/mongodb/writes/map-writes.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { Storage, StorageCommand, StorageOptions } from '../../../src/storage/storage.ts';
import { append, seedMap } from '../../contract/storage/fixtures.ts';
import type { ChangeStreams, Conduct } from '../../support/change-streams.ts';
import { startChangeStreams } from '../../support/change-streams.ts';
import { runUntil } from '../../support/mongodb-crash.ts';
import {
  dropDatabase,
  NEEDS_REPLICA_SET,
  NO_MONGODB,
  ownDatabase,
  testServer,
  urlOfDatabase,
  withClient,
} from '../../support/mongodb-server.ts';
import { argumentsOf } from '../../support/own-program.ts';
import { describeUnless } from '../../support/skip.ts';
import { AwaitedList } from '../../support/awaited-list.ts';

const WATCHER = new URL('../../support/watch-process.ts', import.meta.url);
const HOUR_MS = 3_600_000;
/** With the notifier, only a notification causes a poll within the test's time. */
const INTERVALS = { withoutNotifier: 20, withNotifier: HOUR_MS };
const TIMES: NotifierTimes = { awaitMs: 20, timeoutMs: HOUR_MS, retryMs: HOUR_MS, debounceMs: 5 };
/** Batches of a stream during which several polls would happen without the notifier. */
const SEVERAL = 6;

interface Watching {
  readonly notifier: ChangeStreamNotifier;
  /** The maps that the watch has reported. */
  readonly reported: AwaitedList<string>;
  /** Polls that have started. */
  readonly polls: AwaitedList<number>;
  readonly watch: ChangeWatch;
  /** Another watch of the same process. */
  readonly another: () => ChangeWatch;
  /** Holds polls up until the returned function is called. */
  readonly hold: () => () => void;
  /** Waits until polls no longer happen by themselves, in so many batches of the stream. @returns the number of polls */
  readonly untilQuiet: (rounds?: number) => Promise<number>;
}

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: the change stream notifier', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  let mapId: string;
  const after: (() => Promise<unknown> | void)[] = [];

  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
  });
  afterAll(() => storage.close());
  beforeEach(async () => {
    mapId = (await seedMap(storage)).id;
  });
  afterEach(async () => {
    for (const end of after.splice(0).toReversed()) await end();
  });

  async function startStreams(options?: { hasName: boolean }): Promise<ChangeStreams> {
    const streams = await startChangeStreams(url, options);
    after.push(() => streams.close());
    return streams;
  }

  async function startWatching(
    streams: ChangeStreams,
    times: Partial<NotifierTimes> = {},
    options: Partial<StorageOptions> = {},
  ): Promise<Watching> {
    const database = new Database(streams.url, { timeoutMs: 10_000, lateWriteMs: 100, ...options });
    await database.hello();
    const writes = new MapWrites(database);
    const notifier = new ChangeStreamNotifier(database, { ...TIMES, ...times });
    const [reported, polls] = [new AwaitedList<string>(), new AwaitedList<number>()];
    let inProgress = 0;
    let held = Promise.resolve();
    const run: Database['run'] = async (...call) => {
      polls.add(polls.all.length);
      inProgress += 1;
      try {
        await held;
        return await database.run(...call);
      } finally {
        inProgress -= 1;
      }
    };
    const start = () =>
      watchChanges({ database: { run }, writes, notifier, intervals: INTERVALS }, (id) => reported.add(id));
    const watch = start();
    watch.add(mapId);
    after.push(async () => {
      watch.close();
      await database.close(() => notifier.close());
    });
    return {
      ...{ notifier, reported, polls, watch, another: start },
      hold() {
        let release = () => {};
        held = new Promise((resolve) => {
          release = resolve;
        });
        return release;
      },
      async untilQuiet(rounds = SEVERAL) {
        for (;;) {
          const before = inProgress === 0 && notifier.isHealthy ? polls.all.length : NaN;
          await responses(streams, rounds);
          if (inProgress === 0 && polls.all.length === before) return before;
        }
      },
    };
  }

  async function responses(streams: ChangeStreams, count: number): Promise<void> {
    await streams.answered.until(streams.answered.all.length + count);
  }

  it('a notification of a watched map causes a poll at once, and nothing else does', async () => {
    const streams = await startStreams();
    const { polls, untilQuiet } = await startWatching(streams);
    const before = await untilQuiet();
    streams.tell('another');
    await responses(streams, SEVERAL);
    expect(polls.all.length).toBe(before);
    streams.tell(mapId);
    await polls.until(before + 1);
    expect(await untilQuiet()).toBe(before + 1);
  });

  it('a change is reported even if the notification came before it was closed', async () => {
    const streams = await startStreams();
    const { reported, untilQuiet } = await startWatching(streams);
    await untilQuiet();
    const before = reported.all.length;
    await append(storage, mapId);
    streams.tell(mapId);
    await reported.until(before + 1);
    await untilQuiet();
  });

  it('a notification during a poll causes one more poll after it', async () => {
    const streams = await startStreams();
    const { polls, hold, untilQuiet } = await startWatching(streams);
    const before = await untilQuiet();
    const release = hold();
    streams.tell(mapId);
    await polls.until(before + 1);
    for (let count = 0; count < 3; count += 1) {
      streams.tell(mapId);
      await responses(streams, 2);
    }
    expect(polls.all.length).toBe(before + 1);
    release();
    await polls.until(before + 2);
    expect(await untilQuiet()).toBe(before + 2);
  });

  it('changes close together share a poll', async () => {
    const streams = await startStreams();
    const { polls, untilQuiet } = await startWatching(streams, { debounceMs: 300 });
    const before = await untilQuiet(2);
    streams.tell(mapId);
    await polls.until(before + 1);
    for (let count = 0; count < 5; count += 1) {
      streams.tell(mapId);
      await turn();
    }
    await polls.until(before + 2);
    expect(await untilQuiet(2)).toBe(before + 2);
  });

  it('while a write is open, polls come as often as without a notifier: a crashed writer is detected', async () => {
    const streams = await startStreams();
    const { reported, untilQuiet } = await startWatching(streams);
    await untilQuiet();
    const before = reported.all.length;
    const write = (writer: Storage) => append(writer, mapId);
    const { statements } = await runUntil(url, { at: 3, fate: 'cut before' }, write);
    expect(statements).toEqual(['find maps', 'update maps', 'insert locations']);
    streams.tell(mapId);
    await reported.until(before + 1);
    await untilQuiet();
  });

  it('a map that is added is reported without a notification', async () => {
    const streams = await startStreams();
    const { reported, watch, untilQuiet } = await startWatching(streams);
    await untilQuiet();
    const { id } = await seedMap(storage);
    watch.add(id);
    await reported.until((all) => all.includes(id));
    await untilQuiet();
  });

  const FAILURES: readonly Conduct[] = ['refuses', 'keeps silent', 'breaks off'];
  for (const conduct of FAILURES) {
    it(`a stream that the server ${conduct}: polling reports changes until the stream is opened again`, async () => {
      const streams = await startStreams();
      const { notifier, reported, polls, untilQuiet } = await startWatching(streams, {
        timeoutMs: 500,
        retryMs: 100,
      });
      await untilQuiet();
      const before = reported.all.length;
      streams.conduct(conduct);
      await append(storage, mapId);
      await reported.until(before + 1);
      await polls.until(polls.all.length + SEVERAL);
      expect(notifier.isHealthy).toBe(false);
      streams.conduct('answers');
      const calmed = await untilQuiet();
      streams.tell(mapId);
      await polls.until(calmed + 1);
    });
  }

  it('the driver resumes a stream that broke once', async () => {
    const streams = await startStreams();
    const { notifier, polls, untilQuiet } = await startWatching(streams);
    const before = await untilQuiet();
    streams.conduct('breaks off');
    await streams.opened.until(2);
    streams.conduct('answers');
    await responses(streams, 1);
    expect(streams.opened.all[0]![0]).toEqual({ $changeStream: {} });
    expect(streams.opened.all.at(-1)![0]).toMatchObject({ $changeStream: { resumeAfter: {} } });
    expect(notifier.isHealthy).toBe(true);
    streams.tell(mapId);
    await polls.until(before + 1);
  });

  it('a server without change streams is tried again, and polled meanwhile', async () => {
    const streams = await startStreams();
    streams.conduct('passes on');
    const { reported, polls } = await startWatching(streams, { retryMs: 20 });
    await reported.until(1);
    await append(storage, mapId);
    await reported.until(2);
    await streams.opened.until(3);
    await polls.until(polls.all.length + SEVERAL);
  });

  it('a standalone server is polled, without a stream', async () => {
    const streams = await startStreams({ hasName: false });
    const { reported, polls } = await startWatching(streams);
    await reported.until(1);
    await append(storage, mapId);
    await reported.until(2);
    await polls.until(polls.all.length + SEVERAL);
    expect(streams.opened.all).toEqual([]);
  });

  it('a small pool is left to the requests', async () => {
    const streams = await startStreams();
    const few = await startWatching(streams, {}, { poolSize: 4 });
    await few.polls.until(SEVERAL);
    expect(streams.opened.all).toEqual([]);
    const { untilQuiet } = await startWatching(streams, {}, { poolSize: 5 });
    await untilQuiet();
  });

  it('a process has one stream, which closes when no map is watched', async () => {
    const streams = await startStreams();
    const { watch, untilQuiet, another } = await startWatching(streams);
    const other = another();
    other.add(mapId);
    await untilQuiet();
    watch.remove(mapId);
    await responses(streams, SEVERAL);
    expect([streams.opened.all.length, streams.closed.all]).toEqual([1, []]);
    other.close();
    await streams.closed.until(1);
    watch.add(mapId);
    await untilQuiet();
    expect([streams.opened.all.length, streams.closed.all.length]).toEqual([2, 1]);
  });

  it('a change is reported even if a healthy stream misses it', async () => {
    const streams = await startStreams();
    const watching = await openMongodbStorage(streams.url, { timeoutMs: 10_000 });
    const reported = new AwaitedList<string>();
    const watch = watching.watchChanges((id) => reported.add(id));
    watch.add(mapId);
    await reported.until(1);
    await responses(streams, 2);
    await append(storage, mapId);
    await reported.until(2);
    watch.close();
    await watching.close();
  });

  it('the server waits no longer than the time limit of a call', async () => {
    const streams = await startStreams();
    await startWatching(streams, { awaitMs: HOUR_MS }, { timeoutMs: 9_000 });
    await streams.opened.until(1);
    streams.tell(mapId);
    expect(await streams.answered.until(1)).toEqual([9_000]);
  });

  it('closing the store closes the stream, and does not wait for a server that does not respond', async () => {
    const streams = await startStreams();
    const watching = await openMongodbStorage(streams.url, { timeoutMs: 60_000 });
    watching.watchChanges(() => {}).add(mapId);
    await responses(streams, 1);
    streams.conduct('keeps silent');
    await watching.close();
    expect(streams.closed.all).toHaveLength(1);
  });

  it('the commands of a stream are not observed, whether they wait or fail', async () => {
    const streams = await startStreams();
    const commands: StorageCommand[] = [];
    const onCommand = (command: StorageCommand) => void commands.push(command);
    const watching = await openMongodbStorage(streams.url, { timeoutMs: 10_000, onCommand });
    const watch = watching.watchChanges(() => {});
    watch.add(mapId);
    await responses(streams, 2);
    streams.conduct('refuses');
    await streams.closed.until(1);
    watch.close();
    await watching.close();
    const names = new Set(commands.map(({ command }) => command));
    expect([names.has('find'), names.has('aggregate'), names.has('getMore')]).toEqual([true, false, false]);
  });

  it('a stream that opens after its last watch has closed is closed', async () => {
    const streams = await startStreams();
    streams.conduct('keeps silent');
    const { notifier, polls } = await startWatching(streams, { timeoutMs: 1 });
    await polls.until(SEVERAL);
    streams.conduct('answers');
    await streams.opened.until(1);
    await streams.closed.until(1);
    expect(notifier.isHealthy).toBe(false);
  });

  it('keeps no process alive after its store is closed', async () => {
    const streams = await startStreams();
    const child = spawn(process.execPath, [...argumentsOf(WATCHER), streams.url, mapId], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    after.push(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    await responses(streams, 1);
    child.stdin.write('close\n');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  describeUnless(!server.isReplicaSet && NEEDS_REPLICA_SET, 'with a replica set', () => {
    interface Listener {
      readonly rung: AwaitedList<string>;
      readonly health: AwaitedList<boolean>;
      readonly close: () => Promise<void>;
    }

    async function listen(target: string, times?: NotifierTimes): Promise<Listener> {
      const database = new Database(target, { timeoutMs: 10_000 });
      await database.hello();
      const notifier = new ChangeStreamNotifier(database, times);
      const [rung, health] = [new AwaitedList<string>(), new AwaitedList<boolean>()];
      notifier.listen({
        onChange: (mapIds) => mapIds.forEach((id) => rung.add(id)),
        onHealthChange: () => health.add(notifier.isHealthy),
      });
      const close = () => database.close(() => notifier.close());
      after.push(close);
      return { rung, health, close };
    }

    it('notifies of a change', async () => {
      const { rung, health, close } = await listen(url);
      expect(await health.until(1)).toEqual([true]);
      await append(storage, mapId);
      await rung.until((all) => all.includes(mapId));
      await close();
      expect(health.all).toEqual([true, false]);
    });

    const ENDS: readonly [string, (database: Db) => Promise<unknown>][] = [
      ['whose collection is dropped', (database) => database.collection('maps').drop()],
      ['whose collection is renamed', (database) => database.collection('maps').rename('others')],
      ['whose database is dropped', (database) => database.dropDatabase()],
    ];
    for (const [count, [what, end]] of ENDS.entries()) {
      it(`a stream ${what} is opened again, and notifies of later changes`, () => {
        const own = urlOfDatabase(server.url, `${new URL(url).pathname.slice(1)}-${count}`);
        after.push(() => dropDatabase(own));
        return withClient(own, async (client) => {
          const maps = client.db().collection<{ _id: string }>('maps');
          await maps.insertOne({ _id: 'former' });
          const { rung, health } = await listen(own, { ...TIMES, awaitMs: 100, retryMs: 100 });
          await health.until(1);
          await end(client.db());
          await health.until((all) => all.join() === 'true,false,true');
          await maps.insertOne({ _id: 'new' });
          await rung.until((all) => all.includes('new'));
        });
      });
    }

    it('a committed transaction causes a notification, and an aborted one does not', () =>
      withClient(url, (client) =>
        client.withSession(async (session) => {
          const maps = client.db().collection<{ _id: string }>('maps');
          const { rung, health } = await listen(url);
          await health.until(1);
          session.startTransaction();
          await maps.insertOne({ _id: 'taken back' }, { session });
          await session.abortTransaction();
          session.startTransaction();
          await maps.insertOne({ _id: 'made' }, { session });
          await session.commitTransaction();
          expect(await rung.until(1)).toEqual(['made']);
        }),
      ));
  });
});
