/** The settings at a start: refusals and their messages, the address it listens on, and the log. */

import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { fetchDescribed } from '../support/openapi/fetch.ts';
import type { Run, Settings } from '../support/program.ts';
import { createFolder, killPrograms, runProgram, startPlainServer, startServer } from '../support/program.ts';
import { itUnless } from '../support/skip.ts';
import { locationBody, prepareMap } from './prepared-map.ts';

const withoutIpv6 = !(await canListen('::1')) && 'needs IPv6 on the loopback interface';

afterAll(killPrograms);

/** A start that must fail; one that does not is killed and fails the test. */
async function failedStart(env: Settings, cwd = createFolder()): Promise<Run> {
  const run = await runProgram(['serve'], {
    cwd,
    env: { DATABASE_URL: 'sqlite:store.db', PORT: '0', DEMO: '0', ...env },
  });
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 1, stdout: '' });
  return run;
}

function expectNoStack({ stderr }: Run): void {
  expect(stderr).not.toMatch(/\n\s+at |\\n\s+at /);
}

describe('a start with wrong settings', () => {
  it('reports all mistakes at once without their values, and changes nothing', async () => {
    const cwd = createFolder();
    const run = await failedStart(
      {
        PORT: '70000',
        RATE_LIMIT: 'many',
        LOG_LEVEL: 'loud',
        SECRET_KEY: 'a-key-too-short',
        DATABASE_URL: 'postgres://localhost/maps',
        CORS_ORIGINS: 'example.org',
      },
      cwd,
    );
    for (const name of ['PORT', 'RATE_LIMIT', 'LOG_LEVEL', 'SECRET_KEY', 'DATABASE_URL', 'CORS_ORIGINS']) {
      expect(run.stderr).toMatch(new RegExp(`^ +${name} must `, 'm'));
    }
    expect(run.stderr).not.toMatch(/a-key-too-short|postgres:\/\//);
    expectNoStack(run);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('names the port that is in use', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const address = occupant.address();
    const port = String(typeof address === 'object' ? address?.port : undefined);
    const run = await failedStart({ PORT: port });
    occupant.close();
    expect(run.stderr).toContain(`127.0.0.1:${port}`);
    expect(run.stderr).toMatch(/EADDRINUSE|in use/);
    expectNoStack(run);
  });

  it('reports mistakes in several parts at once, as plain text', async () => {
    const run = await failedStart({
      HOST: 'no-such-host.invalid',
      PORT: 'many',
      WORKERS: '2',
      GEOCODER: 'nominatim',
      DATABASE_URL: 'sqlite::memory:',
    });
    const [head, ...lines] = run.stderr.trimEnd().split('\n');
    expect(head).toBe('map-locations: Invalid settings:');
    const patterns = [
      /^ {2}PORT must be /,
      /^ {2}NOMINATIM_EMAIL must be set to use the public Nominatim .*NOMINATIM_URL/,
      /^ {2}HOST must be .*resolving it failed \(E[A-Z_]+\)\.$/,
      /^ {2}WORKERS must be 1 to use the public Nominatim .*NOMINATIM_URL/,
      /^ {2}WORKERS must be 1 with DATABASE_URL=sqlite::memory:/,
    ];
    expect(lines).toEqual(patterns.map((pattern) => expect.stringMatching(pattern)));
    expect(run.stderr).not.toContain('no-such-host');
  });
});

describe('a start on a database that cannot be opened', () => {
  it('names the path when it is a folder', async () => {
    const cwd = createFolder();
    mkdirSync(join(cwd, 'store.db'));
    const run = await failedStart({}, cwd);
    expect(run.stderr).toMatch(/database.*store\.db/);
    expectNoStack(run);
  });

  it('reports a file that is not a database', async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, 'store.db'), 'Dear diary, '.repeat(1000));
    expect((await failedStart({}, cwd)).stderr).toMatch(/not an SQLite database/);
    expect(readFileSync(join(cwd, 'store.db'), 'utf8')).toMatch(/^Dear diary/);
  });

  it('reports a file of a newer release', async () => {
    const cwd = createFolder();
    await prepareMap(cwd);
    const database = new DatabaseSync(join(cwd, 'store.db'));
    database.exec('PRAGMA user_version = 9999');
    database.close();
    expect((await failedStart({}, cwd)).stderr).toMatch(/version 9999, written by a newer release/);
  });
});

describe('settings', () => {
  it('come from the environment, then from .env in the current directory', async () => {
    const cwd = createFolder();
    writeFileSync(
      join(cwd, '.env'),
      'V0_ERROR_STATUS=400\nLOG_LEVEL=debug\n# a comment\nDATABASE_URL="sqlite:elsewhere.db"\nPORT=1\n',
    );
    const server = await startPlainServer(cwd, { DATABASE_URL: undefined });
    // The default would be 401, so .env was read.
    expect((await fetchDescribed(`${server.url}/v0/map/none`)).status).toBe(400);
    await server.stop();
    expect(server.port).not.toBe(1);
    expect(server.stderr()).toContain('"Request completed"');
    expect(readFileSync(join(cwd, 'elsewhere.db')).subarray(0, 6).toString()).toBe('SQLite');
  });

  it('create the folder of the database, readable by its owner only', async () => {
    const cwd = createFolder();
    const server = await startPlainServer(cwd, { DATABASE_URL: 'sqlite:a/b/store.db' });
    await server.stop();
    expect(statSync(join(cwd, 'a/b/store.db')).mode & 0o777).toBe(0o600);
  });

  itUnless(withoutIpv6, 'accept an IPv6 address, printed in brackets', async () => {
    const server = await startServer({ cwd: createFolder(), env: { HOST: '::1' } });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    await server.stop();
    expect(server.stdout()).toContain(`http://[::1]:${server.port}/graphql`);
  });
});

async function canListen(host: string): Promise<boolean> {
  const probe = createServer().listen(0, host);
  try {
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

describe('the log', () => {
  it('is JSON lines on stderr without tokens or keys at any level', async () => {
    const cwd = createFolder();
    const { token } = await prepareMap(cwd);
    const server = await startPlainServer(cwd, {
      LOG_LEVEL: 'trace',
      GEOCODER: 'offline',
      SECRET_KEY: `hush-${'x'.repeat(40)}`,
    });
    const secrets = [token, token.slice(4), 'hush-', 'mlt_unknown-to-all', 'lead-key', 'geo-key', 'new-key'];

    const send = async (path: string, body: unknown, bearer = token, headers = {}) => {
      const response = await fetchDescribed(`${server.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    const createMap = (providerMapApiKey: unknown, geocodingApiKey: unknown) =>
      send('/graphql', {
        query: `mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id providerMapApiKey } } }`,
        variables: { input: { name: 'Cafés', providerMapApiKey, geocodingApiKey } },
      });
    const created = await createMap('lead-key', 'geo-key');
    const mapId = String(JSON.parse(created.text).data.createMap.map.id);
    expect(created.text).toContain('lead-key');
    const update = `mutation { updateMap(input: { id: "${mapId}", geocodingApiKey: "new-key" }) { map { geocodingApiKey } } }`;
    const responses = [
      await send('/graphql', { query: update }),
      await send(`/v0/map/${mapId}`, undefined),
      await send(`/v0/map/${mapId}/location`, locationBody('A Brasileira')),
      // Failures: bad tokens, arguments with keys, invalid bodies, paths with a token.
      await send(`/v0/map/${mapId}`, undefined, 'mlt_unknown-to-all'),
      await send('/graphql', { query: update }, 'mlt_unknown-to-all'),
      await createMap('lead-key '.repeat(1000), 'geo-key'),
      await createMap({ key: 'lead-key' }, 'geo-key'),
      await send('/graphql', `{"query": "mutation { updateMap(input: {geocodingApiKey: \\"new-key\\"`),
      await send('/graphql', { query: update.replace('geocodingApiKey:', 'noSuchKey:') }),
      await send(`/v0/map/${mapId}/location`, `{"fields": {"Name": "lead-key", `),
      await send(`/v0/map/${mapId}/location`, locationBody('lead-key', { Address: 'geo-key' })),
      await send(`/v0/map/${mapId}/locations?limit=${token}&offset=new-key`, undefined),
    ];
    expect(responses.map(({ status }) => status)).toEqual([
      200, 200, 200, 401, 401, 200, 400, 400, 400, 400, 400, 400,
    ]);
    await server.stop();

    const lines = server.stderr().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(responses.length);
    expect(server.log()).toHaveLength(lines.length);
    for (const secret of secrets) expect(server.stderr() + server.stdout()).not.toContain(secret);
  });

  for (const workers of ['1', '2']) {
    it(`names the TypeScript sources in stack traces, served by ${workers}`, async () => {
      const cwd = createFolder();
      const { token, mapId } = await prepareMap(cwd);
      const server = await startPlainServer(cwd, { WORKERS: workers });
      const database = new DatabaseSync(join(cwd, 'store.db'));
      database.exec('DROP TABLE locations');
      database.close();
      const response = await fetchDescribed(`${server.url}/v0/map/${mapId}/locations`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(500);
      await server.stop();
      expect(server.stderr()).toMatch(/\/src\/storage\/sqlite\/\w+\.ts:[0-9]+:[0-9]+/);
      expect(server.stderr()).not.toMatch(/\/dist\/chunks\//);
    });
  }
});
