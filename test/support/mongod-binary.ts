/** The mongod of this machine, and how it is started for tests. */

import { findOnPath } from './executables.ts';

/** It has the machine to share with the tests, and their data are few. By itself it would take half of the memory. */
export const MONGOD_ARGUMENTS = [
  '--quiet',
  ...['--wiredTigerCacheSizeGB', '0.5'],
  ...['--oplogSize', '256'],
  // The first read of a store waits until a write of no content is on the disk, by itself up to 100 ms.
  ...['--journalCommitInterval', '10'],
  // It would outlive a server that is killed.
  ...(process.platform === 'win32' ? [] : ['--nounixsocket']),
  // Nobody reads what it would measure of itself every second.
  ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
];

/** Longer than any start should take on a busy machine. */
export const START_TIMEOUT_MS = 60_000;

/** The reason with which a suite is skipped that runs servers of its own. */
export const NEEDS_MONGOD_BINARY =
  'needs mongod itself, to run and to kill: put it on the PATH, or its path into MONGOMS_SYSTEM_BINARY';

/** The path of the program: `MONGOMS_SYSTEM_BINARY`, or else the first on the PATH; undefined where there is none. */
export function findMongod(): string | undefined {
  const named = process.env['MONGOMS_SYSTEM_BINARY'];
  if (named) return named;
  return findOnPath(process.platform === 'win32' ? 'mongod.exe' : 'mongod');
}
