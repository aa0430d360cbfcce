/** History, trash and undo in GraphQL (capabilities §18). */

import { MAP_ROLES } from '../../src/domain/role.ts';
import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import { addMember } from '../support/members.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 5, 1);

/** A map on a server of its own, whose clock stands still unless a test moves it. */
class World {
  now = START;
  server!: TestServer;
  mapId = '';

  async open(settings: Record<string, string> = {}): Promise<void> {
    this.server = await createTestServer(settings, { clock: () => this.now });
    await this.makeMap();
  }

  async makeMap(): Promise<void> {
    this.mapId = (await makeMap(this.server)).id;
  }

  async mutate(field: string, input: Record<string, unknown>, selection: string, token?: string) {
    return dataOf(await this.ask(field, input, selection, token))[field];
  }

  ask(
    field: string,
    input: Record<string, unknown>,
    selection: string,
    token?: string | null,
  ): Promise<TestResponse> {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    // Each call has a time of its own, so that the history is in order.
    this.now += 1;
    return this.server.graphql(
      `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`,
      { input: { mapId: this.mapId, ...input } },
      token,
    );
  }

  /** @returns ids */
  async create(count: number, extra: Record<string, unknown> = {}): Promise<string[]> {
    const locations = Array.from({ length: count }, (_, index) => ({
      fields: { Name: `Place ${index}`, Address: `${index} Some Street`, Kind: 'bar' },
      ...extra,
    }));
    const { results } = await this.mutate('createLocations', { locations }, 'results { location { id } }');
    return results.map(({ location }: { location: { id: string } }) => location.id);
  }

  async map(selection: string, token?: string) {
    return dataOf(await this.server.graphql(`{ map(id: "${this.mapId}") { ${selection} } }`, {}, token)).map;
  }

  async location(id: string, selection: string) {
    return (await this.map(`location(id: "${id}") { ${selection} }`)).location;
  }

  async list(): Promise<{ id: string }[]> {
    const state = 'id name properties latitude longitude order externalId geocoding { provider isChecked }';
    return (await this.map(`locations { nodes { ${state} } }`)).locations.nodes;
  }

  async history(args = '') {
    const selection = 'id at by { kind name } operation created updated moved deleted locationIds';
    return (await this.map(`history${args} { nodes { ${selection} } }`)).history.nodes;
  }

  async trash(args = ''): Promise<string[]> {
    const { nodes } = (await this.map(`trash${args} { nodes { location { id } } }`)).trash;
    return nodes.map(({ location }: { location: { id: string } }) => location.id);
  }
}

const VERSIONS =
  'versions { nodes { version at by { kind name } operation historyId changes { path before after } } }';

describe('the versions of a location', () => {
  const world = new World();
  beforeAll(() => world.open());
  afterAll(() => world.server.close());

  it('say what was changed, by whom and when, newest first', async () => {
    const [id = ''] = await world.create(1);
    const { historyId } = await world.mutate(
      'updateLocation',
      { id, fields: { Kind: 'café', Seats: 4 }, unset: ['Nothing'], externalId: 'x' },
      'historyId',
    );
    const token = await world.server.createToken({ owner: 'Anna' });
    await addMember(world.server, world.mapId, 'Anna', 'editor');
    await world.mutate(
      'updateLocation',
      { id, unset: ['Kind'], order: '7', position: { latitude: 1.5, longitude: 2 } },
      'historyId',
      token,
    );
    const { versions } = await world.location(id, VERSIONS);
    expect(versions.nodes.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    const [third, second, first] = versions.nodes;
    expect(third).toMatchObject({
      by: { kind: 'token', name: 'Anna' },
      operation: 'updateLocation',
      at: new Date(world.now).toISOString(),
    });
    expect(third.changes).toEqual([
      { path: 'properties.Kind', before: 'café', after: null },
      {
        path: 'point',
        before: expect.objectContaining({ provider: 'fake' }) as unknown,
        after: expect.objectContaining({
          ...{ latitude: 1.5, longitude: 2, provider: 'manual', isChecked: true },
        }) as unknown,
      },
      { path: 'order', before: '1', after: '7' },
    ]);
    expect(second).toMatchObject({ historyId, operation: 'updateLocation' });
    expect(second.changes).toEqual([
      { path: 'properties.Kind', before: 'bar', after: 'café' },
      { path: 'properties.Seats', before: null, after: 4 },
      { path: 'externalId', before: null, after: 'x' },
    ]);
    expect(first).toMatchObject({ version: 1, operation: 'createLocations', changes: [] });
    expect(first.by).toEqual(second.by);
  });

  it('are read in pages', async () => {
    const [id = ''] = await world.create(1);
    for (let count = 0; count < 6; count += 1) {
      await world.mutate('updateLocation', { id, fields: { Kind: `kind ${count}` } }, 'historyId');
    }
    const page = async (after: string | null) =>
      (
        await world.location(
          id,
          `versions(first: 3, after: ${JSON.stringify(after)}) {
            edges { cursor node { version changes { before after } } }
            pageInfo { hasNextPage hasPreviousPage endCursor }
          }`,
        )
      ).versions;
    const seen: unknown[] = [];
    let after: string | null = null;
    for (const [count, hasNextPage] of [
      [3, true],
      [3, true],
      [1, false],
    ] as const) {
      const { edges, pageInfo } = await page(after);
      expect(edges).toHaveLength(count);
      expect(pageInfo).toMatchObject({ hasNextPage, hasPreviousPage: after !== null });
      seen.push(...edges.map(({ node }: { node: unknown }) => node));
      after = pageInfo.endCursor;
    }
    expect(seen).toEqual([
      ...[5, 4, 3, 2, 1, 0].map((count) => ({
        version: count + 2,
        changes: [{ before: count === 0 ? 'bar' : `kind ${count - 1}`, after: `kind ${count}` }],
      })),
      { version: 1, changes: [] },
    ]);
    expect((await page(after)).edges).toEqual([]);
  });

  it('cannot be read with a cursor of another location', async () => {
    const [a = '', b = ''] = await world.create(2);
    const { versions } = await world.location(a, 'versions { pageInfo { endCursor } }');
    const response = await world.server.graphql(
      `{ map(id: "${world.mapId}") { location(id: "${b}") { versions(after: "${versions.pageInfo.endCursor}") { nodes { version } } } } }`,
    );
    expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
  });

  it('count deleting and restoring', async () => {
    const [id = ''] = await world.create(1);
    await world.mutate('deleteLocation', { id }, 'historyId');
    const { trash } = await world.map(
      'trash(first: 1) { nodes { location { versions { nodes { version operation } } } } }',
    );
    expect(trash.nodes[0].location.versions.nodes).toEqual([
      { version: 2, operation: 'deleteLocation' },
      { version: 1, operation: 'createLocations' },
    ]);
    await world.mutate('restoreLocations', { ids: [id] }, 'historyId');
    const { versions } = await world.location(
      id,
      'versions { nodes { version operation changes { path } } }',
    );
    expect(versions.nodes).toEqual([
      { version: 3, operation: 'restoreLocations', changes: [] },
      { version: 2, operation: 'deleteLocation', changes: [] },
      { version: 1, operation: 'createLocations', changes: [] },
    ]);
  });
});

describe('the history of a map', () => {
  const world = new World();
  beforeAll(() => world.open());
  afterAll(() => world.server.close());

  it('has one entry for each call, newest first', async () => {
    const ids = await world.create(3);
    await world.mutate('deleteLocations', { ids: ids.slice(0, 2) }, 'historyId');
    await world.mutate('moveLocations', { ids: [ids[2]], toStart: true }, 'historyId');
    const entries = await world.history();
    expect(entries).toEqual([
      expect.objectContaining({
        ...{ operation: 'deleteLocations', created: 0, updated: 0, moved: 0, deleted: 2 },
        ...{ locationIds: ids.slice(0, 2), by: { kind: 'token', name: expect.any(String) as unknown } },
      }),
      expect.objectContaining({ operation: 'createLocations', created: 3, locationIds: ids }),
    ]);
  });

  it('gives each mutation that changes something its id, and null to others', async () => {
    const [id = ''] = await world.create(1, { externalId: 'e' });
    const item = { externalId: 'e', fields: { Name: 'Place 0', Address: '0 Some Street', Kind: 'bar' } };
    const calls: readonly (readonly [string, Record<string, unknown>, boolean])[] = [
      ['createLocation', { fields: item.fields, idempotencyKey: 'k' }, true],
      ['createLocation', { fields: item.fields, idempotencyKey: 'k' }, false],
      ['createLocations', { locations: [{ fields: {} }] }, false],
      ['createLocations', { locations: [{ fields: item.fields }], dryRun: true }, false],
      ['updateLocation', { id, fields: { Kind: 'bar' } }, false],
      ['updateLocation', { id, fields: { Kind: 'café' } }, true],
      ['upsertLocations', { locations: [item] }, true],
      ['upsertLocations', { locations: [item] }, false],
      ['checkLocations', { ids: [id], isChecked: true }, true],
      ['checkLocations', { ids: [id], isChecked: true }, false],
      ['geocodeLocations', { ids: [id], includeManual: true }, true],
      ['geocodeLocations', { ids: [id], includeManual: true }, false],
      ['moveLocations', { ids: [id], toEnd: true }, true],
      ['moveLocations', { ids: [id], toEnd: true }, false],
      ['deleteLocations', { ids: [id] }, true],
      ['deleteLocations', { ids: [id] }, false],
      ['restoreLocations', { ids: [id] }, true],
      ['restoreLocations', { ids: [id] }, false],
      ['restoreVersion', { id, version: 1 }, false],
      ['restoreVersion', { id, version: 2 }, true],
      ['deleteLocation', { id }, true],
    ];
    for (const [field, input, hasChanged] of calls) {
      const { historyId } = await world.mutate(field, input, 'historyId');
      expect([field, typeof historyId]).toEqual([field, hasChanged ? 'string' : 'object']);
      if (!hasChanged) continue;
      const [entry] = await world.history('(first: 1)');
      expect([entry.id, entry.operation]).toEqual([historyId, field]);
      expect(entry.at).toBe(new Date(world.now).toISOString());
    }
  });

  it('is filtered by who, what, when and which location', async () => {
    await world.makeMap();
    const [a = '', b = ''] = await world.create(2);
    await addMember(world.server, world.mapId, 'Berta', 'editor');
    const token = await world.server.createToken({ owner: 'Berta' });
    await world.mutate('updateLocation', { id: a, fields: { Kind: '1' } }, 'historyId', token);
    const between = new Date(world.now).toISOString();
    await world.mutate('updateLocation', { id: b, fields: { Kind: '1' } }, 'historyId', token);
    await world.mutate('deleteLocation', { id: a }, 'historyId');
    const operations = async (filter: string) =>
      (await world.history(`(filter: {${filter}})`)).map(
        ({ operation, locationIds }: { operation: string; locationIds: string[] }) => [
          operation,
          ...locationIds.map((id) => (id === a ? 'a' : 'b')),
        ],
      );
    const created = ['createLocations', 'a', 'b'];
    const updated = ['updateLocation', 'a'];
    const deleted = ['deleteLocation', 'a'];
    expect(await operations('by: "Berta"')).toEqual([['updateLocation', 'b'], updated]);
    expect(await operations('by: "Nobody"')).toEqual([]);
    expect(await operations('by: "Berta", operation: "deleteLocation"')).toEqual([]);
    expect(await operations('operation: "createLocations"')).toEqual([created]);
    const someOperations = 'operations: ["createLocations", "deleteLocation", "unknown"]';
    expect(await operations(someOperations)).toEqual([deleted, created]);
    expect(await operations(`${someOperations}, by: "Berta"`)).toEqual([]);
    expect(await operations('operations: ["updateLocation"], operation: "deleteLocation"')).toEqual([]);
    expect(await operations(`locationId: "${a}"`)).toEqual([deleted, updated, created]);
    expect(await operations(`locationId: "${a}", by: "Berta"`)).toEqual([updated]);
    expect(await operations(`locationId: "${b}", operation: "createLocations"`)).toEqual([created]);
    expect(await operations('locationId: "nothing"')).toEqual([]);
    expect(await operations(`until: "${between}"`)).toEqual([updated, created]);
    expect(await operations(`since: "${between}", locationId: "${a}"`)).toEqual([deleted, updated]);
    const none = `{ map(id: "${world.mapId}") { history(filter: { operations: [] }) { nodes { id } } } }`;
    const response = await world.server.graphql(none);
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      'filter.operations has 0 items; 1 to 100 are allowed.',
    ]);
  });

  it('is read in pages, also with a filter', async () => {
    await world.makeMap();
    for (let count = 0; count < 7; count += 1) await world.create(1);
    for (const filter of [
      '',
      ', filter: {operation: "createLocations"}',
      ', filter: {operations: ["createLocations"]}',
    ]) {
      const ids: string[] = [];
      let after: string | null = null;
      do {
        const args: string = `first: 3, after: ${JSON.stringify(after)}${filter}`;
        const { history } = await world.map(
          `history(${args}) { nodes { id } pageInfo { hasNextPage endCursor } }`,
        );
        ids.push(...history.nodes.map(({ id }: { id: string }) => id));
        after = history.pageInfo.hasNextPage ? history.pageInfo.endCursor : null;
      } while (after !== null);
      expect(ids).toEqual((await world.history()).map(({ id }: { id: string }) => id));
      expect(ids).toHaveLength(7);
    }
  });

  it('joins the parts of an import into one entry', async () => {
    await world.makeMap();
    const part = async (historyId: string | null, count: number, token?: string) => {
      const locations = Array.from({ length: count }, () => ({ fields: { Name: 'N', Address: 'A' } }));
      return world.ask('createLocations', { locations, historyId }, 'historyId', token);
    };
    const { historyId } = dataOf(await part(null, 2)).createLocations;
    expect(dataOf(await part(historyId, 3)).createLocations.historyId).toBe(historyId);
    expect(await world.history()).toEqual([expect.objectContaining({ id: historyId, created: 5 })]);

    const upsert = { locations: [{ externalId: 'x', fields: { Name: 'N', Address: 'A' } }], historyId };
    expect((await world.mutate('upsertLocations', upsert, 'historyId')).historyId).toBe(historyId);
    expect(await world.history()).toEqual([expect.objectContaining({ id: historyId, created: 6 })]);

    const [{ locationIds }] = await world.history();
    const update = { id: locationIds[0], fields: { Kind: 'x' } };
    const updated = await world.mutate('updateLocation', update, 'historyId');
    const other = await world.server.createToken();
    for (const refused of [
      await part(historyId, 1, other),
      await part('history_0123456789abcdefghjkmn', 1),
      await part('x', 1),
      await part(updated.historyId, 1),
    ]) {
      expect(codesOf(refused)).toEqual(['HISTORY_NOT_FOUND']);
      expect(messageOf(refused)).toContain('historyId');
    }
    world.now += DAY;
    expect(codesOf(await part(historyId, 1))).toEqual(['HISTORY_NOT_FOUND']);
    expect(await world.history()).toHaveLength(2);
  });
});

describe('the trash', () => {
  const world = new World();
  beforeAll(() => world.open());
  beforeEach(() => world.makeMap());
  afterAll(() => world.server.close());

  it('has what was deleted, by whom and until when, the last ones first', async () => {
    const ids = await world.create(3);
    const { historyId } = await world.mutate('deleteLocation', { id: ids[0] }, 'historyId');
    const deletedAt = world.now;
    await world.mutate('deleteLocation', { id: ids[1] }, 'historyId');
    expect(await world.trash()).toEqual([ids[1], ids[0]]);
    const { trash } = await world.map(
      'trash { nodes { location { id name properties map { id } } deletedAt deletedBy { kind } keptUntil historyId } }',
    );
    expect(trash.nodes[1]).toEqual({
      location: {
        id: ids[0],
        name: 'Place 0',
        properties: { Name: 'Place 0', Address: '0 Some Street', Kind: 'bar' },
        map: { id: world.mapId },
      },
      deletedAt: new Date(deletedAt).toISOString(),
      deletedBy: { kind: 'token' },
      keptUntil: new Date(deletedAt + 30 * DAY).toISOString(),
      historyId,
    });
  });

  it('is searched by words, and read in pages', async () => {
    const ids = await world.create(5);
    await world.mutate('deleteLocations', { ids }, 'historyId');
    expect(await world.trash('(search: "place 3")')).toEqual([ids[3]]);
    expect(await world.trash('(search: "street")')).toHaveLength(5);
    expect(await world.trash('(search: "nothing")')).toEqual([]);
    const response = await world.server.graphql(
      `{ map(id: "${world.mapId}") { trash(search: "?") { nodes { deletedAt } } } }`,
    );
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      expect.stringContaining('search must contain') as unknown,
    ]);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const args: string = `first: 2, search: "street", after: ${JSON.stringify(after)}`;
      const { trash } = await world.map(
        `trash(${args}) { nodes { location { id } } pageInfo { hasNextPage endCursor } }`,
      );
      seen.push(...trash.nodes.map(({ location }: { location: { id: string } }) => location.id));
      after = trash.pageInfo.hasNextPage ? trash.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(await world.trash());
  });

  it('is read for given ids, also in pages and by words', async () => {
    const ids = await world.create(4);
    const [alive = '', ...deleted] = ids;
    for (const id of deleted) await world.mutate('deleteLocation', { id }, 'historyId');
    const list = (some: readonly string[]) => JSON.stringify(some);
    expect(await world.trash(`(ids: ${list([...ids, alive, ids[1]!])})`)).toEqual(deleted.toReversed());
    expect(await world.trash(`(ids: ${list([ids[2]!, 'unknown'])})`)).toEqual([ids[2]]);
    expect(await world.trash(`(ids: ${list([alive])})`)).toEqual([]);
    expect(await world.trash(`(search: "place 3", ids: ${list(ids)})`)).toEqual([ids[3]]);
    const page = async (args: string) =>
      (
        await world.map(`trash(first: 2, ids: ${list(ids)}${args}) {
        nodes { location { id } } pageInfo { hasNextPage endCursor } }`)
      ).trash;
    const first = await page('');
    const second = await page(`, after: ${JSON.stringify(first.pageInfo.endCursor)}`);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect([...first.nodes, ...second.nodes].map(({ location }) => location.id)).toEqual(
      deleted.toReversed(),
    );
    for (const count of [0, 1_001]) {
      const some = Array.from({ length: count }, (_, index) => `${index}`);
      const response = await world.server.graphql(
        `{ map(id: "${world.mapId}") { trash(ids: ${list(some)}) { nodes { historyId } } } }`,
      );
      expect([codesOf(response), messageOf(response)]).toEqual([
        ['BAD_USER_INPUT'],
        `ids has ${count} items; 1 to 1000 are allowed.`,
      ]);
    }
  });

  it('gives everything back as it was', async () => {
    const ids = await world.create(3, { idempotencyKey: undefined });
    await world.mutate('updateLocation', { id: ids[1], externalId: 'e', order: '1.5' }, 'historyId');
    const selection =
      'id name properties latitude longitude order externalId createdAt geocoding { provider precision label }';
    const before = await world.location(ids[1]!, selection);
    const geocoded = world.server.geocoder.asked.length;
    await world.mutate('deleteLocations', { ids: [ids[1]] }, 'historyId');
    const gone = await world.server.request('GET', `/v0/map/${world.mapId}/location/${ids[1]}`);
    expect(gone.json.error).toBe(404);
    const { results } = await world.mutate(
      'restoreLocations',
      { ids: [ids[1]] },
      `results { id location { ${selection} version } error { code } }`,
    );
    expect(results).toEqual([{ id: ids[1], location: { ...before, version: 4 }, error: null }]);
    expect((await world.list()).map(({ id }) => id)).toEqual([ids[0], ids[1], ids[2]]);
    expect(world.server.geocoder.asked.length).toBe(geocoded);
    expect(await world.trash()).toEqual([]);
    const again = await world.mutate(
      'restoreLocations',
      { ids: [ids[1]] },
      'results { location { version } }',
    );
    expect(again.results).toEqual([{ location: { version: 4 } }]);
  });

  it('says for each location why it cannot be restored', async () => {
    const [a = '', b = ''] = await world.create(2);
    await world.mutate('updateLocation', { id: a, externalId: 'e' }, 'historyId');
    await world.mutate('deleteLocations', { ids: [a, b] }, 'historyId');
    await world.create(1, { externalId: 'e' });
    const { results, historyId } = await world.mutate(
      'restoreLocations',
      { ids: [a, 'nothing', b] },
      'results { id location { id } error { code message } } historyId',
    );
    expect(results).toEqual([
      { id: a, location: null, error: { code: 'EXTERNAL_ID_TAKEN', message: expect.any(String) as unknown } },
      {
        id: 'nothing',
        location: null,
        error: { code: 'LOCATION_NOT_FOUND', message: expect.any(String) as unknown },
      },
      { id: b, location: { id: b }, error: null },
    ]);
    expect(historyId).not.toBeNull();
    expect(await world.trash()).toEqual([a]);
    expect(codesOf(await world.ask('restoreLocations', { ids: [] }, 'historyId'))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it('is emptied for ever by owners', async () => {
    const ids = await world.create(3);
    await world.mutate('deleteLocations', { ids: ids.slice(0, 2) }, 'historyId');
    await addMember(world.server, world.mapId, 'Editor', 'editor');
    const editor = await world.server.createToken({ owner: 'Editor' });
    const refused = await world.ask('purgeLocations', { ids }, 'purgedIds', editor);
    expect(codesOf(refused)).toEqual(['FORBIDDEN']);
    const { purgedIds } = await world.mutate('purgeLocations', { ids: [ids[2], ids[0]] }, 'purgedIds');
    expect(purgedIds).toEqual([ids[0]]);
    expect(await world.trash()).toEqual([ids[1]]);
    expect((await world.list()).map(({ id }) => id)).toEqual([ids[2]]);
    const { results } = await world.mutate(
      'restoreLocations',
      { ids: [ids[0]] },
      'results { error { code } }',
    );
    expect(results).toEqual([{ error: { code: 'LOCATION_NOT_FOUND' } }]);
  });
});

describe('a former version', () => {
  const world = new World();
  beforeAll(() => world.open());
  afterAll(() => world.server.close());

  it('is restored with its fields, point and external id, at the present position', async () => {
    const [id = ''] = await world.create(2, {});
    const selection = 'name properties latitude longitude externalId geocoding { provider isChecked }';
    await world.mutate('updateLocation', { id, externalId: 'x' }, 'historyId');
    const before = await world.location(id, selection);
    await world.mutate(
      'updateLocation',
      { id, fields: { Name: 'Other' }, position: { latitude: 1, longitude: 1 }, externalId: null },
      'historyId',
    );
    await world.mutate('moveLocations', { ids: [id], toEnd: true }, 'historyId');
    const { order } = await world.location(id, 'order');
    const geocoded = world.server.geocoder.asked.length;
    const { location } = await world.mutate(
      'restoreVersion',
      { id, version: 2 },
      `location { ${selection} order version }`,
    );
    expect(location).toEqual({ ...before, order, version: 5 });
    expect(world.server.geocoder.asked.length).toBe(geocoded);
    const { versions } = await world.location(id, VERSIONS);
    expect(versions.nodes[0]).toMatchObject({ version: 5, operation: 'restoreVersion' });
  });

  it('must be kept', async () => {
    const [id = '', other = ''] = await world.create(2);
    await world.mutate('updateLocation', { id, externalId: 'mine' }, 'historyId');
    await world.mutate('updateLocation', { id, externalId: null }, 'historyId');
    await world.mutate('updateLocation', { id: other, externalId: 'mine' }, 'historyId');
    for (const [input, code] of [
      [{ id, version: 4 }, 'HISTORY_NOT_FOUND'],
      [{ id, version: 0 }, 'HISTORY_NOT_FOUND'],
      [{ id, version: -1 }, 'HISTORY_NOT_FOUND'],
      [{ id: 'nothing', version: 1 }, 'LOCATION_NOT_FOUND'],
      [{ id, version: 2 }, 'EXTERNAL_ID_TAKEN'],
    ] as const) {
      expect(codesOf(await world.ask('restoreVersion', input, 'historyId'))).toEqual([code]);
    }
    await world.mutate('deleteLocation', { id }, 'historyId');
    expect(codesOf(await world.ask('restoreVersion', { id, version: 1 }, 'historyId'))).toEqual([
      'LOCATION_NOT_FOUND',
    ]);
    await world.mutate('restoreLocations', { ids: [id] }, 'historyId');
    // The version of the deletion has no values.
    expect(codesOf(await world.ask('restoreVersion', { id, version: 4 }, 'historyId'))).toEqual([
      'HISTORY_NOT_FOUND',
    ]);
  });
});

const UNDONE = 'reverted left { id code } leftCount historyId';

describe('undoing a call', () => {
  const world = new World();
  beforeAll(() => world.open());
  beforeEach(() => world.makeMap());
  afterAll(() => world.server.close());

  const undo = (historyId: string, dryRun = false) =>
    world.mutate('undoChange', { historyId, dryRun }, UNDONE);

  it('takes back what it created, changed, moved and deleted, and can be undone', async () => {
    const ids = await world.create(4);
    const fields = { Name: 'Changed', Address: '1 Some Street', Kind: 'café' };
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ['createLocation', { fields }],
      ['createLocations', { locations: [{ fields }, { fields }] }],
      ['updateLocation', { id: ids[0], fields, order: '2.5', externalId: 'x' }],
      ['moveLocations', { ids: [ids[3], ids[1]], toStart: true }],
      ['checkLocations', { ids: [ids[1], ids[2]], isChecked: true }],
      ['deleteLocation', { id: ids[2] }],
      ['deleteLocations', { ids: [ids[0], ids[1], ids[3]] }],
      [
        'upsertLocations',
        {
          locations: [
            { externalId: 'x', fields },
            { externalId: 'y', fields, order: '0' },
          ],
        },
      ],
      ['restoreLocations', { ids: [ids[0]] }],
      ['restoreVersion', { id: ids[1], version: 1 }],
    ];
    const states = [await world.list()];
    const historyIds: string[] = [];
    for (const [field, input] of calls) {
      const { historyId } = await world.mutate(field, input, 'historyId');
      // The last ones have nothing to do, since their locations exist.
      if (historyId === null) continue;
      historyIds.push(historyId);
      states.push(await world.list());
      const dry = await undo(historyId, true);
      expect(await world.list()).toEqual(states.at(-1));
      const undone = await undo(historyId);
      expect([field, dry]).toEqual([field, { ...undone, historyId: null }]);
      expect([field, undone.leftCount]).toEqual([field, 0]);
      expect(undone.reverted).toBeGreaterThan(0);
      expect(await world.list()).toEqual(states.at(-2));
      const redone = await undo(undone.historyId);
      expect([field, redone]).toEqual([field, { ...undone, historyId: redone.historyId }]);
      expect(await world.list()).toEqual(states.at(-1));
      const back = await undo(redone.historyId);
      expect(back.reverted).toBe(undone.reverted);
      expect(await world.list()).toEqual(states.at(-2));
      states.pop();
    }
    expect(historyIds.length).toBeGreaterThanOrEqual(8);
  });

  it('leaves what was changed since, and says so', async () => {
    const ids = await world.create(4);
    const { historyId } = await world.mutate('checkLocations', { ids, isChecked: true }, 'historyId');
    await world.mutate('updateLocation', { id: ids[0], fields: { Kind: 'café' } }, 'historyId');
    await world.mutate('deleteLocation', { id: ids[1] }, 'historyId');
    await world.mutate('checkLocations', { ids: [ids[2]], isChecked: false }, 'historyId');
    const dry = await undo(historyId, true);
    const undone = await undo(historyId);
    expect(undone).toMatchObject({ reverted: 1, leftCount: 2 });
    expect(undone.left.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1))).toEqual(
      [
        { id: ids[0], code: 'CONFLICT' },
        { id: ids[1], code: 'CONFLICT' },
      ].toSorted((a, b) => (a.id! < b.id! ? -1 : 1)),
    );
    expect(dry).toEqual({ ...undone, historyId: null });
    expect((await world.location(ids[3]!, 'geocoding { isChecked }')).geocoding.isChecked).toBe(false);
    expect((await world.location(ids[0]!, 'geocoding { isChecked }')).geocoding.isChecked).toBe(true);
    // What is as before is skipped.
    expect(await undo(historyId)).toMatchObject({ reverted: 0, leftCount: 2, historyId: null });
  });

  it('leaves a location whose external id was given away', async () => {
    const [id = ''] = await world.create(1, { externalId: 'x' });
    const { historyId } = await world.mutate('updateLocation', { id, externalId: null }, 'historyId');
    const deletion = await world.mutate('deleteLocation', { id }, 'historyId');
    await world.create(1, { externalId: 'x' });
    const left = [{ id, code: 'EXTERNAL_ID_TAKEN' }];
    expect(await undo(deletion.historyId)).toMatchObject({ reverted: 1 });
    expect(await undo(historyId, true)).toMatchObject({
      reverted: 0,
      left: [{ id, code: 'EXTERNAL_ID_TAKEN' }],
    });
    const renamed = await world.mutate('updateLocation', { id, externalId: 'y' }, 'historyId');
    await world.mutate('restoreVersion', { id, version: 2 }, 'historyId');
    expect(await undo(renamed.historyId, true)).toMatchObject({ reverted: 0, leftCount: 0 });
    const lost = await world.create(1, { externalId: 'z' });
    const change = await world.mutate('updateLocation', { id: lost[0], externalId: null }, 'historyId');
    await world.create(1, { externalId: 'z' });
    for (const dryRun of [true, false]) {
      expect(await undo(change.historyId, dryRun)).toMatchObject({
        reverted: 0,
        left: [{ ...left[0], id: lost[0] }],
      });
    }
  });

  it('takes back a whole import in parts', async () => {
    const first = await world.create(3);
    const before = await world.list();
    let historyId: string | null = null;
    for (let part = 0; part < 4; part += 1) {
      const locations = Array.from({ length: 400 }, (_, index) => ({
        ...{
          externalId: `e${(part * 400 + index) % 900}`,
          position: { latitude: part, longitude: index / 10 },
        },
        fields: { Name: `Row ${part} ${index}`, Address: 'A' },
      }));
      const written: { historyId: string } = await world.mutate(
        'upsertLocations',
        { locations, historyId },
        'historyId',
      );
      historyId = written.historyId;
    }
    expect((await world.map('locations { totalCount }')).locations.totalCount).toBe(903);
    const [entry] = await world.history();
    expect(entry).toMatchObject({ id: historyId, created: 900, updated: 700 });
    const undone = await undo(historyId ?? '');
    expect(undone).toMatchObject({ reverted: 900, leftCount: 0 });
    expect(await world.list()).toEqual(before);
    const redone = await undo(undone.historyId);
    expect(redone).toMatchObject({ reverted: 900, leftCount: 0 });
    expect((await world.map('locations { totalCount }')).locations.totalCount).toBe(903);
    expect(before.map(({ id }) => id)).toEqual(first);
  });

  it('needs a change of the map that is kept', async () => {
    const [id = ''] = await world.create(1);
    const { historyId } = await world.mutate('deleteLocation', { id }, 'historyId');
    const other = (await makeMap(world.server)).id;
    for (const input of [
      { historyId: 'nothing' },
      { historyId: 'history_0123456789abcdefghjkmn' },
      { historyId, mapId: other },
    ]) {
      expect(codesOf(await world.ask('undoChange', input, UNDONE))).toEqual(['HISTORY_NOT_FOUND']);
    }
  });
});

describe('what is not kept', () => {
  const world = new World();
  afterEach(() => world.server.close());

  it('is not shown when it is too old, whether or not it was removed', async () => {
    await world.open();
    const [a = '', b = ''] = await world.create(2);
    const { historyId } = await world.mutate('updateLocation', { id: a, fields: { Kind: '1' } }, 'historyId');
    const deletion = await world.mutate('deleteLocation', { id: b }, 'historyId');
    world.now += 30 * DAY - 1;
    expect(await world.trash()).toEqual([b]);
    world.now += 2;
    expect(await world.trash()).toEqual([]);
    const { results } = await world.mutate('restoreLocations', { ids: [b] }, 'results { error { code } }');
    expect(results).toEqual([{ error: { code: 'LOCATION_NOT_FOUND' } }]);
    expect(
      await world.mutate('undoChange', { historyId: deletion.historyId }, 'reverted left { id code }'),
    ).toEqual({
      reverted: 0,
      left: [{ id: b, code: 'HISTORY_NOT_FOUND' }],
    });
    expect((await world.location(a, VERSIONS)).versions.nodes).toHaveLength(2);
    world.now += 60 * DAY;
    expect((await world.location(a, VERSIONS)).versions.nodes).toEqual([]);
    expect(await world.history()).toEqual([]);
    expect(await world.history(`(filter: {locationId: "${a}"})`)).toEqual([]);
    for (const [field, input] of [
      ['undoChange', { historyId }],
      ['restoreVersion', { id: a, version: 1 }],
    ] as const) {
      expect(codesOf(await world.ask(field, input, 'historyId'))).toEqual(['HISTORY_NOT_FOUND']);
    }
  });

  it('is not shown when a location has more versions', async () => {
    await world.open({ HISTORY_MAX_VERSIONS: '2' });
    const [id = ''] = await world.create(1);
    for (const Kind of ['1', '2', '3'])
      await world.mutate('updateLocation', { id, fields: { Kind } }, 'historyId');
    const { versions } = await world.location(id, 'versions { nodes { version } }');
    expect(versions.nodes).toEqual([{ version: 4 }, { version: 3 }]);
    expect(codesOf(await world.ask('restoreVersion', { id, version: 1 }, 'historyId'))).toEqual([
      'HISTORY_NOT_FOUND',
    ]);
    await world.mutate('restoreVersion', { id, version: 2 }, 'historyId');
  });

  it.each([
    ['nothing', { HISTORY_DAYS: '0', TRASH_DAYS: '0' }],
    ['no history, with a trash', { HISTORY_DAYS: '0' }],
    ['no trash, with a history', { TRASH_DAYS: '0' }],
  ])('was never stored: %s', async (_name, settings: Record<string, string>) => {
    await world.open(settings);
    const [hasHistory, hasTrash] = [settings['HISTORY_DAYS'] !== '0', settings['TRASH_DAYS'] !== '0'];
    const [a = '', b = ''] = await world.create(2);
    const { historyId } = await world.mutate('updateLocation', { id: a, fields: { Kind: '1' } }, 'historyId');
    expect(historyId !== null).toBe(hasHistory);
    await world.mutate('deleteLocation', { id: b }, 'historyId');
    expect(await world.history()).toHaveLength(hasHistory ? 3 : 0);
    expect((await world.location(a, VERSIONS)).versions.nodes).toHaveLength(hasHistory ? 2 : 0);
    expect(await world.trash()).toEqual(hasTrash ? [b] : []);
    const { results } = await world.mutate('restoreLocations', { ids: [b] }, 'results { location { id } }');
    expect(results).toEqual([{ location: hasTrash ? { id: b } : null }]);
    const stored = await world.server.gateway.storage.listVersions(world.mapId, b, {
      limit: 9,
      before: null,
    });
    expect(stored).toHaveLength(hasHistory && hasTrash ? 2 : 0);
  });
});

describe('history and trash', () => {
  const world = new World();
  beforeAll(() => world.open());
  afterAll(() => world.server.close());

  it('are read by members, and used by editors', async () => {
    const [id = '', deleted = ''] = await world.create(2);
    await world.mutate('deleteLocation', { id: deleted }, 'historyId');
    const { historyId } = await world.mutate('updateLocation', { id, fields: { Kind: 'x' } }, 'historyId');
    for (const role of MAP_ROLES) {
      await addMember(world.server, world.mapId, `the ${role}`, role);
      const token = await world.server.createToken({ owner: `the ${role}` });
      const read = await world.map(
        `trash { nodes { historyId } } history { nodes { id } } location(id: "${id}") { versions { nodes { version } } }`,
        token,
      );
      expect(read).toEqual({
        trash: { nodes: [expect.anything()] },
        history: { nodes: expect.anything() as unknown },
        location: { versions: { nodes: [{ version: 2 }, { version: 1 }] } },
      });
      for (const [field, input, selection] of [
        ['restoreLocations', { ids: [id] }, 'historyId'],
        ['restoreVersion', { id, version: 2 }, 'historyId'],
        ['undoChange', { historyId, dryRun: true }, 'historyId'],
      ] as const) {
        const response = await world.ask(field, input, selection, token);
        expect([role, field, codesOf(response)]).toEqual([
          role,
          field,
          role === 'viewer' ? ['FORBIDDEN'] : [],
        ]);
      }
    }
  });

  it('are closed to the public, and with a deleted map', async () => {
    const [id = ''] = await world.create(1);
    await world.mutate('deleteLocation', { id }, 'historyId');
    const [shown = ''] = await world.create(1);
    const update = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await world.server.graphql(update, { input: { id: world.mapId, isPublished: true } }));
    for (const selection of [
      'history { nodes { id } }',
      'trash { nodes { historyId } }',
      `location(id: "${shown}") { versions { nodes { version } } }`,
    ]) {
      const response = await world.server.graphql(
        `{ publicMap(id: "${world.mapId}") { ${selection} } }`,
        {},
        null,
      );
      expect(codesOf(response)).toEqual(['FORBIDDEN']);
    }
    const remove = `mutation { deleteMap(input: {id: "${world.mapId}"}) { map { id } } }`;
    dataOf(await world.server.graphql(remove));
    for (const selection of ['history { nodes { id } }', 'trash { nodes { historyId } }']) {
      const response = await world.server.graphql(`{ map(id: "${world.mapId}") { ${selection} } }`);
      expect(codesOf(response)).toEqual(['MAP_DELETED']);
    }
    expect(codesOf(await world.ask('restoreLocations', { ids: [id] }, 'historyId'))).toEqual(['MAP_DELETED']);
  });

  it('have the names that actors have now', async () => {
    await world.makeMap();
    const { services, storage } = world.server.gateway;
    const named = await services.tokens.createToken({
      owner: 'Tokens',
      name: 'Laptop',
      scope: 'write',
      mapId: null,
      expiresAt: null,
    });
    await addMember(world.server, world.mapId, 'Tokens', 'editor');
    const { findOwnedMap, operatorFor } = await import('../../src/services/operator.ts');
    await world.mutate(
      'createLocations',
      { locations: [{ fields: { Name: 'N', Address: 'A' } }] },
      'historyId',
      named.token,
    );
    world.now += 1;
    const { owner } = await findOwnedMap(storage, world.mapId);
    await services.locationBatches.createLocations({ caller: operatorFor(owner) }, world.mapId, [
      { fields: { Name: 'N', Address: 'A' } },
    ]);
    expect((await world.history()).map(({ by }: { by: unknown }) => by)).toEqual([
      { kind: 'operator', name: 'command line' },
      { kind: 'token', name: 'Laptop' },
    ]);
    expect(await world.history('(filter: {by: "command line"})')).toHaveLength(1);
    expect(await world.history('(filter: {by: "Laptop"})')).toHaveLength(1);
  });
});
