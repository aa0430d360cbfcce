/** The server with a MongoDB that is unreachable at the start, is lost, does not respond, and comes back. */

import { setTimeout as delay } from 'node:timers/promises';

import { pino } from 'pino';

import { readConfig } from '../../../src/app/config.ts';
import { createStoreApplication } from '../../../src/app/composition/store.ts';
import { createApplicationServer } from '../../../src/app/composition/server.ts';
import type { StorageCommand } from '../../../src/storage/storage.ts';
import { createFakeGeocoder } from '../../support/fake-geocoder.ts';
import type { Fate } from '../../support/mongodb-proxy.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { createTestServer } from '../../support/server.ts';
import { describeUnless } from '../../support/skip.ts';

const TIMEOUT_MS = 5_000;
/** Allows for the rest of a request on a busy machine, but not for a second call of TIMEOUT_MS. */
const MARGIN_MS = 4_900;

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: operation', () => {
  if (server === null) return;

  /** The service through a proxy that delays each statement by `hold`. */
  const serveThrough = async (hold: () => number | null) => {
    const judge = async (): Promise<Fate> => {
      const milliseconds = hold();
      if (milliseconds === null) await new Promise(() => {});
      else await delay(milliseconds);
      return 'pass';
    };
    const proxy = await startProxy(ownDatabase(server), { judge });
    const service = await createTestServer({
      DATABASE_URL: proxy.url,
      DATABASE_TIMEOUT_MS: String(TIMEOUT_MS),
    });
    const map = await service.graphql('mutation { createMap(input: { name: "M" }) { map { id } } }');
    const mapId = String(map.json.data.createMap.map.id);
    return {
      service,
      proxy,
      mapId,
      close: async () => {
        await proxy.close();
        await service.close();
      },
    };
  };

  const body = { fields: { Name: 'N', Address: 'A' } };

  it('a database that stops responding is 503 at both endpoints, within the time limit of the whole request', async () => {
    let wait: number | null = 0;
    const { service, mapId, close } = await serveThrough(() => wait);
    try {
      wait = null;
      const begun = performance.now();
      const [rest, graphql] = await Promise.all([
        service.request('POST', `/v0/map/${mapId}/location`, { body }),
        service.graphql('{ viewer { owner } }'),
      ]);
      const took = performance.now() - begun;
      expect([rest.status, rest.json.error, graphql.status]).toEqual([503, 503, 503]);
      expect(graphql.json.errors[0].extensions.code).toBe('STORAGE_UNAVAILABLE');
      expect(rest.headers['retry-after']).toBe('1');
      expect(took).toBeLessThan(TIMEOUT_MS + MARGIN_MS);
    } finally {
      await close();
    }
  });

  it('a slow database times out after the budget of all calls of a request', async () => {
    let wait = 0;
    const { service, mapId, close } = await serveThrough(() => wait);
    try {
      // Each statement is within the limit, so a limit per statement would not time out. A create has more than three.
      wait = 0.4 * TIMEOUT_MS;
      const response = await service.request('POST', `/v0/map/${mapId}/location`, { body });
      expect(response.json).toMatchObject({ error: 503 });
    } finally {
      await close();
    }
  });

  it('a database that comes back is used again, without a restart', async () => {
    let wait: number | null = 0;
    const { service, mapId, close } = await serveThrough(() => wait);
    try {
      wait = null;
      expect((await service.request('GET', `/v0/map/${mapId}`)).status).toBe(503);
      wait = 0;
      expect((await service.request('GET', `/v0/map/${mapId}`)).status).toBe(200);
      expect((await service.request('POST', `/v0/map/${mapId}/location`, { body })).status).toBe(200);
    } finally {
      await close();
    }
  });

  it('until the database is reachable, everything except /healthz is 503 in each endpoint’s format, and /readyz gives the reason', async () => {
    const config = readConfig({ DATABASE_URL: ownDatabase(server), RATE_LIMIT: '0' });
    const gateway = createStoreApplication(config, { geocoder: createFakeGeocoder() });
    const app = await createApplicationServer(gateway, config, pino({ level: 'silent' }));
    try {
      const status = async (url: string) => (await app.inject({ url })).statusCode;
      expect(await status('/healthz')).toBe(200);
      for (const url of ['/v0/map/x', '/graphql?query={__typename}', '/graphiql', '/nowhere']) {
        expect([url, await status(url)]).toEqual([url, 503]);
      }
      expect((await app.inject({ url: '/v0/map/x' })).json()).toEqual({
        error: 503,
        message: expect.any(String),
      });
      expect((await app.inject({ url: '/graphql' })).json()).toMatchObject({
        errors: [{ extensions: { code: 'STORAGE_UNAVAILABLE' } }],
      });
      expect((await app.inject({ url: '/readyz' })).json()).toEqual({
        status: 'not ready',
        reason: 'The database has not been reached yet.',
      });
      await gateway.open();
      expect(await status('/readyz')).toBe(200);
      expect(await status('/graphql?query={__typename}')).toBe(200);
      expect(await status('/v0/map/x')).toBe(401);
    } finally {
      await app.close();
      await gateway.close();
    }
  });

  it('an address without a server is STORAGE_UNAVAILABLE, and can be retried', async () => {
    const proxy = await startProxy(ownDatabase(server));
    const gateway = createStoreApplication(readConfig({ DATABASE_URL: proxy.url }));
    await proxy.close();
    await expect(gateway.open()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(gateway.isReady()).toBe(false);
    await gateway.close();
  });

  it('commands are reported with name and duration, and without their content', async () => {
    const commands: StorageCommand[] = [];
    const onStorageCommand = (command: StorageCommand) => void commands.push(command);
    const service = await createTestServer({ DATABASE_URL: ownDatabase(server) }, { onStorageCommand });
    try {
      await service.graphql('mutation { createMap(input: { name: "Secret name" }) { map { id } } }');
      expect(commands).toContainEqual({
        command: 'insert',
        milliseconds: expect.any(Number),
        isFailed: false,
      });
      expect(JSON.stringify(commands)).not.toMatch(/Secret name/);
    } finally {
      await service.close();
    }
  });
});
