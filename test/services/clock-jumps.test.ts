/** A clock that jumps by days, like a wrongly set one: order, keys and versions do not depend on it. */

import { dataOf, deleteLocation, makeLocations, makeMap } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';

const DAY_MS = 86_400_000;
/** Days from now, one for each step. */
const JUMPS = [0, -2, 3, -1, 0.5, -30, 1, 0, -365, 2];

const mongodb = await testServer();
const STORES: readonly (readonly [store: string, url: string | null])[] = [
  ['SQLite', 'sqlite::memory:'],
  ['MongoDB', mongodb === null ? null : ownDatabase(mongodb)],
];

for (const [store, url] of STORES) {
  describeUnless(url === null && NO_MONGODB, `when the clock jumps, on ${store}`, () => {
    let server: TestServer;
    let now = Date.now();
    const jump = (days: number) => void (now = Date.now() + days * DAY_MS);
    beforeAll(async () => {
      server = await createTestServer({ DATABASE_URL: url ?? '' }, { clock: () => (now += 1) });
    });
    beforeEach(() => jump(0));
    afterAll(() => server.close());

    it('locations stay in order of creation on every page', async () => {
      const map = await makeMap(server);
      const made: string[] = [];
      for (const days of JUMPS) {
        jump(days);
        made.push(...(await makeLocations(server, map.id, [null, null])).map(({ id }) => id));
      }
      const removed = made.splice(3, 1);
      await deleteLocation(server, map.id, removed[0] ?? '');
      const seen: string[] = [];
      let after: string | null = null;
      do {
        jump(JUMPS[seen.length % JUMPS.length] ?? 0);
        const response = await server.graphql(
          'query ($id: ID!, $after: String) { map(id: $id) { locations(first: 3, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }',
          { id: map.id, after },
        );
        const { nodes, pageInfo } = dataOf(response).map.locations;
        seen.push(...nodes.map(({ id }: { id: string }) => id));
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
      } while (after !== null);
      expect(seen).toEqual(made);
    });

    it('paging returns each map once, whatever its time', async () => {
      const token = await server.createToken({ owner: 'of jumping maps' });
      const made: string[] = [];
      for (const days of JUMPS) {
        jump(days);
        made.push((await makeMap(server, {}, token)).id);
      }
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const response = await server.graphql(
          'query ($after: String) { viewer { maps(first: 3, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }',
          { after },
          token,
        );
        const { nodes, pageInfo } = dataOf(response).viewer.maps;
        seen.push(...nodes.map(({ id }: { id: string }) => id));
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
      } while (after !== null);
      expect(seen.toSorted()).toEqual(made.toSorted());
    });

    it('a key repeated after the clock went back stores nothing twice', async () => {
      const map = await makeMap(server);
      const create = async () =>
        dataOf(
          await server.graphql(
            'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
            { input: { mapId: map.id, fields: { Name: 'N', Address: 'A' }, idempotencyKey: 'key' } },
          ),
        ).createLocation.location.id as string;
      const first = await create();
      for (const days of [-30, -0.5, 0.5, -365]) {
        jump(days);
        expect(await create()).toBe(first);
      }
    });

    it('a change has the next version and is never older than the creation', async () => {
      const map = await makeMap(server);
      const [location] = await makeLocations(server, map.id, [null]);
      for (const [index, days] of JUMPS.entries()) {
        jump(days);
        const response = await server.graphql(
          'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { version createdAt updatedAt } } }',
          { input: { mapId: map.id, id: location?.id, fields: { n: index } } },
        );
        const changed = dataOf(response).updateLocation.location;
        expect(changed.version).toBe(index + 2);
        expect([days, changed.updatedAt >= changed.createdAt]).toEqual([days, true]);
      }
    });

    it('a token works exactly until it expires', async () => {
      const { token } = await server.gateway.services.tokens.createToken({
        owner: 'tester',
        scope: 'read',
        mapId: null,
        expiresAt: Date.now() + DAY_MS,
      });
      const statuses = [];
      for (const days of JUMPS) {
        jump(days);
        statuses.push((await server.graphql('{ viewer { owner } }', {}, token)).status);
      }
      expect(statuses).toEqual(JUMPS.map((days) => (days < 1 ? 200 : 401)));
    });
  });
}
