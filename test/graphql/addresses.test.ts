/** The address of a point, and addresses suggested while one is typed. */

import { photonFound } from '../support/geocoding-fixtures.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, json } from '../support/geocoding-server.ts';
import { codesOf, dataOf, deleteMap, makeMap, messageOf } from '../support/graphql.ts';
import { UNKNOWN_MAP } from '../support/root-fields.ts';
import { createServerCalling, startServerWithProvider } from '../support/server-with-provider.ts';
import type { TestServer } from '../support/server.ts';

const PARTS = 'label houseNumber street postcode city state country countryCode distance provider';

describe('addresses by GraphQL', () => {
  let provider: GeocodingServer;
  let server: TestServer;
  let close: () => Promise<void>;
  let mapId: string;
  beforeAll(async () => {
    ({ provider, server, close } = await startServerWithProvider({ geocoder: ['photon'], tokenQuota: 3 }));
  });
  afterAll(() => close());
  beforeEach(async () => {
    provider.received.length = 0;
    provider.play(found);
    const geocoding = { countries: ['DE'], language: 'de' };
    ({ id: mapId } = await makeMap(server, { geocoding }));
  });

  const reverse = (latitude: number, longitude: number, { map = mapId, token = '' } = {}) =>
    server.graphql(
      `query ($map: ID!, $latitude: Latitude!, $longitude: Longitude!) {
        reverseGeocode(mapId: $map, latitude: $latitude, longitude: $longitude) { ${PARTS} }
      }`,
      { map, latitude, longitude },
      token || undefined,
    );
  const suggest = (text: string, { near = null as object | null, map = mapId, token = '' } = {}) =>
    server.graphql(
      `query ($map: ID!, $text: String!, $near: PointInput) {
        suggestAddresses(mapId: $map, text: $text, near: $near) { label description latitude longitude }
      }`,
      { map, text, near },
      token || undefined,
    );

  it('finds the address of a point, in other countries than the map’s too', async () => {
    await server.graphql(
      `mutation { updateMap(input: { id: "${mapId}", geocoding: { countries: ["FR"] } }) { map { id } } }`,
    );
    provider.play(json(200, photonFound({ latitude: 52.5, longitude: 13.4 })));
    const response = await reverse(52.5001, 13.4);
    expect(dataOf(response).reverseGeocode).toEqual({
      label: '2 Unter den Linden, 10117 Berlin, Deutschland',
      houseNumber: '2',
      street: 'Unter den Linden',
      postcode: '10117',
      city: 'Berlin',
      state: 'Berlin',
      country: 'Deutschland',
      countryCode: 'DE',
      distance: 11.12,
      provider: 'photon',
    });
    expect(provider.received.map(({ query }) => [query['lat'], query['lon']])).toEqual([['52.5001', '13.4']]);
  });

  it('finds no address of a point in the sea, without an error', async () => {
    provider.play(json(200, { type: 'FeatureCollection', features: [] }));
    expect((await reverse(0, 0)).json).toEqual({ data: { reverseGeocode: null } });
    expect(codesOf(await reverse(91, 0))).toEqual(['BAD_USER_INPUT']);
  });

  it('suggests addresses in the map’s countries, near a point', async () => {
    provider.play(json(200, photonFound({ latitude: 52.5, longitude: 13.4 })));
    const response = await suggest('  Unter d', { near: { latitude: 52, longitude: 13 } });
    expect(dataOf(response).suggestAddresses).toEqual([
      {
        label: '2 Unter den Linden',
        description: '10117 Berlin, Deutschland',
        latitude: 52.5,
        longitude: 13.4,
      },
    ]);
    expect(provider.received.map(({ query }) => query)).toEqual([
      { q: 'Unter d', limit: '5', countrycode: 'DE', lat: '52', lon: '13' },
    ]);
  });

  it('suggests nothing for fewer than 3 characters, and asks nobody', async () => {
    for (const text of ['', '  ', 'ab', ' ab ', '🏠🏠']) {
      expect(dataOf(await suggest(text)).suggestAddresses).toEqual([]);
    }
    expect(provider.received).toEqual([]);
    expect(codesOf(await suggest('x'.repeat(70_000)))).toEqual(['BAD_USER_INPUT']);
    const off = await suggest('abc', { near: { latitude: 1, longitude: 181 } });
    expect(codesOf(off)).toEqual(['BAD_USER_INPUT']);
    expect(messageOf(off)).toContain('longitude');
  });

  it('counts towards the quota of the token', async () => {
    const token = await server.createToken();
    provider.play(json(200, photonFound({ latitude: 0, longitude: 0 })));
    dataOf(await suggest('abc', { token }));
    dataOf(await reverse(0, 0, { token }));
    dataOf(await suggest('abc', { token }));
    expect(codesOf(await suggest('abcd', { token }))).toEqual(['RATE_LIMITED']);
    expect(codesOf(await reverse(0, 0, { token }))).toEqual(['RATE_LIMITED']);
  });

  it('needs a token that may write, and a map', async () => {
    const reader = await server.createToken({ scope: 'read' });
    const deleted = await makeMap(server);
    await deleteMap(server, deleted.id);
    for (const ask of [
      (options: { map?: string; token?: string }) => reverse(0, 0, options),
      (options: { map?: string; token?: string }) => suggest('abc', options),
    ]) {
      expect(codesOf(await ask({ token: reader }))).toEqual(['FORBIDDEN']);
      expect(codesOf(await ask({ map: UNKNOWN_MAP }))).toEqual(['MAP_NOT_FOUND']);
      expect(codesOf(await ask({ map: deleted.id }))).toEqual(['MAP_DELETED']);
    }
    expect(provider.received).toEqual([]);
  });
});

describe('suggestions', () => {
  it('are unavailable where no geocoder has them', async () => {
    const server = await createServerCalling('http://127.0.0.1:1', { geocoder: ['google', 'offline'] });
    try {
      const { id } = await makeMap(server);
      const response = await server.graphql(`{ suggestAddresses(mapId: "${id}", text: "abc") { label } }`);
      expect(codesOf(response)).toEqual(['SUGGESTIONS_UNAVAILABLE']);
    } finally {
      await server.close();
    }
  });
});
