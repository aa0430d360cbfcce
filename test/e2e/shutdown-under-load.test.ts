/** A signal under load: requests sent before it get complete responses, and clients are told to close. */

import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';

import type { Server, Settings } from '../support/program.ts';
import { createFolder, delay, killPrograms, startPlainServer } from '../support/program.ts';
import { SLOW_CLOCK } from '../support/slow-clock.ts';
import type { PreparedMap } from './prepared-map.ts';
import { locationBody, prepareMap } from './prepared-map.ts';
import type { RawConnection } from './raw-http.ts';
import { openConnection, request } from './raw-http.ts';

afterAll(killPrograms);

interface Fixture extends PreparedMap {
  readonly server: Server;
}

/** The highest value of the setting; slower requests are cut, as may happen on a very busy machine. */
const LIMIT_MS = 14_000;

async function start(env: Settings = {}): Promise<Fixture> {
  const cwd = createFolder();
  const prepared = await prepareMap(cwd);
  const limit = { SHUTDOWN_TIMEOUT_MS: String(LIMIT_MS) };
  return { ...prepared, server: await startPlainServer(cwd, { ...limit, ...env }) };
}

describe('requests written right before a signal', () => {
  const ROUNDS = 10;
  const CONNECTIONS = 200;

  it('all get complete responses, however many there are', async () => {
    let owed = 0;
    let late = 0;
    let wanted = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const fixture = await start();
      // A third of the connections are not open when the writing begins.
      const early = await openAll(fixture, Math.ceil((CONNECTIONS * 2) / 3));
      const fresh = openAll(fixture, CONNECTIONS - early.length);
      // In each round a different part of the connections has written by then.
      const mostBefore = Math.floor(((round + Math.random()) / ROUNDS) * CONNECTIONS);
      let signalledAt: number | null = null;
      const signal = () => {
        signalledAt = performance.now();
        fixture.server.signal('SIGTERM');
      };
      const sent: { connection: RawConnection; count: number; before: boolean }[] = [];
      const send = (connection: RawConnection, index: number) => {
        if (sent.length === mostBefore) signal();
        const count = index % 5 === 0 ? 3 : 1;
        connection.write(requestsOf(fixture, index, count).join(''));
        // Bytes that the kernel accepted at once are in the server's receive buffer.
        sent.push({
          connection,
          count,
          before: signalledAt === null && connection.socket.writableLength === 0,
        });
      };
      for (const [index, connection] of early.entries()) {
        send(connection, index);
        // Meanwhile the responses are read.
        if (index % 10 === 0) await turn();
      }
      for (const [index, connection] of (await fresh).entries()) send(connection, index + early.length);
      // Some connections may have failed to open.
      if (sent.length <= mostBefore) signal();
      expect(await fixture.server.exited).toMatchObject({ code: 0, signal: null });
      if (performance.now() - signalledAt! >= LIMIT_MS) continue;
      wanted += mostBefore;
      await Promise.all(sent.map(({ connection }) => connection.closed));
      for (const { connection, count, before } of sent) {
        if (before) owed += count;
        else late += count;
        const responses = connection.responses();
        if (before) expect(responses).toHaveLength(count);
        expect(connection.rest()).toBe('');
        for (const { status, body } of responses) {
          expect(status).toBe(200);
          expect(() => JSON.parse(body)).not.toThrow();
        }
      }
    }
    console.log(`${owed} requests written before a signal, ${late} after`);
    expect(owed).toBeGreaterThan(wanted / 2);
  });

  async function openAll({ server }: Fixture, count: number): Promise<RawConnection[]> {
    const opened = await Promise.allSettled(Array.from({ length: count }, () => openConnection(server.port)));
    return opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  function requestsOf({ mapId, token }: Fixture, index: number, count: number): string[] {
    return Array.from({ length: count }, (_, part) =>
      (index + part) % 2 === 0
        ? request('POST', `/v0/map/${mapId}/location`, { token, body: locationBody(`Café ${index}`) })
        : request('GET', `/v0/map/${mapId}/locations`, { token }),
    );
  }
});

describe('clients with keep-alive connections', () => {
  const CLIENTS = 16;

  it('see no failure except refused connections, after the server announced its end', async () => {
    // A busy machine may delay the clients for longer than a server waits for their next requests.
    const { server, mapId, token } = await start({ NODE_OPTIONS: SLOW_CLOCK });
    let responded = 0;
    /** Creates locations on one connection. @returns the last response's Connection header and the error after it */
    const createUntilRefused = async (agent: Agent): Promise<string> => {
      for (let last = 'none'; ; responded += 1) {
        try {
          last = await create(agent);
        } catch (error) {
          return `${last}, ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`;
        }
      }
    };
    const create = (agent: Agent) =>
      new Promise<string>((resolve, reject) => {
        const url = `${server.url}/v0/map/${mapId}/location`;
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const sent = httpRequest(url, { method: 'POST', headers, agent }, (response) => {
          text(response).then((body) => {
            if (response.statusCode === 200 && body.endsWith('}}'))
              resolve(String(response.headers.connection));
            else reject(new Error(`${response.statusCode} ${body}`));
          }, reject);
        });
        sent.on('error', reject);
        sent.end(locationBody('Café'));
      });
    const agents = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const clients = agents.map(createUntilRefused);
    const enough = async () => {
      while (responded < 20 * CLIENTS) await delay(5);
    };
    // The checks below report a client that has ended by now.
    await Promise.race([enough(), ...clients]);
    server.signal('SIGTERM');
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expect(new Set(await Promise.all(clients))).toEqual(new Set(['close, ECONNREFUSED']));
    for (const agent of agents) agent.destroy();
    console.log(`${responded} responses on ${CLIENTS} keep-alive connections`);
  });
});
