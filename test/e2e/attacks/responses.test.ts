/** Attacks by long responses: refused before they are built; unread ones do not hold memory for ever. */

import { connect } from 'node:net';
import type { Socket } from 'node:net';

import type { Server } from '../../support/program.ts';
import { createFolder, delay, killPrograms, startPlainServer } from '../../support/program.ts';
import type { PreparedMap } from '../prepared-map.ts';
import { inStore, prepareMap } from '../prepared-map.ts';
import { waitsDuring } from './pings.ts';
import { residentMb } from './process-memory.ts';

afterAll(killPrograms);

/** Just below the limit of a location's fields. */
const LONG = 'x'.repeat(64_000);
const MAPS = 12;
const UNREAD_TIMEOUT_MS = 2_000;

describe('responses', () => {
  let server: Server;
  let prepared: PreparedMap;
  beforeAll(async () => {
    const cwd = createFolder();
    prepared = await prepareMap(cwd);
    await inStore(cwd, async ({ services }) => {
      const caller = await services.tokens.authenticate(prepared.token);
      const fields = { Name: 'N', Address: 'A', Long: LONG };
      const locations = Array.from({ length: 100 }, () => ({
        fields,
        position: { latitude: 1, longitude: 1 },
      }));
      await services.locationBatches.createLocations({ caller }, prepared.mapId, locations);
      for (let index = 0; index < MAPS; index += 1) {
        const { id } = await services.maps.createMap({ caller }, { name: `${index}` });
        await services.locationBatches.createLocations({ caller }, id, locations);
      }
    });
    server = await startPlainServer(cwd, {
      UNREAD_TIMEOUT_MS: String(UNREAD_TIMEOUT_MS),
      UNREAD_LIMIT: '40000000',
    });
    await post('{ viewer { owner } }');
  });

  async function post(query: string, accept = 'application/json') {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${prepared.token}` },
      body: JSON.stringify({ query }),
    });
    return { status: response.status, text: await response.text() };
  }

  const aliases = Array.from({ length: 49 }, (_, index) => `a${index}: properties`).join(' ');
  const LONG_QUERIES: Readonly<Record<string, () => string>> = {
    'a long value with many aliases': () =>
      `{ map(id: "${prepared.mapId}") { locations { nodes { ${aliases} } } } }`,
    'a long page with many aliases': () =>
      `{ map(id: "${prepared.mapId}") { ${Array.from({ length: 40 }, (_, index) => `p${index}: locations { nodes { properties } }`).join(' ')} } }`,
    'the pages of many maps': () => '{ viewer { maps { nodes { locations { nodes { properties } } } } } }',
    'the pages of many maps, edge by edge': () =>
      '{ viewer { maps { nodes { locations { edges { node { properties } } } } } } }',
  };
  for (const [name, queryOf] of Object.entries(LONG_QUERIES)) {
    it(`over 33,554,432 bytes are refused without data: ${name}`, async () => {
      const query = queryOf();
      const before = residentMb(server.pid);
      const { worstMs, result } = await waitsDuring(server.url, async () => {
        const responses = [];
        // Also once compiled: repeated operations are.
        for (let index = 0; index < 14; index += 1) responses.push(await post(query));
        return responses;
      });
      for (const { status, text } of result) {
        expect([status, JSON.parse(text)]).toEqual([
          200,
          { errors: [expect.objectContaining({ extensions: { code: 'PAYLOAD_TOO_LARGE' } })] },
        ]);
      }
      const newer = await post(query, 'application/graphql-response+json');
      expect([newer.status, JSON.parse(newer.text).data]).toEqual([413, undefined]);
      // Writing 300 MB in one go would take longer.
      expect(worstMs).toBeLessThan(5_000);
      expect(residentMb(server.pid) - before).toBeLessThan(400);
    });
  }

  it('below that limit are complete', async () => {
    const { status, text } = await post(
      `{ map(id: "${prepared.mapId}") { locations { nodes { properties } } } }`,
    );
    expect([status, text.length > 6_400_000]).toEqual([200, true]);
  });

  it('share a memory limit while they are built; new ones beyond it are refused at once', async () => {
    // 6.4 MB when read and as much when written, of a limit of 40.
    const query = `{ map(id: "${prepared.mapId}") { locations { edges { node { properties } } } } }`;
    const before = residentMb(server.pid);
    const { worstMs, result } = await waitsDuring(server.url, async () => {
      // Compiled after that.
      for (let index = 0; index < 12; index += 1) expect((await post(query)).status).toBe(200);
      return Promise.all(Array.from({ length: 24 }, () => post(query)));
    });
    expect(new Set(result.map(({ status }) => status))).toEqual(new Set([200, 503]));
    for (const { status, text } of result) {
      const { data, errors } = JSON.parse(text);
      if (status === 200) expect(data.map.locations.edges).toHaveLength(100);
      else expect(errors).toEqual([expect.objectContaining({ extensions: { code: 'OVERLOADED' } })]);
    }
    expect(worstMs).toBeLessThan(5_000);
    expect(residentMb(server.pid) - before).toBeLessThan(400);
    expect((await post(query)).status).toBe(200);
  });

  it('count against the limit while unread, and their connections are cut after a timeout', async () => {
    const requestPage = () => post(`{ map(id: "${prepared.mapId}") { locations { nodes { properties } } } }`);
    const body = JSON.stringify({
      query: `{ map(id: "${prepared.mapId}") { locations { nodes { properties } } } }`,
    });
    const request = `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${prepared.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const before = residentMb(server.pid);
    const open = (): Promise<{ socket: Socket; ended: Promise<void> }> =>
      new Promise((resolve, reject) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(request);
          resolve({ socket, ended });
        });
        const ended = new Promise<void>((end) => {
          socket.on('close', () => end());
        });
        socket.on('error', reject);
        socket.pause();
      });
    const readers = [await open()];
    // Each reader holds 6.4 MB of the limit. Readers that come while others are still being built can be
    // refused themselves, so they come until the limit is reached.
    let refused = await requestPage();
    while (refused.status === 200 && readers.length < 60) {
      readers.push(await open());
      refused = await requestPage();
    }
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.text).errors[0].extensions.code).toBe('OVERLOADED');
    expect(residentMb(server.pid) - before).toBeLessThan(250);
    // Cutting the idle readers frees memory.
    while ((await requestPage()).status !== 200) await delay(20);
    for (const { socket } of readers) socket.resume();
    await Promise.all(readers.map(({ socket, ended }) => (socket.end(), ended)));
    const lengths = readers.map(({ socket }) => socket.bytesRead);
    expect(lengths.filter((length) => length > 10_000 && length < 6_400_000).length).toBeGreaterThan(0);
  });
});
