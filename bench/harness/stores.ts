/** Stores made by our own command line, each when it is first asked for. */

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Sizes } from './options.ts';
import { FIELDS, writeCsv } from './locations.ts';
import { cli } from './subject.ts';

export interface FilledStore {
  readonly url: string;
  /** The owner's, of scope read. */
  readonly readToken: string;
  readonly writeToken: string;
  readonly mapIds: readonly string[];
}

export interface SqliteStore extends FilledStore {
  readonly path: string;
  readonly mapId: string;
}

export interface Stores {
  /** A map of the size that pages are read from. */
  pages(): Promise<SqliteStore>;
  /** A map of a million locations. */
  large(): Promise<SqliteStore>;
  /** A map with nothing in it; copies of it are written to. */
  empty(): Promise<SqliteStore>;
}

export function createStores(folder: string, sizes: Sizes, progress: (line: string) => void): Stores {
  const made = new Map<string, Promise<SqliteStore>>();
  const once = (name: string, locations: number) => () => {
    const store = made.get(name) ?? makeSqliteStore(folder, name, locations, progress);
    made.set(name, store);
    return store;
  };
  return {
    pages: once('pages', sizes.map),
    large: once('large', sizes.largeMap),
    empty: once('empty', 0),
  };
}

async function makeSqliteStore(
  folder: string,
  name: string,
  locations: number,
  progress: (line: string) => void,
): Promise<SqliteStore> {
  const path = join(folder, `${name}.db`);
  progress(`a store of ${locations} locations is being made`);
  const store = await fillStore(`sqlite:${path}`, folder, locations === 0 ? [0] : [locations]);
  return { ...store, path, mapId: store.mapIds[0] ?? '' };
}

/** An owner with a token of each scope, and a map for each number of locations. */
export async function fillStore(url: string, folder: string, maps: readonly number[]): Promise<FilledStore> {
  const token = (scope: string) =>
    cli(url, ['token', 'create', '--owner', 'bench', '--scope', scope], folder);
  const readToken = await token('read');
  const writeToken = await token('write');
  const fields = FIELDS.flatMap(([name, type]) => ['--field', `${name}:${type}`]);
  const file = join(folder, 'locations.csv');
  const mapIds: string[] = [];
  let firstNumber = 1;
  for (const locations of maps) {
    const mapId = await cli(
      url,
      ['map', 'create', '--owner', 'bench', '--name', 'Places to go', ...fields],
      folder,
    );
    mapIds.push(mapId);
    if (locations === 0) continue;
    await writeCsv(file, locations, firstNumber);
    await cli(url, ['import', mapId, file], folder);
    firstNumber += locations;
  }
  return { url, readToken, writeToken, mapIds };
}

/** A copy to write to; the store must not be open. */
export function copyStore(store: SqliteStore, folder: string, name: string): SqliteStore {
  const path = join(folder, `${name}.db`);
  copyFileSync(store.path, path);
  return { ...store, path, url: `sqlite:${path}` };
}
