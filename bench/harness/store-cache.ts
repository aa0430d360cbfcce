/** Caches stores that take minutes to create, each with a fingerprint of its sources. */

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
  /** The run's copy. The cached file is never opened, only copied. */
  readonly path: string;
  readonly name: string;
  readonly locations: number;
}

interface CachedStore extends Pick<SqliteStore, 'readToken' | 'writeToken' | 'mapIds'> {
  readonly fingerprint: string;
}

/** @param folder null caches nothing */
export async function cachedStore(
  folder: string | null,
  { path, name, locations }: WantedStore,
  create: () => Promise<SqliteStore>,
): Promise<SqliteStore> {
  if (folder === null) return create();
  const file = join(folder, `${name}-${locations}.db`);
  const record = join(folder, `${name}-${locations}.json`);
  const fingerprint = currentFingerprint();
  const found = existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as CachedStore) : null;
  if (found?.fingerprint === fingerprint) {
    copy(file, path);
    return toSqliteStore(found, path);
  }
  const store = await create();
  const { readToken, writeToken, mapIds } = store;
  // The record is written last, so that an interrupted run leaves none.
  mkdirSync(folder, { recursive: true });
  writeFileSync(record, '{}', { mode: 0o600 });
  copy(path, file);
  const cached: CachedStore = { fingerprint, readToken, writeToken, mapIds };
  writeFileSync(record, JSON.stringify(cached));
  return store;
}

/** Covers our whole program and the generator of the locations. */
function currentFingerprint(): string {
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
