/**
 * How many transactions were committed to a SQLite file under WAL, whoever wrote them: the header of the index of the
 * write-ahead log (FILE-shm) holds a counter that grows by one with each (https://www.sqlite.org/walformat.html, 2.1).
 */

import { closeSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

const OFFSET_OF_COUNTER = 8;

/** To be read while a process has the file open; only differences mean anything. */
export function readCommitCounter(path: string): number {
  const file = openSync(`${path}-shm`, 'r');
  try {
    const bytes = Buffer.alloc(4);
    readSync(file, bytes, 0, 4, OFFSET_OF_COUNTER);
    return endianness() === 'LE' ? bytes.readUInt32LE() : bytes.readUInt32BE();
  } finally {
    closeSync(file);
  }
}
