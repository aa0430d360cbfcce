/** The geocode query: a preview of the result for an address, at the same cost as creating a location. */

import { codesOf, createLocation, dataOf, deleteMap, makeMap } from '../support/graphql.ts';
import { UNKNOWN_MAP } from '../support/root-fields.ts';
import type { TestServer } from '../support/server.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { MAP_KEY } from '../support/geocoding-settings.ts';
import { startServerWithProvider } from '../support/server-with-provider.ts';

const CANDIDATE = 'placeId latitude longitude formattedAddress provider precision';
const LOCATION = 'placeId latitude longitude geocoding { provider precision }';

describe('geocode', () => {
  let provider: GeocodingServer;
  let server: TestServer;
  let close: () => Promise<void>;
  let mapId: string;
  beforeAll(async () => {
    ({ provider, server, close } = await startServerWithProvider({ geocoder: ['google'], tokenQuota: 3 }));
  });
  afterAll(() => close());
  beforeEach(async () => {
    provider.received.length = 0;
    ({ id: mapId } = await makeMap(server, { geocodingApiKey: MAP_KEY }));
  });

  const geocode = (address: string, { token, map = mapId }: { token?: string; map?: string } = {}) =>
    server.graphql(
      `query ($map: ID!, $address: String!) { geocode(mapId: $map, address: $address) { ${CANDIDATE} } }`,
      { map, address },
      token,
    );

  it('returns the candidate that a location then uses, with the map’s key and one provider call for both', async () => {
    const token = await server.createToken();
    const [candidate] = dataOf(await geocode('Main Street 1', { token })).geocode;
    expect(candidate).toMatchObject({
      provider: 'google',
      precision: 'rooftop',
      formattedAddress: '1 Amphitheatre Parkway, Mountain View, CA 94043, USA',
    });
    const made = await server.graphql(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { ${LOCATION} } } }`,
      { input: { mapId, fields: { Name: 'N', Address: 'Main Street 1' } } },
      token,
    );
    const { geocoding, ...place } = dataOf(made).createLocation.location;
    const { formattedAddress: _, ...expected } = candidate;
    expect({ ...place, ...geocoding }).toEqual(expected);
    expect(provider.received.map(({ query }) => query['key'])).toEqual([MAP_KEY]);
  });

  it('does not store a location', async () => {
    await geocode('Main Street 2', { token: await server.createToken() });
    const response = await server.graphql(`{ map(id: "${mapId}") { locations { totalCount } } }`);
    expect(dataOf(response).map.locations.totalCount).toBe(0);
  });

  it('counts towards the same quota as creation', async () => {
    const token = await server.createToken();
    for (const number of [1, 2]) dataOf(await geocode(`Quota Street ${number}`, { token }));
    dataOf(await createLocation(server, { mapId, fields: { Name: 'N', Address: 'Quota Street 3' } }, token));
    expect(codesOf(await geocode('Quota Street 4', { token }))).toEqual(['RATE_LIMITED']);
    expect(provider.received).toHaveLength(3);
  });

  it('requires a token that may write, and a map of its owner that is not deleted', async () => {
    const deleted = await makeMap(server);
    await deleteMap(server, deleted.id);
    const reader = await server.createToken({ scope: 'read' });
    const stranger = await server.createToken({ owner: 'a stranger' });
    const limited = await server.createToken({ mapId: deleted.id });
    const responses = [
      await geocode('A', { token: reader }),
      await geocode('A', { token: stranger }),
      await geocode('A', { token: limited }),
      await geocode('A', { map: UNKNOWN_MAP }),
      await geocode('A', { map: deleted.id }),
    ];
    expect(responses.map(codesOf)).toEqual([
      ['FORBIDDEN'],
      ['MAP_NOT_FOUND'],
      ['MAP_NOT_FOUND'],
      ['MAP_NOT_FOUND'],
      ['MAP_DELETED'],
    ]);
    expect(provider.received).toEqual([]);
  });

  it('reports address errors as creation does, without repeating the address', async () => {
    const token = await server.createToken();
    for (const address of ['', '  ', 'a\0b', 'canary'.repeat(20_000)]) {
      const response = await geocode(address, { token });
      const created = await createLocation(server, { mapId, fields: { Name: 'N', Address: address } }, token);
      expect([codesOf(response), codesOf(created)]).toEqual([['BAD_USER_INPUT'], ['BAD_USER_INPUT']]);
      expect(response.text).not.toContain('canary');
    }
    const unknown = await geocode('Nowhere 1', { token });
    expect([codesOf(unknown), unknown.json.data]).toEqual([['ADDRESS_NOT_FOUND'], { geocode: null }]);
  });
});
