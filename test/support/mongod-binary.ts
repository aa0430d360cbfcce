/** The machine's mongod, and its arguments for tests. */

import { findOnPath } from './executables.ts';

/** By default, mongod takes half of the memory; the tests need little data. */
export const MONGOD_ARGUMENTS = [
  '--quiet',
  ...['--wiredTigerCacheSizeGB', '0.5'],
  ...['--oplogSize', '256'],
  // The first read of a store waits until a no-op write is on disk, by default up to 100 ms.
  ...['--journalCommitInterval', '10'],
  // The socket file would outlive a killed server.
  ...(process.platform === 'win32' ? [] : ['--nounixsocket']),
  // Diagnostic data collection runs every second, and is not used.
  ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
];

/** Longer than any startup should take on a busy machine. */
export const START_TIMEOUT_MS = 60_000;

/** Why a suite that runs its own servers is skipped. */
export const NEEDS_MONGOD_BINARY =
  'needs mongod itself, to run and to kill: put it on the PATH, or its path into MONGOMS_SYSTEM_BINARY';

/** The path of the program: `MONGOMS_SYSTEM_BINARY`, or the first on the PATH; undefined if there is none. */
export function findMongod(): string | undefined {
  const named = process.env['MONGOMS_SYSTEM_BINARY'];
  if (named) return named;
  return findOnPath(process.platform === 'win32' ? 'mongod.exe' : 'mongod');
}
