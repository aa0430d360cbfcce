/**
 * `npm run torture`: the randomised tests in their long forms. Arguments select test files, or `schemathesis`.
 *
 *   KILL_ROUNDS       kills per store (200)
 *   LOAD_REQUESTS     requests of the mixed load; by default, it runs for LOAD_MINUTES
 *   LOAD_MINUTES      (60)
 *   SCHEMATHESIS      the command of Schemathesis (`schemathesis`); skipped if not installed
 *   TEST_MONGODB_URL, MONGOMS_SYSTEM_BINARY  as for `npm test`
 */

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TORTURE_TESTS } from '../test/support/torture.ts';

/** In effect no limit: each file bounds its own work. */
const TIMEOUT_MS = 24 * 60 * 60_000;
const PROGRAM = 'dist/cli/main.js';
/** Many short runs: in a long one it takes ever longer to generate a new example. */
const SEEDS = 10;
const EXAMPLES = '300';

const given = process.argv.slice(2);
const files = given.filter((name) => name !== 'schemathesis');
const isSound = given.length === 0 || files.length > 0 ? runTests(files) : true;
const isExplored = given.length === 0 || given.includes('schemathesis') ? await runSchemathesis() : true;
process.exit(isSound && isExplored ? 0 : 1);

/** @returns whether all passed */
function runTests(names) {
  // The output of passing tests, which counts what they tried, is shown only with --verbose.
  const args = ['--import', 'tsx', 'node_modules/jest/bin/jest.js', '--verbose'];
  const { status } = spawnSync('node', [...args, ...(names.length > 0 ? names : TORTURE_TESTS)], {
    stdio: 'inherit',
    env: { ...process.env, TORTURE: '1', TEST_TIMEOUT_MS: String(TIMEOUT_MS), TEST_CONCURRENCY: '1' },
  });
  return status === 0;
}

/** @returns true if it found no fault, or is not installed */
async function runSchemathesis() {
  const command = process.env.SCHEMATHESIS ?? 'schemathesis';
  if (spawnSync(command, ['--version']).status !== 0) {
    console.log('Schemathesis is not installed (pip install schemathesis); skipped.');
    return true;
  }
  const cwd = mkdtempSync(join(tmpdir(), 'map-locations-torture-'));
  const env = {
    PATH: process.env.PATH,
    ...{
      DATABASE_URL: `sqlite:${join(cwd, 'store.db')}`,
      DEMO: '0',
      GEOCODER: 'offline',
      RATE_LIMIT: '0',
      // On a busy machine, an overload response is not a fault.
      OVERLOAD_MS: '0',
      PORT: '0',
    },
  };
  const run = (...args) => spawnSync('node', [PROGRAM, ...args], { env, encoding: 'utf8' }).stdout.trim();
  const token = run('token', 'create', '--owner', 'schemathesis');
  const map = run('map', 'create', '--owner', 'schemathesis', '--name', 'Torture');
  const config = join(cwd, 'schemathesis.toml');
  // Generated ids match no map.
  writeFileSync(config, `[parameters]\n"path.mapId" = "${map}"\n`);
  const server = spawn('node', [PROGRAM, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const url = await addressOf(server);
    const args = [
      ...['--config-file', config, 'run', `${url}/v0/openapi.json`],
      ...['--phases', 'coverage,fuzzing', '--max-examples', EXAMPLES, '-H', `Authorization: Bearer ${token}`],
      // The contract requires 400, not 404, for a location that does not exist.
      ...['--exclude-checks', 'positive_data_acceptance'],
    ];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      // It leaves a folder in its working directory.
      const { status } = spawnSync(command, [...args, '--seed', `${seed}`], { stdio: 'inherit', cwd });
      if (status !== 0) return false;
    }
    return true;
  } finally {
    server.kill();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Reads the server's address from its log. */
async function addressOf(server) {
  let log = '';
  for await (const chunk of server.stderr) {
    log += chunk;
    const [, url] = /Server listening at (http:[^"\s]+)/.exec(log) ?? [];
    if (url === undefined) continue;
    server.stderr.resume();
    return url;
  }
  throw new Error(`The server did not start:\n${log}`);
}
