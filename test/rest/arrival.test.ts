/** Token, map and data are read when a request is complete; pipelined writes run one by one. */

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

import type { TestServer } from '../support/server.ts';
import { exchange, listen } from '../support/raw-http.ts';
import { createMap, deleteMap, withServer } from '../support/v0.ts';

const BODY = JSON.stringify({ fields: { Name: 'N', Address: 'A' } });

function headOf(path: string, token: string, length: number): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`
  );
}

/** Sends a head, and the rest once the server has read it and something has changed. */
async function sendLate(
  server: TestServer,
  path: string,
  token: string,
  body: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const port = await listen(server);
  const begun = new Promise<void>((resolve) => {
    server.app.server.once('request', () => resolve());
  });
  const socket: Socket = connect(port, '127.0.0.1');
  socket.write(headOf(path, token, Buffer.byteLength(body)));
  await begun;
  // The checks of the head are done when the server starts to read the body.
  await server.request('GET', '/healthz');
  await meanwhile();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(body);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('a request whose body arrives late', () => {
  it('is rejected if its token was revoked meanwhile, at both endpoints', async () => {
    for (const endpoint of ['v0', 'graphql']) {
      await withServer({}, async (server) => {
        const map = await createMap(server);
        const token = await server.createToken();
        const [path, body] =
          endpoint === 'v0'
            ? [`/v0/map/${map}/location`, BODY]
            : ['/graphql', JSON.stringify({ query: '{ viewer { owner } }' })];
        const response = await sendLate(server, path, token, body, () =>
          server.gateway.services.tokens.revokeToken(token),
        );
        expect(response).toMatch(/^HTTP\/1\.1 401 /);
        expect(await server.gateway.storage.countLocations(map)).toBe(0);
      });
    }
  });

  it('sees the map as it is by then', async () => {
    await withServer({}, async (server) => {
      const map = await createMap(server);
      const token = await server.createToken();
      const response = await sendLate(server, `/v0/map/${map}/location`, token, BODY, () =>
        deleteMap(server, map),
      );
      expect(response).toMatch(/"error":410/);
    });
  });

  it('sees what another process has written by then', async () => {
    await withServer({}, async (server) => {
      const map = await createMap(server, { name: 'Before' });
      const token = await server.createToken();
      const body = JSON.stringify({ query: `{ map(id: "${map}") { name } }` });
      await server.request('POST', '/graphql', { body, token });
      const response = await sendLate(server, '/graphql', token, body, () =>
        server.gateway.storage.updateMap(map, { name: 'After' }, { evenIfDeleted: false }),
      );
      expect(response).toMatch(/"name":"After"/);
    });
  });
});

describe('pipelined requests', () => {
  it('run one after the other if one of them is not a GET', async () => {
    await withServer({}, async (server) => {
      const map = await createMap(server);
      const token = await server.createToken();
      const port = await listen(server);
      const auth = `Host: x\r\nAuthorization: Bearer ${token}\r\n`;
      const post = (name: string) => {
        const body = JSON.stringify({ fields: { Name: name, Address: 'A' } });
        return `POST /v0/map/${map}/location HTTP/1.1\r\n${auth}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      };
      const get = `GET /v0/map/${map}/locations HTTP/1.1\r\n${auth}\r\n`;
      const { responses } = await exchange(
        port,
        [get + post('a') + get + get + post('b') + post('c') + get],
        {
          responses: 7,
        },
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
      const lists = [0, 2, 3, 6].map((index) =>
        JSON.parse(responses[index]?.body ?? '').map(({ name }: { name: string }) => name),
      );
      expect(lists).toEqual([[], ['a'], ['a'], ['a', 'b', 'c']]);
    });
  });
});
