/**
 * Finds the MongoDB server that the tests run on, in this order:
 *
 * 1. `TEST_MONGODB_URL`;
 * 2. a `mongod` named by `MONGOMS_SYSTEM_BINARY` or on the PATH, run by mongodb-memory-server;
 * 3. mongodb-memory-server's own download, tried once for at most a minute.
 *
 * scripts/test.mjs calls {@link findMongodb} once and hands the outcome on in the environment, so that its test files,
 * each a process of its own, neither start a server each nor wait for the same download; a file that is run by itself
 * (test/support/mongodb-server.ts) finds one for itself.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The reason with which a suite is skipped where there is no server. */
export const NO_MONGODB =
  'needs a MongoDB server: set TEST_MONGODB_URL, or put mongod on the PATH (or its path into ' +
  'MONGOMS_SYSTEM_BINARY), or let mongodb-memory-server download one';

/** Set to 1 where the search was made before and found nothing. */
const SEARCHED = 'TEST_MONGODB_SEARCHED';
const DOWNLOAD_LIMIT_MS = 60_000;

/**
 * @typedef {object} TestMongodb
 * @property {string} url
 * @property {() => Promise<void>} stop stops what was started for the tests; a server given by its URL goes on
 */

/**
 * @param {(line: string) => void} [say] told what goes on where it takes time
 * @returns {Promise<TestMongodb | null>} null where there is none
 */
export async function findMongodb(say = () => {}) {
  const { TEST_MONGODB_URL: given, [SEARCHED]: searched } = process.env;
  if (given) return { url: given, stop: async () => {} };
  if (searched === '1') return null;
  const binary = findBinary() ?? (await download(say));
  return binary === null ? null : start(binary);
}

/**
 * Finds a server for all test files of a run: sets what they read in the environment that they inherit.
 *
 * @returns {Promise<() => Promise<void>>} to be called at the end of the run
 */
export async function provideMongodb(say = console.log) {
  const server = await findMongodb(say);
  if (server === null) {
    process.env[SEARCHED] = '1';
    say(`\n  !!  NO MONGODB: its suites are skipped. A suite ${NO_MONGODB}.\n`);
    return async () => {};
  }
  process.env.TEST_MONGODB_URL = server.url;
  return server.stop;
}

function findBinary() {
  const named = process.env.MONGOMS_SYSTEM_BINARY;
  if (named) return named;
  const name = process.platform === 'win32' ? 'mongod.exe' : 'mongod';
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** In a process of its own, since a download under way cannot be called off. */
function download(say) {
  say('Looking for MongoDB: mongodb-memory-server may download it, for at most a minute …');
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'download'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: DOWNLOAD_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  return new Promise((done) => {
    child.on('error', () => done(null));
    child.on('close', (code) => {
      // What else the package prints comes before.
      const path = Buffer.concat(chunks).toString().trim().split('\n').at(-1);
      done(code === 0 && path ? path : null);
    });
  });
}

/** A replica set of one, which is what makes mongod do all that it can: retryable writes, majorities. */
async function start(systemBinary) {
  const { MongoMemoryReplSet } = await import('mongodb-memory-server-core');
  const server = await MongoMemoryReplSet.create({
    binary: { systemBinary },
    replSet: { count: 1, storageEngine: 'wiredTiger' },
  });
  return { url: server.getUri(), stop: async () => void (await server.stop()) };
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'download') {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  console.log(`\n${await MongoBinary.getPath()}`);
}
