/** SQLite stores, each filled by our command line when it is first used. */

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cachedStore } from './store-cache.ts';
import { FIELDS, writeCsv } from './locations.ts';
import type { Sizes } from './options.ts';
import type { FilledStore, SqliteStore } from './filled-store.ts';
import { toSqliteStore } from './filled-store.ts';
import type { Program } from './subject.ts';
import { cli, OUR_PROGRAM } from './subject.ts';

export interface Stores {
  /** A map to read pages from. */
  pages(): Promise<SqliteStore>;
  /** A map of a million locations, fewer in a quick run. */
  large(): Promise<SqliteStore>;
  /** A map to compare the large one with. */
  small(): Promise<SqliteStore>;
  /** An empty map. Workloads write to copies of it. */
  empty(): Promise<SqliteStore>;
}

/** @param cacheFolder keeps stores for later runs; null keeps none */
export function createStores(
  folder: string,
  cacheFolder: string | null,
  sizes: Sizes,
  progress: (line: string) => void,
): Stores {
  const stores = new Map<string, Promise<SqliteStore>>();
  const once = (name: string, locations: number) => () => {
    const path = join(folder, `${name}.db`);
    const create = () => {
      progress(`creating a store of ${locations} locations`);
      return createSqliteStore(path, folder, locations);
    };
    const store =
      stores.get(name) ??
      (locations === 0 ? create() : cachedStore(cacheFolder, { path, name, locations }, create));
    stores.set(name, store);
    return store;
  };
  return {
    pages: once('pages', sizes.map),
    large: once('large', sizes.largeMap),
    small: once('small', sizes.smallMap),
    empty: once('empty', 0),
  };
}

export async function createSqliteStore(
  path: string,
  folder: string,
  locations: number,
  program: Program = OUR_PROGRAM,
): Promise<SqliteStore> {
  const url = `sqlite:${path}`;
  return toSqliteStore(await fillStore(url, folder, [locations], program), path);
}

/** Creates an owner with a token of each scope, and a map for each number of locations. */
export async function fillStore(
  url: string,
  folder: string,
  maps: readonly number[],
  program: Program = OUR_PROGRAM,
): Promise<FilledStore> {
  const token = (scope: string) =>
    cli(url, ['token', 'create', '--owner', 'bench', '--scope', scope], folder, program);
  const readToken = await token('read');
  const writeToken = await token('write');
  const fields = FIELDS.flatMap(([name, type]) => ['--field', `${name}:${type}`]);
  const file = join(folder, 'locations.csv');
  const mapIds: string[] = [];
  const size = maps.reduce((sum, each) => sum + each, 0);
  let firstNumber = 1;
  for (const locations of maps) {
    const mapId = await cli(
      url,
      ['map', 'create', '--owner', 'bench', '--name', 'Places to go', ...fields],
      folder,
      program,
    );
    mapIds.push(mapId);
    if (locations === 0) continue;
    await writeCsv(file, { count: locations, firstNumber, size });
    await cli(url, ['import', mapId, file], folder, program);
    firstNumber += locations;
  }
  return { url, readToken, writeToken, mapIds };
}

/** Copies a store that no process has open. */
export function copyStore(store: SqliteStore, folder: string, name: string): SqliteStore {
  const path = join(folder, `${name}.db`);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  copyFileSync(store.path, path);
  return toSqliteStore(store, path);
}
