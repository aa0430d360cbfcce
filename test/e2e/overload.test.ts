/** An overloaded server refuses new requests until it has recovered. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createFolder, delay, killPrograms, startPlainServer } from '../support/program.ts';
import { prepareMap } from './prepared-map.ts';
import { openConnection, request } from './raw-http.ts';

afterAll(killPrograms);

const LIMIT_MS = 500;

/** On SIGUSR2, blocks the event loop until a file `go` exists, for longer than requests may wait. */
const BLOCKING = `--import data:text/javascript,${encodeURIComponent(`
  import { existsSync } from 'node:fs';
  process.on('SIGUSR2', () => {
    process.stdout.write('blocked');
    const until = performance.now() + ${4 * LIMIT_MS};
    while (performance.now() < until || !existsSync('go'));
  });
`)}`;

describe('a server whose event loop was blocked', () => {
  it('refuses the requests that arrived meanwhile, serves the probes, and recovers', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const server = await startPlainServer(cwd, { OVERLOAD_MS: String(LIMIT_MS), NODE_OPTIONS: BLOCKING });
    const path = `/v0/map/${mapId}`;
    const send = async () => {
      const { status, headers } = await fetch(server.url + path, {
        headers: { authorization: `Bearer ${token}` },
      });
      return [status, headers.get('retry-after')];
    };
    while ((await send())[0] !== 200) await delay(20);

    const connections = await Promise.all(Array.from({ length: 10 }, () => openConnection(server.port)));
    // All are accepted.
    for (const connection of connections) {
      connection.write(request('GET', '/healthz'));
      while (connection.responses().length === 0) await delay(1);
    }
    server.signal('SIGUSR2');
    while (!server.stdout().includes('blocked')) await delay(1);
    const body = JSON.stringify({ query: '{ __typename }' });
    for (const connection of connections) {
      connection.write(
        request('GET', path, { token }) +
          request('GET', '/healthz') +
          request('GET', '/readyz') +
          request('POST', '/graphql', { token, body }),
      );
    }
    writeFileSync(join(cwd, 'go'), '');
    while (connections.some((connection) => connection.responses().length < 5)) await delay(5);
    for (const connection of connections) {
      const [, page, health, ready, graphql] = connection.responses();
      expect([page?.status, page?.headers.get('retry-after'), JSON.parse(page?.body ?? '').error]).toEqual([
        503,
        '1',
        503,
      ]);
      expect([health?.status, ready?.status]).toEqual([200, 200]);
      expect([graphql?.status, graphql?.headers.get('retry-after')]).toEqual([503, '1']);
      expect(JSON.parse(graphql?.body ?? '').errors[0].extensions.code).toBe('OVERLOADED');
      connection.socket.destroy();
    }
    while ((await send())[0] !== 200) await delay(20);
    expect(await send()).toEqual([200, null]);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
