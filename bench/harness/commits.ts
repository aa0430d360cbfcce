/**
 * Counts the commits of all processes to a SQLite file in WAL mode. Each one increments a counter in the header of the WAL
 * index, FILE-shm (https://www.sqlite.org/walformat.html, 2.1).
 */

import { closeSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

const OFFSET_OF_COUNTER = 8;

/** Call it while a process has the file open. Only differences are meaningful. */
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
