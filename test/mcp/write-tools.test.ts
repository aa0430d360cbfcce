import type { Client } from '@modelcontextprotocol/client';

import { callTool, connectMcp } from '../support/mcp.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { createPublishedMap } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';

const mongodb = await testServer();

for (const [store, url] of [
  ['SQLite', 'sqlite::memory:'],
  ['MongoDB', mongodb === null ? null : ownDatabase(mongodb)],
] as const) {
  describeUnless(url === null && NO_MONGODB, `the writing tools of MCP, on ${store}`, () => {
    let server: TestServer;
    let mapId: string;
    const clients: Client[] = [];
    beforeAll(async () => {
      server = await createTestServer(
        { DATABASE_URL: url ?? '', MCP_WRITE: '1' },
        {},
        { executesOnce: true },
      );
    });
    beforeEach(async () => void ({ mapId } = await createPublishedMap(server)));
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
    });

    const connect = async (token: string | null) => {
      const client = await connectMcp(server, { token });
      clients.push(client);
      return client;
    };
    const place = (name: string, more: object = {}) => ({
      fields: { Name: name, Address: `${name} Street` },
      ...more,
    });
    const namesOf = async (client: Client): Promise<string[]> => {
      const { locations } = await callTool(client, 'find_locations', { mapId });
      return locations.map(({ name }: { name: string }) => name);
    };

    it('create_locations stores what is valid, and says why it did not store the rest', async () => {
      const client = await connect(await server.createToken());
      const { results } = await callTool(client, 'create_locations', {
        mapId,
        locations: [
          place('a', { position: { latitude: 52.5, longitude: 13.4 } }),
          { fields: { Name: 'no address' } },
          place('c', { externalId: 'mine' }),
        ],
      });
      expect(results).toMatchObject([
        { id: expect.any(String), latitude: 52.5, longitude: 13.4 },
        { id: null, error: expect.stringContaining('BAD_USER_INPUT') },
        { id: expect.any(String), precision: expect.any(String) },
      ]);
      expect(await namesOf(client)).toEqual(['a', 'c']);
    });

    it('a key of a call writes once; with other content it is a conflict', async () => {
      const client = await connect(await server.createToken());
      const call = { mapId, locations: [place('a'), place('b')], idempotencyKey: 'k' };
      const first = await callTool(client, 'create_locations', call);
      expect(await callTool(client, 'create_locations', call)).toEqual(first);
      for (const locations of [[place('a')], [place('a'), place('b'), place('c')]]) {
        await expect(callTool(client, 'create_locations', { ...call, locations })).rejects.toThrow(
          'CONFLICT',
        );
      }
      expect(await namesOf(client)).toEqual(['a', 'b']);
    });

    it('is neither listed nor allowed for readers, the public, and without MCP_WRITE', async () => {
      const off = await createTestServer({}, {}, { executesOnce: true });
      const own = await connectMcp(off, { token: await off.createToken() });
      const reader = await connect(await server.createToken({ scope: 'read' }));
      const call = { mapId, locations: [place('a')] };
      for (const client of [own, reader, await connect(null)]) {
        expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('create_locations');
        await expect(callTool(client, 'create_locations', call)).rejects.toThrow('create_locations');
      }
      await own.close();
      await off.close();
      const other = await connect(await server.createToken({ owner: 'other' }));
      await expect(callTool(other, 'create_locations', call)).rejects.toThrow('MAP_NOT_FOUND');
      expect(await namesOf(reader)).toEqual([]);
    });

    it('refuses calls that are too large', async () => {
      const client = await connect(await server.createToken());
      const call = { mapId, locations: Array.from({ length: 101 }, (_, index) => place(`n${index}`)) };
      await expect(callTool(client, 'create_locations', call)).rejects.toThrow('locations');
      const huge = { mapId, locations: [place('x'.repeat(2_000_000))] };
      await expect(callTool(client, 'create_locations', huge)).rejects.toThrow();
      expect(await namesOf(client)).toEqual([]);
    });
  });
}
