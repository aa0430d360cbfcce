/** A file of version 3, as version 0.1 of the program made it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { openDatabase } from '../../src/storage/sqlite/engine/driver.ts';

const FILE = new URL('../storage/versions/sqlite-3.db.gz', import.meta.url);

export function writeVersion3(path: string): void {
  writeFileSync(path, gunzipSync(readFileSync(FILE)));
}

/** Locks the file as a process does that migrates it. @returns a function that releases the lock */
export function lockVersion3(path: string): () => void {
  writeVersion3(path);
  const database = openDatabase(path);
  database.exec('BEGIN IMMEDIATE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}
