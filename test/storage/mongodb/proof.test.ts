/** `scripts/mongodb-proof.mjs`, which operators run on their own deployment: its output and cleanup. */

import { MongoClient } from 'mongodb';

import { NO_MONGODB, testServer } from '../../support/mongodb-server.ts';
import { ROOT, runCommand } from '../../support/program.ts';
import { describeUnless } from '../../support/skip.ts';
import { EXPECTED } from './explain-expected.ts';

const TIMEOUT_MS = 280_000;
const run = (...args: string[]) =>
  runCommand(process.execPath, ['--import', 'tsx', 'scripts/mongodb-proof.mjs', ...args], {
    cwd: ROOT,
    timeoutMs: TIMEOUT_MS,
  });

async function databasesOf(url: string): Promise<readonly string[]> {
  const client = new MongoClient(url);
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    return databases.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'the proof of plans and rates', () => {
  it('has a line for every query of the table, then totals and rates, and leaves no database behind', async () => {
    const { code, stdout, stderr } = await run(server!.url, '0.1', '2');
    expect([code, stderr]).toEqual([0, '']);
    const [head, databases, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^(mongod \d|mongos \d|Not mongod: the results below do not apply to mongod\.$)/);
    const names = /^In (\S+) and (\S+), dropped at the end\.$/.exec(databases!)!.slice(1);
    const left = await databasesOf(server!.url);
    expect([names.length, names.filter((name) => left.includes(name))]).toEqual([2, []]);
    const plans = lines.slice(0, -4);
    const printed = plans.map((line) => /^ok {10}1 {2}(.+)$/.exec(line)?.[1] ?? line);
    const expected = Object.entries(EXPECTED).flatMap(([call, queries]) =>
      queries.map((query) => `${call}: ${query}`),
    );
    expect(printed.sort()).toEqual(expected.sort());
    const [sums, ...rates] = lines.slice(-4);
    expect(sums).toMatch(
      /^\d+ calls, \d+ queries: 0 without an index, 0 of one map that reach several shards, 0 with an unexpected index$/,
    );
    for (const rate of rates) expect(rate).toMatch(/^ *\d+ {2}locations (stored|read) per second, /);
  });

  it('requires the URL of a MongoDB, and exits with status 2 without it', async () => {
    for (const args of [[], ['sqlite:x.db'], [server!.url, 'long']]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^Usage: /)]);
    }
  });
});
