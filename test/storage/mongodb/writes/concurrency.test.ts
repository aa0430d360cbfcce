/**
 * Several gateway processes on one map. `MONGODB_APPENDS=5000` makes the first test the measurement that the adapter's
 * README quotes.
 */

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { MapRecord } from '../../../../src/domain/map.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { listPage, seedMap, shuffled } from '../../../contract/storage/fixtures.ts';
import { argumentsOf } from '../../../support/own-program.ts';
import { expectWhole } from '../../../support/mongodb-crash.ts';
import type { Done, Plan } from '../../../support/mongodb-process.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const PROGRAM = new URL('../../../support/mongodb-process.ts', import.meta.url);
const APPENDS = Number(process.env.MONGODB_APPENDS ?? 150);
const PROCESSES = 4;
/** Concurrent requests of each process. */
const LANES = 8;

/** Processes that have opened the store and wait for plans. */
class Gateways {
  readonly #running: readonly { child: ChildProcess; lines: AsyncIterator<string> }[];

  constructor(url: string, count: number) {
    this.#running = Array.from({ length: count }, () => {
      const args = [...argumentsOf(PROGRAM), url];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
    });
  }

  async ready(): Promise<void> {
    await Promise.all(this.#running.map((_, index) => this.#line(index)));
  }

  /** Runs plans at the same time, each in its own process. */
  carryOut(plans: readonly Plan[]): Promise<readonly (readonly Done[])[]> {
    for (const [index, plan] of plans.entries()) {
      this.#running[index]?.child.stdin?.write(`${JSON.stringify(plan)}\n`);
    }
    return Promise.all(plans.map(async (_, index) => JSON.parse(await this.#line(index)) as Done[]));
  }

  async end(): Promise<void> {
    await Promise.all(
      this.#running.map(async ({ child }) => {
        child.stdin?.end();
        if (child.exitCode === null) await once(child, 'exit');
      }),
    );
  }

  async #line(index: number): Promise<string> {
    const { child, lines } = this.#running[index]!;
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`a process ended early (${child.exitCode ?? child.signalCode})`);
    return value;
  }
}

/** An append that starts after the response to another insert comes after it in the list. */
function expectInTime(done: readonly Done[], list: readonly { readonly id: string }[]): void {
  const indexes = new Map(list.map(({ id }, index) => [id, index]));
  const positionOf = ({ id }: Done) => indexes.get(id) ?? Number.NaN;
  const acknowledged = done.toSorted((a, b) => a.answered - b.answered).values();
  let next = acknowledged.next();
  let last = -1;
  for (const item of done.toSorted((a, b) => a.begun - b.begun)) {
    while (!next.done && next.value.answered < item.begun) {
      last = Math.max(last, positionOf(next.value));
      next = acknowledged.next();
    }
    if (item.asked.order === null) expect(positionOf(item)).toBeGreaterThan(last);
  }
}

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: several processes on one map', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  let gateways: Gateways;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 30_000 });
    gateways = new Gateways(url, PROCESSES);
    await gateways.ready();
  });
  afterAll(async () => {
    await gateways.end();
    await storage.close();
  });

  const plansFor = (
    { id }: MapRecord,
    processes: number,
    insertsOf: (process: number) => Plan['inserts'],
  ): Plan[] =>
    Array.from({ length: processes }, (_, index) => ({
      mapId: id,
      lanes: LANES,
      inserts: insertsOf(index),
    }));

  it(`${PROCESSES} processes append ${APPENDS} locations each, and each location gets its own position`, async () => {
    const map = await seedMap(storage);
    const plans = plansFor(map, PROCESSES, () => Array<{ order: null }>(APPENDS).fill({ order: null }));
    const done = (await gateways.carryOut(plans)).flat();
    const ms = Math.max(...done.map((d) => d.answered)) - Math.min(...done.map((d) => d.begun));
    const distinct = (values: readonly unknown[]) => new Set(values).size;
    const [orders, sequences] = [distinct(done.map((d) => d.order)), distinct(done.map((d) => d.sequence))];
    const count = await storage.countLocations(map.id);
    console.log(
      `count ${count}, distinct orders ${orders}, distinct sequences ${sequences}; ` +
        `${Math.round(ms)} ms, ${Math.round((done.length / ms) * 1000)} appends a second`,
    );
    expect([count, orders, sequences]).toEqual(Array<number>(3).fill(PROCESSES * APPENDS));
    const list = await listPage(storage, map.id, { limit: PROCESSES * APPENDS + 1 });
    expect(list.map(({ order }) => order)).toEqual(
      Array.from({ length: PROCESSES * APPENDS }, (_, i) => String(i + 1)),
    );
    expectInTime(done, list);
  });

  it('appends come after everything acknowledged before, even between numbers and texts of others', async () => {
    const map = await seedMap(storage);
    const orders = [null, '5.5', null, 'm', null, '-3', null, '1000000', null, 'b', 'z', null, '7'];
    const plans = plansFor(map, 3, (process) =>
      Array.from({ length: 100 }, (_, i) => ({ order: orders[(i * (process + 3)) % orders.length] ?? null })),
    );
    const done = (await gateways.carryOut(plans)).flat();
    const list = await expectWhole(storage, map.id);
    expect(list.map(({ id }) => id).toSorted()).toEqual(done.map(({ id }) => id).toSorted());
    expectInTime(done, list);
  });

  it('the same keys from 3 processes at once create one location each, and all get it', async () => {
    const map = await seedMap(storage);
    const keys = Array.from({ length: 60 }, (_, index) => ({ order: null, key: `key ${index}` }));
    const plans = plansFor(map, 3, (process) => (process === 2 ? shuffled(keys) : keys));
    const done = (await gateways.carryOut(plans)).flat();
    const list = await expectWhole(storage, map.id);
    expect(list).toHaveLength(keys.length);
    for (const { key } of keys) {
      const responses = done.filter(({ asked }) => asked.key === key);
      expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
      expect(responses.map(({ kind }) => kind).toSorted()).toEqual(['inserted', 'replayed', 'replayed']);
    }
  });
});
