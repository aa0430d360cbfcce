/**
 * Finds the MongoDB server that the tests run on, in this order:
 *
 * 1. `TEST_MONGODB_URL`;
 * 2. a `mongod` named by `MONGOMS_SYSTEM_BINARY` or on the PATH, run by mongodb-memory-server;
 * 3. mongodb-memory-server's own download, tried once for at most a minute.
 *
 * The test files read `TEST_MONGODB_URL`, which they inherit; without it their suites are skipped.
 */

import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';

import type { MongoMemoryServer } from 'mongodb-memory-server';

import { findMongod, MONGOD_ARGUMENTS, START_TIMEOUT_MS } from '../mongod-binary.ts';

const DOWNLOAD_LIMIT_MS = 60_000;

let stop = async (): Promise<void> => {};

/** Sets `TEST_MONGODB_URL` for the processes of the test files, where there is a server. */
export async function provideMongodb(): Promise<void> {
  if (process.env['TEST_MONGODB_URL']) return;
  const systemBinary = findMongod() ?? (await download());
  if (systemBinary === undefined) {
    console.log('\n  !!  NO MONGODB: the suites that need it are skipped.\n');
    return;
  }
  // Some tests start one of their own.
  process.env['MONGOMS_SYSTEM_BINARY'] = systemBinary;
  // Every version from 5.0 on is as good as the one that the package would download.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] ??= 'false';
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  // A replica set of one, which is what makes mongod do all that it can: retryable writes, majorities.
  // Its folder is on the disk: in memory (/dev/shm) the storage contract took as long.
  const server = await MongoMemoryReplSet.create({
    binary: { systemBinary },
    instanceOpts: [{ launchTimeout: START_TIMEOUT_MS }],
    replSet: { count: 1, storageEngine: 'wiredTiger', args: MONGOD_ARGUMENTS },
  });
  process.env['TEST_MONGODB_URL'] = server.getUri();
  // Its folder is large. Where a run is interrupted, nobody stops it.
  process.once('exit', () => server.servers.forEach(end));
  stop = async () => void (await server.stop());
}

/** Stops what was started; a server that was given by its URL goes on. */
export async function stopMongodb(): Promise<void> {
  await stop();
}

/** Without waiting; of one that was stopped nothing is left. */
function end({ instanceInfo }: MongoMemoryServer): void {
  if (instanceInfo === undefined) return;
  instanceInfo.instance.mongodProcess?.kill('SIGKILL');
  rmSync(instanceInfo.dbPath, { recursive: true, force: true, maxRetries: 5 });
}

/** In a process of its own, since a download under way cannot be called off. */
async function download(): Promise<string | undefined> {
  console.log('Looking for MongoDB: mongodb-memory-server may download it, for at most a minute …');
  const program =
    "import { MongoBinary } from 'mongodb-memory-server'; console.log('\\n' + (await MongoBinary.getPath()));";
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        timeout: DOWNLOAD_LIMIT_MS,
        killSignal: 'SIGKILL',
      },
    );
    // What else the package prints comes before.
    return stdout.trim().split('\n').at(-1);
  } catch {
    return undefined;
  }
}
