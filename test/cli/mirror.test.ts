/** `map-locations mirror`, and commands with a gateway's settings. */

import { writeFileSync } from 'node:fs';

import { findCanaries } from '../support/canaries.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createLocation, createLocations, createMap } from '../support/v0.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

let upstream: TestServer;
let url: string;
let token: string;
let workspace: Workspace;
beforeAll(async () => {
  upstream = await createTestServer();
  url = await upstream.app.listen({ host: '127.0.0.1', port: 0 });
  token = await upstream.createToken({ scope: 'read' });
});
beforeEach(() => {
  workspace = createWorkspace();
});
afterEach(() => workspace.remove());
afterAll(() => upstream.close());

const mirror = (map: string, ...more: string[]) =>
  workspace.run('mirror', '--from', url, '--token', token, '--map', map, ...more);

describe('map-locations mirror', () => {
  it('prints the map’s id, the same each time, and a summary', async () => {
    const map = await createMap(upstream, { name: 'Sights' });
    await createLocations(
      upstream,
      map,
      Array.from({ length: 130 }, (_, index) => ({ name: `N${index}` })),
    );
    writeFileSync(workspace.path('token.txt'), `${token}\n`);
    const first = await mirror(map, '--token', '@token.txt', '--owner', 'alice');
    expect(first).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^[0-9a-z]{16}\n$/),
      stderr: expect.stringContaining(
        'Sights: 130 created, 0 updated, 0 unchanged, 0 moved, 0 deleted, 0 left out.\n',
      ),
    });
    const id = first.stdout.trim();
    const list = async () =>
      (await workspace.get('export', id, '--format', 'ndjson')).split('\n').map((line) => {
        const { name, externalId } = JSON.parse(line) as { name: string; externalId: string };
        return { name, externalId };
      });
    const names = (await list()).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 130 }, (_, index) => `N${index}`));

    const last = (await list()).at(-1)?.externalId ?? '';
    await upstream.request('DELETE', `/v0/map/${map}/location/${last}`);
    await createLocation(upstream, map, 'Between', '1.5');
    // A trailing slash or /v0 does not change the address.
    const again = await workspace.run(
      ...['mirror', '--from', `${url}/v0/`, '--token', token, '--map', map, '--json'],
    );
    expect(JSON.parse(again.stdout)).toEqual({
      id,
      name: 'Sights',
      owner: 'alice',
      mapCreated: false,
      ...{
        created: 1,
        updated: 0,
        unchanged: 129,
        rejected: 0,
        numbersAsText: 0,
        moved: 1,
        deleted: 1,
        own: 0,
      },
    });
    expect((await list()).map(({ name }) => name)).toEqual([
      ...['N0', 'Between'],
      ...Array.from({ length: 128 }, (_, index) => `N${index + 1}`),
    ]);
    expect(findCanaries({ token }, first.stderr + again.stderr)).toEqual([]);
  });

  it('reports the number of locations whose integers became strings', async () => {
    const map = await createMap(upstream);
    await createLocation(upstream, map, 'Small');
    // A double that JSON writes as an integer.
    const body = '{"fields":{"Name":"Large","Address":"Lisboa, Portugal","n":1e20}}';
    expect((await upstream.request('POST', `/v0/map/${map}/location`, { body })).status).toBe(200);
    const { code, stdout, stderr } = await mirror(map);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        'Integers beyond ±9007199254740991 are stored as strings of their digits, in 1 location.\n',
      ),
    ]);
    const lines = await workspace.get('export', stdout.trim(), '--format', 'ndjson');
    expect(lines).toContain('"n":"100000000000000000000"');
  });

  it('changes nothing with a wrong token, an unknown map or a wrong address', async () => {
    const map = await createMap(upstream);
    const wrong = await workspace.run('mirror', '--from', url, '--token', 'mlt_wrong', '--map', map);
    expect(wrong).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/The token is not valid/),
    });
    expect(await mirror('0000000000000000')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no such map/),
    });
    for (const from of ['ftp://x', 'http://user:pw@x', 'x']) {
      const outcome = await workspace.run('mirror', '--from', from, '--token', token, '--map', map);
      expect([from, outcome.code]).toEqual([from, 2]);
      expect(outcome.stderr).toMatch(/--from must be an http or https address/);
    }
    const odd = await workspace.run('mirror', '--from', url, '--token', 'a b', '--map', map);
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringMatching(/--token is not a bearer token/) });
  });
});

it('commands that need a store refuse to run with UPSTREAM_URL, with a reason', async () => {
  workspace.environment.UPSTREAM_URL = url;
  for (const command of [
    ['token', 'create', '--owner', 'o'],
    ['token', 'list'],
    ['map', 'list'],
    ['backup', 'x.gz'],
    ['restore', 'x.gz'],
    ['doctor'],
    ['export', 'x'],
    ['mirror', '--from', url, '--token', token, '--map', 'x'],
  ]) {
    const { code, stdout, stderr } = await workspace.run(...command);
    expect([command, code, stdout]).toEqual([command, 2, '']);
    expect(stderr).toMatch(/^map-locations: UPSTREAM_URL is set, so there is no store/m);
  }
});

it('serve with UPSTREAM_URL opens no store, prints its addresses, and forwards requests', async () => {
  const map = await createMap(upstream, { name: 'Behind' });
  for (const workers of ['1', '2']) {
    Object.assign(workspace.environment, { UPSTREAM_URL: url, WORKERS: workers, LOG_LEVEL: 'debug' });
    const { child, outcome } = workspace.start('serve', '--port', '0');
    let printed = '';
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (text: string) => {
        printed += text;
        const found = /GraphQL\s+(http\S+)\/graphql/.exec(printed)?.[1];
        if (found !== undefined && printed.includes('Upstream')) resolve(found);
      });
      child.once('close', () => reject(new Error('The server has ended.')));
    });
    const response = await fetch(`${address}/v0/map/${map}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toMatchObject({ data: { name: 'Behind' } });
    child.kill('SIGTERM');
    const { code, stderr } = await outcome;
    expect(code).toBe(0);
    expect(printed).toContain(`Upstream`);
    expect(printed).not.toMatch(/Console|Store|token create/);
    expect(stderr).toContain('Upstream request');
    expect(findCanaries({ token }, printed + stderr)).toEqual([]);
  }
});

it('serve refuses settings that need a store', async () => {
  Object.assign(workspace.environment, { UPSTREAM_URL: url, AUDIT_LOG: 'x', FEDERATION: '1' });
  const { code, stderr } = await workspace.run('serve');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/AUDIT_LOG must not be set with UPSTREAM_URL[^]*FEDERATION must not/),
  ]);
});
