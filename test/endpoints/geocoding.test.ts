/** Provider errors at both endpoints: the code, the status, nothing stored, and no key revealed. */

import type { ErrorCode } from '../../src/errors.ts';
import { ERRORS } from '../../src/errors.ts';
import { googleStatus } from '../support/geocoding-fixtures.ts';
import type { GeocodingServer, Scene } from '../support/geocoding-server.ts';
import {
  cutOff,
  found,
  found999,
  halfJson,
  json,
  neverResponds,
  nothingFound,
  placeOf,
  startGeocodingServer,
} from '../support/geocoding-server.ts';
import { MAP_KEY, MAPBOX_TOKEN } from '../support/geocoding-settings.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

interface Failure {
  readonly name: string;
  readonly scene: Scene;
  readonly code: ErrorCode;
}

const FAILURES: readonly Failure[] = [
  { name: 'no such address', scene: nothingFound, code: 'ADDRESS_NOT_FOUND' },
  { name: 'status 403', scene: json(403, googleStatus('REQUEST_DENIED')), code: 'GEOCODER_REFUSED' },
  { name: 'status 429', scene: json(429, {}, { 'retry-after': '3600' }), code: 'RATE_LIMITED' },
  { name: 'status 500', scene: json(500, {}), code: 'GEOCODER_UNAVAILABLE' },
  { name: 'no response', scene: neverResponds, code: 'GEOCODER_UNAVAILABLE' },
  { name: 'half of the JSON', scene: halfJson, code: 'GEOCODER_UNAVAILABLE' },
  { name: 'a truncated response', scene: cutOff, code: 'GEOCODER_UNAVAILABLE' },
  { name: 'latitude 999', scene: found999, code: 'GEOCODER_UNAVAILABLE' },
];

for (const provider of ['google', 'nominatim', 'mapbox'] as const) {
  describe(`geocoding by ${provider} through both endpoints`, () => {
    let geocoding: GeocodingServer;
    /** Soon gives up on a provider that does not respond. */
    let server: TestServer;
    /** Longer than any response takes on a busy machine, since an abandoned call is retried. */
    let patient: TestServer;

    beforeAll(async () => {
      geocoding = await startGeocodingServer();
      const withTimeout = (ms: string) =>
        createTestServer(
          {
            GEOCODER: provider,
            GOOGLE_GEOCODING_URL: geocoding.url,
            NOMINATIM_URL: geocoding.url,
            MAPBOX_URL: geocoding.url,
            MAPBOX_ACCESS_TOKEN: MAPBOX_TOKEN,
            GEOCODER_TIMEOUT_MS: ms,
          },
          { geocoder: undefined },
        );
      server = await withTimeout('900');
      patient = await withTimeout('30000');
    });
    afterAll(async () => {
      await server.close();
      await patient.close();
      await geocoding.close();
    });

    /** Each error has its own map and key, so that breakers do not affect each other. */
    const makeMap = async (name: string, on = server): Promise<string> => {
      const { json: made } = await on.graphql(
        'mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id } } }',
        { input: { name, geocodingApiKey: `${MAP_KEY}${name.replaceAll(' ', '-')}` } },
      );
      return String(made.data.createMap.map.id);
    };
    const createMutation =
      'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id placeId geocoding { provider precision } } } }';
    const countOf = async (mapId: string) => {
      const { json: counted } = await server.graphql(`{ map(id: "${mapId}") { locations { totalCount } } }`);
      return counted.data.map.locations.totalCount as number;
    };

    for (const [index, { name, scene, code }] of FAILURES.entries()) {
      it(`${name} is ${code}, and nothing is stored`, async () => {
        const mapId = await makeMap(name);
        geocoding.play(scene);
        const fields = { Name: 'N', Address: `Main Street ${index}` };
        const rest = await server.request('POST', `/v0/map/${mapId}/location`, { body: { fields } });
        const graphql = await server.graphql(createMutation, { input: { mapId, fields } });
        expect([rest.json.error, rest.status]).toEqual([ERRORS[code].error, ERRORS[code].status]);
        expect(graphql.json.errors[0].extensions.code).toBe(code);
        expect(await countOf(mapId)).toBe(0);
        const everything = [rest.text, graphql.text, ...server.log].join('\n');
        expect(everything).not.toContain(MAP_KEY.slice(0, 12));
        expect(everything).not.toContain(MAPBOX_TOKEN.slice(0, 12));
      });
    }

    it('an address is geocoded once per map, however it is spelled', async () => {
      geocoding.play(found);
      const mapId = await makeMap('cached', patient);
      const before = geocoding.received.length;
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          patient.request('POST', `/v0/map/${mapId}/location`, {
            body: { fields: { Name: `N${index}`, Address: `Rue ${index % 6}` } },
          }),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      expect(geocoding.received.length - before).toBe(6);
      await patient.request('POST', `/v0/map/${mapId}/location`, {
        body: { fields: { Name: 'again', Address: '  RUE   0 ' } },
      });
      expect(geocoding.received.length - before).toBe(6);
      const place = placeOf('Rue 0');
      expect(responses[0]?.json.data.latLngLiteral).toEqual({
        lat: String(place.latitude),
        lng: String(place.longitude),
      });
    });
  });
}

describe('geocoding quotas', () => {
  it('an exhausted quota of a map is RATE_LIMITED until midnight, and cached addresses are free', async () => {
    const geocoding = await startGeocodingServer();
    const server = await createTestServer(
      {
        GEOCODER: 'google',
        GOOGLE_GEOCODING_URL: geocoding.url,
        GOOGLE_API_KEY: 'k',
        GEOCODER_MAP_QUOTA: '2',
      },
      { geocoder: undefined },
    );
    try {
      geocoding.play(found);
      const { json: made } = await server.graphql(
        'mutation { createMap(input: { name: "M" }) { map { id } } }',
      );
      const create = (address: string) =>
        server.request('POST', `/v0/map/${made.data.createMap.map.id}/location`, {
          body: { fields: { Name: 'N', Address: address } },
        });
      const statuses = [];
      for (const address of ['A 1', 'A 2', 'A 1', 'A 3']) statuses.push((await create(address)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect(Number((await create('A 4')).headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await server.close();
      await geocoding.close();
    }
  });
});
