/** Keeps stores that take minutes to make for later runs, with a fingerprint of what they were made from. */

import { createHash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { BENCH, ROOT } from './paths.ts';
import type { SqliteStore } from './filled-store.ts';
import { toSqliteStore } from './filled-store.ts';

export interface WantedStore {
  /** The run's copy. A kept store is never opened, only copied. */
  readonly path: string;
  readonly name: string;
  readonly locations: number;
}

interface KeptStore extends Pick<SqliteStore, 'readToken' | 'writeToken' | 'mapIds'> {
  readonly madeFrom: string;
}

/** @param folder null keeps nothing */
export async function keepStore(
  folder: string | null,
  { path, name, locations }: WantedStore,
  make: () => Promise<SqliteStore>,
): Promise<SqliteStore> {
  if (folder === null) return make();
  const file = join(folder, `${name}-${locations}.db`);
  const record = join(folder, `${name}-${locations}.json`);
  const madeFrom = fingerprint();
  const kept = existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as KeptStore) : null;
  if (kept?.madeFrom === madeFrom) {
    copy(file, path);
    return toSqliteStore(kept, path);
  }
  const store = await make();
  const { readToken, writeToken, mapIds } = store;
  // The record is written last, so an interrupted run leaves no record of another file.
  mkdirSync(folder, { recursive: true });
  writeFileSync(record, '{}', { mode: 0o600 });
  copy(path, file);
  const made: KeptStore = { madeFrom, readToken, writeToken, mapIds };
  writeFileSync(record, JSON.stringify(made));
  return store;
}

/** Covers our whole program and the generator of the locations. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of ['locations.ts', 'random.ts', 'stores.ts'])
    hash.update(readFileSync(join(BENCH, 'harness', name)));
  const { inputs } = JSON.parse(readFileSync(join(ROOT, 'dist/.stamp.json'), 'utf8')) as { inputs: string };
  return hash.update(inputs).digest('hex');
}

function copy(from: string, to: string): void {
  const unfinished = `${to}.unfinished`;
  copyFileSync(from, unfinished, constants.COPYFILE_FICLONE);
  renameSync(unfinished, to);
}
