/** Where a map's addresses are, and what its locations say about their points. */

import { createGeocoder } from '../../src/geocoding/create-geocoder.ts';
import { nominatimFound } from '../support/geocoding-fixtures.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, json, startGeocodingServer } from '../support/geocoding-server.ts';
import { settingsFor, townGeocoder } from '../support/geocoding-settings.ts';
import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const AREA = 'geocoding { countries bounds { south west north east } language }';
const GEOCODING = 'geocoding { provider precision label isAmbiguous isChecked }';
const LOCATION = `id version updatedAt latitude longitude ${GEOCODING}`;
const NUMBER_1 = { Name: 'N', Address: 'Main Street 1' };

describe('the geocoding of a map', () => {
  let provider: GeocodingServer;
  let server: TestServer;
  let now = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    provider = await startGeocodingServer();
    const settings = settingsFor(provider.url, { geocoder: ['nominatim'] });
    server = await createTestServer(
      {},
      { geocoder: createGeocoder(settings, { offline: townGeocoder }), clock: () => (now += 1_000) },
    );
  });
  afterAll(async () => {
    await server.close();
    await provider.close();
  });
  beforeEach(() => {
    provider.received.length = 0;
    provider.play(found);
  });

  const create = (input: object) =>
    server.graphql(
      `mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id updatedAt ${AREA} } } }`,
      { input: { name: 'M', ...input } },
    );
  const update = (input: object) =>
    server.graphql(
      `mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id updatedAt ${AREA} } } }`,
      { input },
    );
  const createLocation = async (mapId: string, input: object = {}) =>
    dataOf(
      await server.graphql(
        `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { ${LOCATION} } } }`,
        { input: { mapId, fields: NUMBER_1, ...input } },
      ),
    ).createLocation.location;
  const updateLocation = async (mapId: string, id: string, input: object) =>
    dataOf(
      await server.graphql(
        `mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { ${LOCATION} } } }`,
        { input: { mapId, id, ...input } },
      ),
    ).updateLocation.location;
  const check = (mapId: string, ids: readonly string[], isChecked: boolean, token?: string) =>
    server.graphql(
      `mutation ($input: CheckLocationsInput!) { checkLocations(input: $input) { map { id } locations { ${LOCATION} } } }`,
      { input: { mapId, ids, isChecked } },
      token,
    );

  it('is anywhere by default, shown as set, replaced as a whole and removed by null', async () => {
    const plain = dataOf(await create({})).createMap.map;
    expect(plain.geocoding).toBeNull();
    const bounds = { south: 46, west: 5, north: 55, east: 17 };
    const made = dataOf(await create({ geocoding: { countries: ['de', 'AT'], bounds, language: 'DE' } }));
    const { id, geocoding, updatedAt } = made.createMap.map;
    expect(geocoding).toEqual({ countries: ['AT', 'DE'], bounds, language: 'de' });
    // The same in another form.
    const same = dataOf(await update({ id, geocoding: { countries: ['AT', 'de'], bounds, language: 'de' } }));
    expect(same.updateMap.map).toEqual({ id, geocoding, updatedAt });
    expect(dataOf(await update({ id, name: 'New' })).updateMap.map.geocoding).toEqual(geocoding);
    const replaced = dataOf(await update({ id, geocoding: { countries: ['FR'] } })).updateMap.map;
    expect(replaced.geocoding).toEqual({ countries: ['FR'], bounds: null, language: null });
    expect(dataOf(await update({ id, geocoding: null })).updateMap.map.geocoding).toBeNull();
    expect(dataOf(await server.graphql(`{ map(id: "${id}") { ${AREA} } }`)).map.geocoding).toBeNull();
  });

  it('is refused by its path', async () => {
    const { id } = await makeMap(server);
    for (const [geocoding, path] of [
      [{ countries: ['DE', 'XX'] }, 'geocoding.countries[1]'],
      [{ bounds: { south: 5, west: 0, north: 4, east: 1 } }, 'geocoding.bounds.south'],
      [{ language: 'german!' }, 'geocoding.language'],
    ] as const) {
      for (const response of [await create({ geocoding }), await update({ id, geocoding })]) {
        expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
        expect(messageOf(response)).toContain(path);
      }
    }
  });

  it('is passed to the geocoder, also for candidates, and results elsewhere are not used', async () => {
    const { id } = await makeMap(server, { geocoding: { countries: ['GB', 'IE'], language: 'en' } });
    await createLocation(id);
    await server.graphql(`{ geocode(mapId: "${id}", address: "Main Street 2") { placeId } }`);
    expect(provider.received.map(({ query }) => [query['countrycodes'], query['accept-language']])).toEqual([
      ['gb,ie', 'en'],
      ['gb,ie', 'en'],
    ]);
    dataOf(await update({ id, geocoding: { countries: ['FR'] } }));
    const refused = await server.graphql(
      'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
      { input: { mapId: id, fields: NUMBER_1 } },
    );
    expect(codesOf(refused)).toEqual(['ADDRESS_NOT_FOUND']);
  });

  it('leaves a label and whether the address is ambiguous with each location', async () => {
    const { id } = await makeMap(server);
    const at = (latitude: number) => nominatimFound({ latitude, longitude: 2, houseNumber: '1' })[0];
    provider.play(json(200, [at(48), at(49)]));
    const location = await createLocation(id, { fields: { Name: 'N', Address: 'Ambiguous Street 1' } });
    expect(location.geocoding).toEqual({
      provider: 'nominatim',
      precision: 'rooftop',
      label: expect.stringMatching(/^1, Pilkington Avenue/),
      isAmbiguous: true,
      isChecked: false,
    });
    const read = await server.graphql(`{ map(id: "${id}") { locations { nodes { ${GEOCODING} } } } }`);
    expect(dataOf(read).map.locations.nodes).toEqual([{ geocoding: location.geocoding }]);
  });

  it('counts a given point as checked, also with a new address, until an address is geocoded', async () => {
    const { id: mapId } = await makeMap(server);
    const position = { latitude: 1, longitude: 2 };
    const given = await createLocation(mapId, { position });
    const byHand = { provider: 'manual', precision: 'rooftop', label: null, isAmbiguous: false };
    expect(given.geocoding).toEqual({ ...byHand, isChecked: true });
    const { id } = await createLocation(mapId);
    const fields = { Address: 'Main Street 3' };
    expect((await updateLocation(mapId, id, { fields, position })).geocoding.isChecked).toBe(true);
    expect((await updateLocation(mapId, id, { fields: { Name: 'New' } })).geocoding.isChecked).toBe(true);
    const moved = await updateLocation(mapId, id, { fields: { Address: 'Main Street 4' } });
    expect(moved.geocoding).toMatchObject({ provider: 'nominatim', isChecked: false });
  });

  it('is checked by checkLocations, which changes only what differs', async () => {
    const { id: mapId } = await makeMap(server);
    const [a, b, c] = [
      await createLocation(mapId),
      await createLocation(mapId),
      await createLocation(mapId, { position: { latitude: 1, longitude: 2 } }),
    ];
    const odd = ['$ne', '', `${a.id}x`];
    const marked = dataOf(await check(mapId, [c.id, ...odd, a.id, c.id], true)).checkLocations;
    expect(marked.map).toEqual({ id: mapId });
    expect(marked.locations).toEqual([
      c,
      {
        ...a,
        version: 2,
        updatedAt: expect.not.stringMatching(a.updatedAt),
        geocoding: { ...a.geocoding, isChecked: true },
      },
    ]);
    const again = dataOf(await check(mapId, [a.id], true)).checkLocations.locations;
    expect(again).toEqual([marked.locations[1]]);
    const undone = dataOf(await check(mapId, [a.id, c.id], false)).checkLocations.locations;
    expect(undone.map(({ version, geocoding }: typeof a) => [version, geocoding.isChecked])).toEqual([
      [3, false],
      [2, false],
    ]);
    const others = await server.graphql(`{ location(mapId: "${mapId}", id: "${b.id}") { ${LOCATION} } }`);
    expect(dataOf(others).location).toEqual(b);
  });

  it('is checked for 1 to 1,000 ids of a map that the caller may change', async () => {
    const { id: mapId } = await makeMap(server);
    const { id } = await createLocation(mapId);
    for (const count of [0, 1_001]) {
      const response = await check(mapId, Array(count).fill(id), true);
      expect([count, codesOf(response)]).toEqual([count, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(/^ids .*1 to 1000/);
    }
    const reader = await server.createToken({ scope: 'read' });
    expect(codesOf(await check(mapId, [id], true, reader))).toEqual(['FORBIDDEN']);
  });

  it('shows the label to the public only if the address is public', async () => {
    for (const isPublic of [true, false]) {
      const { id } = await makeMap(server, {
        isPublished: true,
        geocoding: { countries: ['GB'] },
        fields: [
          { name: 'Name', type: 'placeName' },
          { name: 'Address', type: 'address', isPublic },
        ],
      });
      const { geocoding } = await createLocation(id);
      const response = await server.graphql(
        `{ publicMap(id: "${id}") { ${AREA} locations { nodes { ${GEOCODING} } edges { node { ${GEOCODING} } } } } }`,
        {},
        null,
      );
      const shown = { geocoding: { ...geocoding, label: isPublic ? geocoding.label : null } };
      expect(geocoding.label).not.toBeNull();
      expect(dataOf(response).publicMap).toEqual({
        geocoding: null,
        locations: { nodes: [shown], edges: [{ node: shown }] },
      });
    }
  });
});
