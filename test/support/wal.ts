/** Reads the bytes of a SQLite write-ahead log (https://www.sqlite.org/fileformat2.html#walformat). */

import { readFileSync } from 'node:fs';

import { openDatabase } from '../../src/storage/sqlite/engine/driver.ts';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * The number of transactions in the log: one per commit frame. A reset of the log loses earlier ones; see {@link
 * keepLog}.
 */
export function commitsInLog(path: string): number {
  const log = readFileSync(`${path}-wal`);
  if (log.length < HEADER_BYTES) return 0;
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    // Frames of an earlier log have other salts.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

/** Prevents a reset of the log by an open read transaction. @returns a function that ends it */
export function keepLog(path: string): () => void {
  const reader = openDatabase(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
  return () => reader.close();
}
