/** Several processes that move locations of one map concurrently, on both adapters. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LocationRecord } from '../../src/domain/location.ts';
import { openStorage } from '../../src/storage/open.ts';
import { append, idsOf, insertOrders, listPage, seedMap, walk } from '../contract/storage/fixtures.ts';
import { argumentsOf } from '../support/own-program.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { itUnless } from '../support/skip.ts';

const PROGRAM = new URL('../support/move-process.ts', import.meta.url);
const PROCESSES = [0, 1, 2];
const PAIRS = 10;
const MOVES = 16;

const folder = mkdtempSync(join(tmpdir(), 'moves-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const server = await testServer();
const mongodbUrl = server === null ? null : ownDatabase(server);

async function expectPairsTogether(url: string): Promise<void> {
  const storage = await openStorage(url, { timeoutMs: 60_000 });
  const map = await seedMap(storage);
  // Among equal orders neighbours have to make room.
  const list = await insertOrders(storage, map.id, [
    ...Array<string>(PAIRS).fill('5'),
    ...Array<null>(PAIRS).fill(null),
  ]);
  const pairs = Array.from({ length: PAIRS }, (_, index) => [list[2 * index]!.id, list[2 * index + 1]!.id]);
  const movers = PROCESSES.map((number) => {
    const args = [url, map.id, String(MOVES), JSON.stringify(pairs), String(number)];
    return spawn(process.execPath, [...argumentsOf(PROGRAM), ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  });
  const ended = Promise.all(movers.map((mover) => once(mover, 'exit')));
  // Concurrently appended locations keep their sequence.
  const appended: LocationRecord[] = [];
  for (let count = 0; count < 20; count += 1) appended.push(await append(storage, map.id));
  expect(await ended).toEqual(PROCESSES.map(() => [0, null]));

  const listed = await listPage(storage, map.id);
  const ids = idsOf(listed);
  expect(ids.toSorted()).toEqual(idsOf([...list, ...appended]).toSorted());
  for (const [first, second] of pairs) expect(ids.indexOf(second!)).toBe(ids.indexOf(first!) + 1);
  const appendedIds = idsOf(appended);
  expect(ids.filter((id) => appendedIds.includes(id))).toEqual(appendedIds);
  expect(await walk(storage, map.id, { limit: 7, fromEnd: false })).toEqual(listed);
  expect(await walk(storage, map.id, { limit: 7, fromEnd: true })).toEqual(listed);
  expect(await storage.countLocations(map.id)).toBe(listed.length);
  await storage.close();
}

describe('processes that move pairs of locations at the same time', () => {
  it('leave each pair together on SQLite', () => expectPairsTogether(`sqlite:${join(folder, 'moves.db')}`));

  itUnless(mongodbUrl === null && NO_MONGODB, 'leave each pair together on MongoDB', () =>
    expectPairsTogether(mongodbUrl ?? ''),
  );
});
