/** The log beside a SQLite file (https://www.sqlite.org/fileformat2.html#walformat), read as the bytes that it is. */

import { readFileSync } from 'node:fs';

import { openDatabase } from '../../src/storage/sqlite/engine/driver.ts';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * The transactions that the log holds: one for each frame that ends one. Those of a log begun anew are not known any
 * more; see {@link keepLog}.
 */
export function commitsInLog(path: string): number {
  const log = readFileSync(`${path}-wal`);
  if (log.length < HEADER_BYTES) return 0;
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    // What is left of an earlier log has other salts.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

/** Lets the log grow, by reading from where it is now; call what comes back to end that. */
export function keepLog(path: string): () => void {
  const reader = openDatabase(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
  return () => reader.close();
}
