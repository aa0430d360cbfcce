/** The mutations of maps and of single locations, as a GraphQL client sees them. */

import {
  codesOf,
  createLocation,
  dataOf,
  deleteMap,
  makeLocations,
  makeMap,
  messageOf,
} from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const MAP = 'id name isDeleted isPublished createdAt providerMapApiKey geocodingApiKey fields { name type }';

describe('mutations', () => {
  let server: TestServer;
  let now = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    server = await createTestServer({}, { clock: () => now });
  });
  afterAll(() => server.close());

  const createMap = (input: Record<string, unknown>) =>
    server.graphql(`mutation ($input: CreateMapInput!) { createMap(input: $input) { map { ${MAP} } } }`, {
      input,
    });
  const updateMap = (input: Record<string, unknown>) =>
    server.graphql(`mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { ${MAP} } } }`, {
      input,
    });

  const name = { name: 'Name', type: 'placeName' };
  const address = { name: 'Address', type: 'address' };

  describe('createMap', () => {
    it('requires only a name; the rest has defaults', async () => {
      const { map } = dataOf(await createMap({ name: 'Plain' })).createMap;
      expect(map).toEqual({
        id: expect.stringMatching(/^[\w-]+$/),
        name: 'Plain',
        isDeleted: false,
        isPublished: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        providerMapApiKey: null,
        geocodingApiKey: null,
        fields: [
          { name: 'Name', type: 'placeName' },
          { name: 'Address', type: 'address' },
        ],
      });
      const nothing = { fields: null, isPublished: null, providerMapApiKey: null, geocodingApiKey: null };
      const again = dataOf(await createMap({ name: 'Plain', ...nothing })).createMap.map;
      expect(again).toEqual({ ...map, id: again.id, createdAt: again.createdAt });
    });

    it('stores all values exactly', async () => {
      const input = {
        name: '  Ünïcode 𝒳 “map”  ',
        isPublished: true,
        providerMapApiKey: 'provider key',
        geocodingApiKey: 'geocoding key',
        fields: [
          { name: ' a ', type: 'text' },
          { name: 'name', type: 'text' },
          { name: 'ADDRESS', type: 'tag' },
          { name: '__proto__', type: 'number' },
          { name: 'Name', type: 'image_link' },
        ],
      };
      expect(dataOf(await createMap(input)).createMap.map).toMatchObject(input);
    });

    const more = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `f${index}`, type: 'text' }));
    const REFUSED: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['an empty name', { name: '' }, /^name /],
      ['a blank name', { name: ' \t\n' }, /^name /],
      ['a name of 257 characters', { name: 'é'.repeat(257) }, /256/],
      ['a NUL in the name', { name: 'a\0b' }, /^name /],
      ['a lone surrogate in the name', { name: '\ud800' }, /^name /],
      ['no fields', { fields: [] }, /name field/],
      ['no name field', { fields: [address] }, /name field/],
      ['no address field', { fields: [name] }, /address field/],
      [
        'two fields of one name',
        { fields: [name, address, { name: 'Name', type: 'text' }] },
        /^fields\[2\]\.name repeats that of fields\[0\]; names must be unique/,
      ],
      [
        'a field with an empty name',
        { fields: [name, address, { name: '', type: 'text' }] },
        /^fields\[2\]\.name must be/,
      ],
      [
        'a field with a blank name',
        { fields: [name, { name: ' \t', type: 'text' }, address] },
        /^fields\[1\]\.name must be/,
      ],
      ['101 fields', { fields: [name, address, ...more(99)] }, /100/],
      ['a blank key', { geocodingApiKey: ' ' }, /^geocodingApiKey /],
      ['an empty provider key', { providerMapApiKey: '' }, /^providerMapApiKey /],
    ];
    for (const [what, input, message] of REFUSED) {
      it(`refuses ${what}`, async () => {
        const response = await createMap({ name: 'Good', ...input });
        expect([response.status, codesOf(response)]).toEqual([200, ['BAD_USER_INPUT']]);
        expect(messageOf(response)).toMatch(message);
      });
    }

    it('accepts names that differ in case, a name of 256 characters and 100 fields', async () => {
      const fields = [name, address, { name: 'name', type: 'text' }, ...more(97)];
      const { map } = dataOf(await createMap({ name: '𝒳'.repeat(256), fields })).createMap;
      expect(map.fields).toEqual(fields);
    });

    it('refuses an unknown field type, before it runs', async () => {
      const response = await createMap({
        name: 'Good',
        fields: [name, address, { name: 'x', type: 'Text' }],
      });
      expect([response.status, codesOf(response)]).toEqual([400, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(/FieldType/);
    });
  });

  describe('updateMap', () => {
    it('changes only the given members; null removes a key', async () => {
      const keys = { providerMapApiKey: 'one', geocodingApiKey: 'two' };
      const { map } = dataOf(await createMap({ name: 'Before', isPublished: true, ...keys })).createMap;
      const update = async (changes: Record<string, unknown>) =>
        dataOf(await updateMap({ id: map.id, ...changes })).updateMap.map;
      expect(await update({})).toEqual(map);
      expect(await update({ name: 'After' })).toEqual({ ...map, name: 'After' });
      expect(await update({ isPublished: false })).toEqual({ ...map, name: 'After', isPublished: false });
      const withoutKey = { ...map, name: 'After', isPublished: false, geocodingApiKey: null };
      expect(await update({ geocodingApiKey: null })).toEqual(withoutKey);
      expect(await update({ geocodingApiKey: 'new' })).toEqual({ ...withoutKey, geocodingApiKey: 'new' });
      const { map: read } = dataOf(await server.graphql(`{ map(id: "${map.id}") { ${MAP} } }`));
      expect(read).toEqual({ ...withoutKey, geocodingApiKey: 'new' });
    });

    it('replaces the list of fields, without changing locations or their /v0 responses', async () => {
      const { id } = await makeMap(server);
      const fields = { Name: 'Hall', Address: 'Main Street 1', Phone: '1' };
      const { location } = dataOf(await createLocation(server, { mapId: id, fields })).createLocation;
      const phone = { name: 'Phone', type: 'phone', isPublic: false };
      const list = [
        phone,
        { name: 'Where', type: 'address' },
        { name: 'Name', type: 'placeName', isPublic: null },
      ];
      const response = await server.graphql(
        'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { fields { name type isPublic } } } }',
        { input: { id, fields: list } },
      );
      expect(dataOf(response).updateMap.map.fields).toEqual([
        phone,
        { name: 'Where', type: 'address', isPublic: true },
        { name: 'Name', type: 'placeName', isPublic: true },
      ]);
      const v0 = await server.request('GET', `/v0/map/${id}`);
      expect(v0.json.data.fields).toEqual(list.map(({ name, type }) => ({ name, type })));
      const after = await server.request('GET', `/v0/map/${id}/location/${location.id}`);
      expect(after.json[0].properties).toEqual(fields);
      // The new rules apply from now on.
      expect(codesOf(await createLocation(server, { mapId: id, fields }))).toEqual(['BAD_USER_INPUT']);
      expect(codesOf(await createLocation(server, { mapId: id, fields: { ...fields, Where: 'x' } }))).toEqual(
        [],
      );
    });

    it('refuses a list of fields that createMap would refuse, and then changes nothing', async () => {
      const { id } = await makeMap(server, { name: 'Kept' });
      for (const fields of [null, [], [{ name: 'Name', type: 'text' }]]) {
        const response = await updateMap({ id, name: 'New', fields });
        expect([fields, codesOf(response)]).toEqual([fields, ['BAD_USER_INPUT']]);
        expect(messageOf(response)).toMatch(/^fields /);
      }
      const { map } = dataOf(await server.graphql(`{ map(id: "${id}") { name fields { name } } }`));
      expect(map).toEqual({ name: 'Kept', fields: [{ name: 'Name' }, { name: 'Address' }] });
    });

    it('moves the map’s update time, which changes of locations and repeated updates leave alone', async () => {
      const { id } = await makeMap(server, { name: 'Before' });
      const timeOf = async () => {
        const { map } = dataOf(await server.graphql(`{ map(id: "${id}") { createdAt updatedAt } }`));
        return map as { createdAt: string; updatedAt: string };
      };
      const created = await timeOf();
      expect(created.updatedAt).toBe(created.createdAt);
      now += 1000;
      await createLocation(server, { mapId: id, fields: { Name: 'N', Address: 'A' } });
      dataOf(await updateMap({ id, name: 'Before', isPublished: false }));
      expect(await timeOf()).toEqual(created);
      dataOf(await updateMap({ id, name: 'After' }));
      const { updatedAt } = await timeOf();
      expect(updatedAt > created.createdAt).toBe(true);
      now += 1000;
      await deleteMap(server, id);
      const deleted = await timeOf();
      expect(deleted.updatedAt > updatedAt).toBe(true);
      await deleteMap(server, id);
      expect(await timeOf()).toEqual(deleted);
    });

    it('refuses a field with a blank name, and then changes nothing', async () => {
      const { id } = await makeMap(server, { name: 'Kept' });
      const fields = [name, address, { name: ' ', type: 'text' }];
      const response = await updateMap({ id, name: 'Changed', fields });
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(response)).toMatch(/^fields\[2\]\.name must be/);
      const { map } = dataOf(await server.graphql(`{ map(id: "${id}") { name fields { name type } } }`));
      expect(map).toEqual({ name: 'Kept', fields: [name, address] });
    });

    it('refuses null and blank for required values, and then changes nothing', async () => {
      const { id } = await makeMap(server, { name: 'Kept' });
      for (const changes of [{ name: null }, { name: ' ' }, { isPublished: null }, { geocodingApiKey: '' }]) {
        const response = await updateMap({ id, isPublished: true, ...changes });
        expect([changes, codesOf(response)]).toEqual([changes, ['BAD_USER_INPUT']]);
      }
      const { map } = dataOf(await server.graphql(`{ map(id: "${id}") { name isPublished } }`));
      expect(map).toEqual({ name: 'Kept', isPublished: false });
    });
  });

  it('mutations of one operation run in sequence, and one that fails hides none of the others', async () => {
    const { id } = await makeMap(server);
    const response = await server.graphql(`mutation {
      a: updateMap(input: { id: "${id}", name: "A" }) { map { name } }
      b: deleteMap(input: { id: "${id}" }) { map { name isDeleted } }
      c: createLocation(input: { mapId: "${id}", fields: { Name: "N", Address: "A" } }) { map { id } }
      d: restoreMap(input: { id: "${id}" }) { map { isDeleted } }
    }`);
    expect(codesOf(response)).toEqual(['MAP_DELETED']);
    expect(response.json.errors[0].path).toEqual(['c']);
    expect(response.json.data).toEqual({
      a: { map: { name: 'A' } },
      b: { map: { name: 'A', isDeleted: true } },
      c: null,
      d: { map: { isDeleted: false } },
    });
  });

  it('a mutation returns the map and its list as they are afterwards', async () => {
    const { id } = await makeMap(server);
    const response = await server.graphql(`mutation {
      a: createLocation(input: { mapId: "${id}", fields: { Name: "N", Address: "A" } }) { map { locations { totalCount } } }
      b: createLocation(input: { mapId: "${id}", fields: { Name: "N", Address: "A" } }) { map { locations { totalCount } } }
    }`);
    expect([
      dataOf(response).a.map.locations.totalCount,
      dataOf(response).b.map.locations.totalCount,
    ]).toEqual([1, 2]);
  });

  it('a location created after an update of its map returns the updated map', async () => {
    const { id } = await makeMap(server, { name: 'Before' });
    const create = `createLocation(input: { mapId: "${id}", fields: { Name: "N", Address: "A" } }) { location { map { name } } }`;
    const response = await server.graphql(`mutation {
      a: ${create} b: updateMap(input: { id: "${id}", name: "After" }) { map { name } } c: ${create}
    }`);
    const { a, c } = dataOf(response);
    expect([a.location.map.name, c.location.map.name]).toEqual(['Before', 'After']);
  });

  describe('createLocation', () => {
    it('returns the location, its edge and its map, with every field', async () => {
      const { id } = await makeMap(server);
      const fields = { Name: 'Town hall', Address: 'Main Street 1', extra: [1, { a: null }] };
      const { location, edge, map } = dataOf(
        await createLocation(server, { mapId: id, fields }),
      ).createLocation;
      expect(map.id).toBe(id);
      expect(edge.node.id).toBe(location.id);
      const response = await server.graphql(`{ map(id: "${id}") { locations {
        edges { cursor node { id name placeId latLngLiteral { lat lng } latitude longitude properties order createdAt
          geocoding { provider precision } map { id } } } } } }`);
      const [listed] = dataOf(response).map.locations.edges;
      expect(listed.cursor).toBe(edge.cursor);
      expect(listed.node).toMatchObject({
        id: location.id,
        name: 'Town hall',
        properties: fields,
        order: '1',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        geocoding: { provider: 'fake', precision: 'rooftop' },
        map: { id },
      });
      // The unrounded doubles of the geocoder, and strings that parse to the same doubles.
      const { lat, lng } = listed.node.latLngLiteral;
      expect([Number(lat), Number(lng)]).toEqual([listed.node.latitude, listed.node.longitude]);
      expect(String(listed.node.latitude).length).toBeGreaterThan(12);
    });

    it('orders by number, then by text, and appends as the contract requires', async () => {
      const { id } = await makeMap(server);
      const orders = ['10', '9', '1.5', '-2', null, '007', 'b', null, 'a', '7', '11.0'];
      await makeLocations(server, id, orders);
      const { map } = dataOf(await server.graphql(`{ map(id: "${id}") { locations { nodes { order } } } }`));
      expect(map.locations.nodes.map((node: { order: string }) => node.order)).toEqual([
        ...['-2', '1.5', '007', '7', '9', '10', '11', '11.0', 'a', 'b', 'b'],
      ]);
    });

    it('accepts an order of 256 characters, and treats null as absent', async () => {
      const { id } = await makeMap(server);
      const input = { mapId: id, fields: { Name: 'N', Address: 'A' } };
      const made = async (order: unknown) =>
        dataOf(await createLocation(server, { ...input, order })).createLocation.location.order;
      expect(await made(null)).toBe('1');
      expect(await made('9'.repeat(256))).toBe('9'.repeat(256));
      expect(await made(null)).toBe(`1${'0'.repeat(256)}`);
      expect(codesOf(await createLocation(server, { ...input, order: '𝒳'.repeat(257) }))).toEqual([
        'BAD_USER_INPUT',
      ]);
      expect(await made('𝒳'.repeat(256))).toBe('𝒳'.repeat(256));
    });

    it('stores nothing when it fails', async () => {
      const { id } = await makeMap(server);
      for (const address of ['unknown: x', 'bug: x', 'down: x', ' '])
        await createLocation(server, { mapId: id, fields: { Name: 'N', Address: address } });
      const { map } = dataOf(await server.graphql(`{ map(id: "${id}") { locations { totalCount } } }`));
      expect(map.locations.totalCount).toBe(0);
    });
  });

  describe('deleteLocation', () => {
    it('returns the deleted location, its id and its map, once', async () => {
      const { id: mapId } = await makeMap(server);
      const [location] = await makeLocations(server, mapId, ['5']);
      const remove = () =>
        server.graphql(
          `mutation ($input: DeleteLocationInput!) {
            deleteLocation(input: $input) { deletedId location { id name order } map { id locations { totalCount } } }
          }`,
          { input: { mapId, id: location?.id } },
        );
      expect(dataOf(await remove()).deleteLocation).toEqual({
        deletedId: location?.id,
        location,
        map: { id: mapId, locations: { totalCount: 0 } },
      });
      expect(codesOf(await remove())).toEqual(['LOCATION_NOT_FOUND']);
    });

    it('does not find a location of another map', async () => {
      const one = await makeMap(server);
      const two = await makeMap(server);
      const [location] = await makeLocations(server, one.id, [null]);
      const response = await server.graphql(
        `mutation { deleteLocation(input: { mapId: "${two.id}", id: "${location?.id}" }) { deletedId } }`,
      );
      expect(codesOf(response)).toEqual(['LOCATION_NOT_FOUND']);
    });
  });
});
