/** updateLocation, and external ids in the mutations that take them. */

import {
  codesOf,
  createLocation,
  dataOf,
  deleteLocation,
  deleteMap,
  makeMap,
  messageOf,
} from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const LOCATION = `id name order placeId latitude longitude properties externalId version createdAt updatedAt
  geocoding { provider precision }`;

describe('updateLocation', () => {
  let server: TestServer;
  let mapId: string;
  let now = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    server = await createTestServer({}, { clock: () => now });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    mapId = (await makeMap(server)).id;
    server.geocoder.asked.length = 0;
  });

  const create = async (more: Record<string, unknown> = {}) => {
    const fields = { Name: 'Old', Address: 'Old Street', Seats: 4, More: { a: 1, b: 2 } };
    const response = await server.graphql(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { ${LOCATION} } } }`,
      { input: { mapId, fields, ...more } },
    );
    return dataOf(response).createLocation.location;
  };
  const update = (input: Record<string, unknown>, token?: string): Promise<TestResponse> =>
    server.graphql(
      `mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) {
        location { ${LOCATION} } edge { cursor node { id version } } map { id locations { totalCount } }
      } }`,
      { input: { mapId, ...input } },
      token,
    );
  const updated = async (input: Record<string, unknown>) =>
    dataOf(await update(input)).updateLocation.location;
  const read = async (id: string) =>
    dataOf(
      await server.graphql(
        `query ($mapId: ID!, $id: ID!) { location(mapId: $mapId, id: $id) { ${LOCATION} } }`,
        { mapId, id },
      ),
    ).location;

  it('merges fields key by key, removes keys, and updates the name', async () => {
    const before = await create();
    now += 1000;
    const after = await updated({
      id: before.id,
      fields: { Seats: null, Name: 'New', Extra: [1], More: { b: 3 } },
      unset: ['nothing'],
    });
    expect(after).toEqual({
      ...before,
      name: 'New',
      properties: { Name: 'New', Address: 'Old Street', Seats: null, More: { b: 3 }, Extra: [1] },
      version: 2,
      updatedAt: new Date(now).toISOString(),
    });
    expect(Object.keys(after.properties)).toEqual(['Name', 'Address', 'Seats', 'More', 'Extra']);
    expect(await read(before.id)).toEqual(after);
    // The address is unchanged.
    expect(server.geocoder.asked).toEqual(['Old Street']);
    expect((await updated({ id: before.id, unset: ['Seats', 'Extra'] })).properties).toEqual({
      Name: 'New',
      Address: 'Old Street',
      More: { b: 3 },
    });
  });

  it('replaces all fields, in the order passed', async () => {
    const { id } = await create();
    const fields = { Address: 'Old Street', Name: 'Only' };
    const after = await updated({ id, fields, fieldsMode: 'replace' });
    expect(JSON.stringify(after.properties)).toBe(JSON.stringify(fields));
  });

  it('geocodes a new address, and changes nothing if that fails', async () => {
    const before = await create();
    const after = await updated({ id: before.id, fields: { Address: 'New Street' } });
    expect(after.placeId).not.toBe(before.placeId);
    expect(after).toMatchObject({ version: 2, geocoding: { provider: 'fake', precision: 'rooftop' } });
    const failed = await update({ id: before.id, fields: { Address: 'unknown: x', Name: 'x' }, order: '9' });
    expect(codesOf(failed)).toEqual(['ADDRESS_NOT_FOUND']);
    expect(await read(before.id)).toEqual(after);
  });

  it('sets a point without the geocoder, and geocodes the address again after null', async () => {
    const before = await create();
    server.geocoder.asked.length = 0;
    const point = { latitude: 1.5, longitude: -2.5 };
    const byHand = await updated({ id: before.id, fields: { Address: 'New' }, position: point });
    expect(byHand).toMatchObject({
      ...point,
      placeId: 'point:1.5,-2.5',
      geocoding: { provider: 'manual', precision: 'rooftop' },
    });
    expect(server.geocoder.asked).toEqual([]);
    const again = await updated({ id: before.id, position: null });
    expect(again.geocoding.provider).toBe('fake');
    expect(server.geocoder.asked).toEqual(['New']);
    expect((await updated({ id: before.id, position: { ...point, placeId: 'mine' } })).placeId).toBe('mine');
  });

  it('changes the order, and both endpoints list the location there', async () => {
    const [a, b] = [await create(), await create()];
    const moved = await updated({ id: a.id, order: '2.5' });
    expect(moved).toMatchObject({ order: '2.5', version: 2 });
    const response = await server.request('GET', `/v0/map/${mapId}/locations`);
    expect(response.json.map(({ id }: { id: string }) => id)).toEqual([b.id, a.id]);
    expect((await updated({ id: a.id, order: '2.50' })).version).toBe(3);
  });

  it('changes nothing, not even the version, if all values are equal', async () => {
    const before = await create({ externalId: 'e' });
    now += 1000;
    for (const input of [
      {},
      { fields: { Seats: 4, Name: 'Old' } },
      { fields: { More: { b: 2, a: 1 } } },
      {
        fields: { More: before.properties.More, Seats: 4, Address: 'Old Street', Name: 'Old' },
        fieldsMode: 'replace',
      },
      { unset: ['nothing'], order: before.order, externalId: 'e' },
      { fields: null, fieldsMode: null, unset: null, order: null, ifVersion: null },
      { position: null },
    ]) {
      expect([input, await updated({ id: before.id, ...input })]).toEqual([input, before]);
    }
    expect(await read(before.id)).toEqual(before);
  });

  it('changes only the expected version, and names the current one otherwise', async () => {
    const { id } = await create();
    expect((await updated({ id, ifVersion: 1, order: '5' })).version).toBe(2);
    const late = await update({ id, ifVersion: 1, fields: { Address: 'Never Street' } });
    expect(codesOf(late)).toEqual(['CONFLICT']);
    expect(late.json.errors[0].extensions).toEqual({ code: 'CONFLICT', currentVersion: 2 });
    // Checked before geocoding.
    expect(server.geocoder.asked).not.toContain('Never Street');
  });

  it('loses no concurrent change', async () => {
    const { id } = await create();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => updated({ id, fields: { [`k${index}`]: index } })),
    );
    const after = await read(id);
    expect(after.version).toBe(21);
    expect(Object.keys(after.properties)).toHaveLength(24);
  });

  it('applies the rules of creation only if the fields change', async () => {
    const { id } = await create();
    for (const [input, message] of [
      [{ fields: { Name: ' ' } }, /name field/],
      [{ unset: ['Address'] }, /address field/],
      [{ fields: { Name: 'x' }, fieldsMode: 'replace' }, /address field/],
      [{ fieldsMode: 'replace' }, /fields/],
      [{ fields: { a: 1 }, unset: ['a'] }, /^unset\[0\]/],
      [{ fields: { a: 'x'.repeat(70_000) } }, /65536 bytes/],
      [{ order: '' }, /order/],
      [{ externalId: '' }, /externalId/],
      [{ externalId: 'a\n' }, /externalId/],
      [{ position: { latitude: 91, longitude: 0 } }, /latitude/i],
    ] as const) {
      const response = await update({ id, ...input });
      expect([input, codesOf(response)]).toEqual([input, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(message);
    }
    expect((await read(id)).version).toBe(1);
  });

  it('sets and removes an external id, by which the location is found', async () => {
    const { id } = await create();
    const other = await create({ externalId: 'taken' });
    expect((await updated({ id, externalId: 'mine' })).externalId).toBe('mine');
    const find = async (externalId: string) =>
      server.graphql(
        'query ($mapId: ID!, $externalId: String!) { map(id: $mapId) { locationByExternalId(externalId: $externalId) { id } } }',
        { mapId, externalId },
      );
    expect(dataOf(await find('mine')).map.locationByExternalId).toEqual({ id });
    expect(codesOf(await update({ id, externalId: 'taken' }))).toEqual(['CONFLICT']);
    expect((await updated({ id, externalId: null })).externalId).toBeNull();
    const missing = await find('mine');
    expect(missing.json.data.map.locationByExternalId).toBeNull();
    expect(codesOf(missing)).toEqual(['LOCATION_NOT_FOUND']);
    await deleteLocation(server, mapId, other.id);
    expect((await updated({ id, externalId: 'taken' })).externalId).toBe('taken');
  });

  it('refuses locations of others, unknown ones, and read-only tokens', async () => {
    const { id } = await create();
    const foreign = await server.createToken({ owner: 'another' });
    const reader = await server.createToken({ scope: 'read' });
    expect(codesOf(await update({ id, order: '2' }, foreign))).toEqual(['MAP_NOT_FOUND']);
    expect(codesOf(await update({ id, order: '2' }, reader))).toEqual(['FORBIDDEN']);
    expect(codesOf(await update({ id: `${id}x`, order: '2' }))).toEqual(['LOCATION_NOT_FOUND']);
    expect(codesOf(await update({ id: 'odd $id', order: '2' }))).toEqual(['LOCATION_NOT_FOUND']);
    await deleteMap(server, mapId);
    expect(codesOf(await update({ id, order: '2' }))).toEqual(['MAP_DELETED']);
  });
});

describe('an external id of a new location', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer();
    mapId = (await makeMap(server)).id;
  });
  afterAll(() => server.close());

  it('that is in use is a conflict, before geocoding', async () => {
    const fields = { Name: 'n', Address: 'a street' };
    expect(codesOf(await createLocation(server, { mapId, fields, externalId: 'e' }))).toEqual([]);
    const again = { ...fields, Address: 'another street' };
    expect(codesOf(await createLocation(server, { mapId, fields: again, externalId: 'e' }))).toEqual([
      'CONFLICT',
    ]);
    expect(server.geocoder.asked).toEqual(['a street']);
  });

  it('is part of what an idempotency key compares', async () => {
    const input = { mapId, fields: { Name: 'n', Address: 'a' }, idempotencyKey: 'k', externalId: 'x' };
    expect(codesOf(await createLocation(server, input))).toEqual([]);
    expect(codesOf(await createLocation(server, input))).toEqual([]);
    expect(codesOf(await createLocation(server, { ...input, externalId: 'y' }))).toEqual(['CONFLICT']);
    expect(codesOf(await createLocation(server, { ...input, externalId: null }))).toEqual(['CONFLICT']);
  });

  it('used twice in a call stores the first location', async () => {
    const item = { fields: { Name: 'n', Address: 'a' }, externalId: 'twice' };
    const response = await server.graphql(
      `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) {
        results { location { externalId } error { code } }
      } }`,
      { input: { mapId, locations: [item, item] } },
    );
    expect(dataOf(response).createLocations.results).toEqual([
      { location: { externalId: 'twice' }, error: null },
      { location: null, error: { code: 'CONFLICT' } },
    ]);
  });
});
