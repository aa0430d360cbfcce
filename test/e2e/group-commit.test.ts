/** The number of transactions for creates of many clients. */

import { join } from 'node:path';

import { createFolder, delay, killPrograms, startPlainServer } from '../support/program.ts';
import { commitsInLog, keepLog } from '../support/wal.ts';
import { inStore, locationBody, prepareMap } from './prepared-map.ts';
import { openConnection, request } from './raw-http.ts';

afterAll(killPrograms);

const CLIENTS = 32;
const ROUNDS = 20;

describe('creates of 32 clients at once', () => {
  it('take at most 125 transactions for 1,000 locations', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const path = join(cwd, 'store.db');
    const server = await startPlainServer(cwd, { DATABASE_URL: `sqlite:${path}` });
    const create = request('POST', `/v0/map/${mapId}/location`, { token, body: locationBody('Café') });
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openConnection(server.port)));

    const endKeeping = keepLog(path);
    const before = commitsInLog(path);
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const client of clients) client.write(create);
      while (clients.some((client) => client.responses().length < round)) await delay(1);
    }
    const commits = commitsInLog(path) - before;
    endKeeping();

    const responses = clients.flatMap((client) => client.responses());
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((commits / (CLIENTS * ROUNDS)) * 1000).toBeLessThanOrEqual(125);
    for (const client of clients) client.socket.destroy();
    await server.stop();
    const count = await inStore(cwd, ({ storage }) => storage.countLocations(mapId));
    expect(count).toBe(CLIENTS * ROUNDS);
  });
});
