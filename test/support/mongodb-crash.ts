/** Stops operations at each of their statements, and checks what must hold afterwards. */

import type { Document } from 'mongodb';

import { openMongodbStorage } from '../../src/storage/mongodb/storage.ts';
import type { LocationRecord } from '../../src/domain/location.ts';
import type { MapRecord } from '../../src/domain/map.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { expectGrouped, expectLogged, idsOf, listPage, seedMap } from '../contract/storage/fixtures.ts';
import type { Fate } from './mongodb-proxy.ts';
import { startProxy } from './mongodb-proxy.ts';

/** Enough to open a store on a busy machine. A writer that was cut off is not awaited. */
const CUT_OFF = { timeoutMs: 3000, lateWriteMs: 100 };

const READS = new Set(['find', 'aggregate']);

export interface Stop {
  /** Which statement, from 1, and whether it reaches the server. */
  readonly at: number;
  readonly fate: Exclude<Fate, 'pass'>;
}

export interface Stopped {
  /** False if the operation had fewer statements: it was complete before the stop. */
  readonly happened: boolean;
  /** The statements: command and collection. Without reads that it repeats while it waits. */
  readonly statements: readonly string[];
}

/** Runs an operation through a store that loses its server for good at one of the statements. */
export async function runUntil(
  url: string,
  { at, fate }: Stop,
  operation: (storage: Storage) => Promise<unknown>,
): Promise<Stopped> {
  const statements: string[] = [];
  const readsSinceWrite = new Set<string>();
  let isArmed = false;
  let tell = () => {};
  const cut = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const proxy = await startProxy(url, {
    judge: (name, command) => {
      if (!isArmed || isRepeated(readsSinceWrite, name, command)) return 'pass';
      statements.push(`${name} ${String(command[name])}`);
      return statements.length === at ? fate : 'pass';
    },
    onCut: tell,
  });
  const storage = await openMongodbStorage(proxy.url, CUT_OFF);
  isArmed = true;
  // The response would reach nobody.
  const ended = operation(storage).catch(() => {});
  await Promise.race([ended, cut]);
  await proxy.close();
  void ended.then(() => storage.close());
  return { happened: statements.length >= at, statements };
}

/** An operation that waits repeats its reads; how often depends on the machine. */
function isRepeated(readsSinceWrite: Set<string>, name: string, command: Document): boolean {
  if (!READS.has(name)) {
    readsSinceWrite.clear();
    return false;
  }
  const read = JSON.stringify([command[name], command.filter, command.pipeline]);
  if (readsSinceWrite.has(read)) return true;
  readsSinceWrite.add(read);
  return false;
}

/** Runs an operation, suspended before one of its statements until `meanwhile` has finished. */
export async function runAround<T>(
  url: string,
  at: number,
  operation: (storage: Storage) => Promise<T>,
  meanwhile: () => Promise<void>,
): Promise<{ readonly happened: boolean; readonly result: T }> {
  let count = 0;
  let isArmed = false;
  const proxy = await startProxy(url, {
    judge: async (): Promise<Fate> => {
      if (isArmed && (count += 1) === at) await meanwhile();
      return 'pass';
    },
  });
  const storage = await openMongodbStorage(proxy.url, { timeoutMs: 10_000, lateWriteMs: 100 });
  isArmed = true;
  try {
    const result = await operation(storage);
    return { happened: count >= at, result };
  } finally {
    await storage.close();
    await proxy.close();
  }
}

/**
 * Checks that every way to read a map's locations has the same result.
 *
 * @param options.isLogged false for a map whose log lacks some changes, such as a copy
 * @returns its list
 */
export async function expectWhole(
  storage: Storage,
  mapId: string,
  { isLogged = true }: { readonly isLogged?: boolean } = {},
): Promise<readonly LocationRecord[]> {
  if (isLogged) await expectLogged(storage, mapId);
  const list = await listPage(storage, mapId);
  expect(await storage.countLocations(mapId)).toBe(list.length);
  await expectGrouped(storage, mapId, list);
  expect(await storage.getLocations(mapId, idsOf(list))).toEqual(list);
  expect(await storage.hasLocations(mapId, { after: null, before: null })).toBe(list.length > 0);
  expect(await listPage(storage, mapId, { fromEnd: true })).toEqual(list);
  expect(new Set(idsOf(list)).size).toBe(list.length);
  expect(new Set(list.map(({ sequence }) => sequence)).size).toBe(list.length);
  for (const location of list) {
    expect(location).toEqual({
      id: expect.any(String),
      mapId,
      name: expect.any(String),
      placeId: expect.any(String),
      latitude: expect.any(Number),
      longitude: expect.any(Number),
      properties: expect.any(Object),
      externalId: location.externalId === null ? null : expect.any(String),
      version: expect.any(Number),
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      geocoding: expect.objectContaining({ provider: expect.any(String), precision: expect.any(String) }),
      order: expect.any(String),
      orderKey: expect.any(String),
      sequence: expect.any(Number),
    });
  }
  return list;
}

/** More than any operation has. */
const MOST_STATEMENTS = 30;

/**
 * Stops an operation at each of its statements in turn, on a new map each time, and checks the result.
 *
 * @returns the number of stops, and the number of statements of the operation
 */
export async function stopEverywhere(
  storage: Storage,
  url: string,
  prepare: (map: MapRecord) => Promise<(writer: Storage) => Promise<unknown>>,
  look: (map: MapRecord, stop: Stop) => Promise<void>,
): Promise<{ readonly stops: number; readonly statements: number }> {
  let stops = 0;
  let count = 0;
  for (const fate of ['cut before', 'cut after'] as const) {
    stops += await atEachStatement(async (at) => {
      const stop = { at, fate };
      const map = await seedMap(storage);
      const operation = await prepare(map);
      const { happened, statements } = await runUntil(url, stop, operation);
      if (!happened) count = statements.length;
      try {
        await look(map, stop);
      } catch (error) {
        throw new Error(`${fate} statement ${at} of ${statements.join(', ')}`, { cause: error });
      }
      return happened;
    });
  }
  return { stops, statements: count };
}

/** An attempt mostly waits for the server. */
const TRIES_AT_ONCE = 4;

/**
 * Runs an attempt for each statement of an operation, from the first.
 *
 * @param tryAt resolves to whether the operation had that statement; each attempt needs its own map
 * @returns the number of statements
 */
export async function atEachStatement(tryAt: (at: number) => Promise<boolean>): Promise<number> {
  for (let first = 1; first < MOST_STATEMENTS; first += TRIES_AT_ONCE) {
    const tries = Array.from({ length: TRIES_AT_ONCE }, (_, index) => tryAt(first + index));
    await Promise.allSettled(tries);
    const happened = (await Promise.all(tries)).filter(Boolean).length;
    if (happened < TRIES_AT_ONCE) return first - 1 + happened;
  }
  throw new Error(`The operation has more than ${MOST_STATEMENTS} statements.`);
}
