/** A file of version 3, as version 0.1 of the program made it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { openDatabase } from '../../src/storage/sqlite/engine/driver.ts';

const FILE = new URL('../storage/versions/sqlite-3.db.gz', import.meta.url);

export function writeVersion3(path: string): void {
  writeFileSync(path, gunzipSync(readFileSync(FILE)));
}

/** As a process has it that is bringing the file to a newer version, until what is returned is called. */
export function lockVersion3(path: string): () => void {
  writeVersion3(path);
  const database = openDatabase(path);
  database.exec('BEGIN IMMEDIATE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}
