/**
 * A replica set of three whose primary steps down, or is killed, under load: acknowledged writes stay, the log has each
 * change once and in order, and no caller waits longer than the time limit of a call.
 */

import type { ChangeOffset, LoggedChange } from '../../../src/storage/changes.ts';
import { ServiceError } from '../../../src/errors.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { append, seedMap } from '../../contract/storage/fixtures.ts';
import { FailoverWriters } from '../../support/failover-writers.ts';
import { findMongod, NEEDS_MONGOD_BINARY } from '../../support/mongod-binary.ts';
import { expectWhole } from '../../support/mongodb-crash.ts';
import type { ReplicaSet } from '../../support/replica-set.ts';
import { startReplicaSet } from '../../support/replica-set.ts';
import { describeUnless } from '../../support/skip.ts';
import { shortOrLong } from '../../support/torture.ts';
import { AwaitedList } from '../../support/awaited-list.ts';

/** The default setting. */
const TIMEOUT_MS = 2_000;
/** An allowance for a busy machine, less than the 30 s that the driver waits for a server by default. */
const SLACK_MS = 15_000;
const WRITERS = 4;
/** Calls that show that the service continues. */
const SEVERAL = 40;

const ROUNDS = shortOrLong(1, 20);

const binary = findMongod();

describeUnless(binary === undefined && NEEDS_MONGOD_BINARY, 'mongodb: a failover under load', () => {
  let set: ReplicaSet;
  let storage: Storage;
  beforeAll(async () => {
    set = await startReplicaSet(binary!);
    storage = await openStore();
  });
  afterAll(async () => {
    await storage.close();
    await set.close();
  });

  const openStore = () => openMongodbStorage(set.url('failover'), { timeoutMs: TIMEOUT_MS });

  async function expectNoLoss(fail: () => Promise<void>): Promise<void> {
    for (let round = 1; round <= ROUNDS; round += 1) await expectNoLossOnce(fail);
  }

  async function expectNoLossOnce(fail: () => Promise<void>): Promise<void> {
    const { id: mapId } = await seedMap(storage);
    const written = await openStore();
    const writers = new FailoverWriters(written, mapId);
    const follower = new Follower(storage, mapId);
    writers.start(WRITERS);
    await writers.done.until(SEVERAL);
    await fail();
    await writers.done.until(writers.done.all.length + SEVERAL);
    await writers.stop();
    await writers.repeat();
    // An abandoned call continues until then; its changes come before the last one.
    await written.close();
    const last = await append(storage, mapId);
    await follower.until(last.id);
    follower.close();

    const list = (await expectWhole(storage, mapId)).filter(({ id }) => id !== last.id);
    writers.expectIn(list);
    expect(writers.wrong).toEqual([]);
    expect(writers.longestMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    const log = await storage.readChanges(mapId, { number: 0, stamp: '0' }, 100_000);
    expect(log).toEqual({ kind: 'changes', changes: follower.changes });
    expect(follower.wrong).toEqual([]);
    console.log(`${writers.done.all.length} acknowledged, ${writers.unknown.all.length} unknown at first`);
  }

  it('a primary that steps down', () => expectNoLoss(() => set.stepDown()));

  it('a primary that is killed and restarted', () =>
    expectNoLoss(async () => {
      const restart = await set.killPrimary();
      await restart();
    }));
});

/** Reads the log to its end at each report of the watch, like the server of subscriptions. */
class Follower {
  readonly changes: LoggedChange[] = [];
  readonly wrong: unknown[] = [];
  readonly #read = new AwaitedList<string>();
  readonly #storage: Storage;
  readonly #mapId: string;
  readonly #watch: ReturnType<Storage['watchChanges']>;
  #isReading = false;
  #isMentioned = false;

  constructor(storage: Storage, mapId: string) {
    this.#storage = storage;
    this.#mapId = mapId;
    this.#watch = storage.watchChanges(() => {
      this.#isMentioned = true;
      if (!this.#isReading) void this.#readOn();
    });
    this.#watch.add(mapId);
  }

  async until(locationId: string): Promise<void> {
    await this.#read.until((all) => all.includes(locationId));
  }

  close(): void {
    this.#watch.close();
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    while (this.#isMentioned) {
      this.#isMentioned = false;
      const { number, stamp } = this.changes.at(-1) ?? { number: 0, stamp: '0' };
      await this.#readFrom({ number, stamp });
    }
    this.#isReading = false;
  }

  async #readFrom(offset: ChangeOffset): Promise<void> {
    try {
      const read = await this.#storage.readChanges(this.#mapId, offset, 100_000);
      if (read.kind !== 'changes') throw new Error(`After ${offset.number} the log is ${read.kind}.`);
      this.changes.push(...read.changes);
      for (const { locationId } of read.changes) this.#read.add(locationId);
    } catch (error) {
      // An outage is retried; any other error fails the test.
      if (!(error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE')) this.wrong.push(error);
      else this.#isMentioned = true;
    }
  }
}
