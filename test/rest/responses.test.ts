import fc from 'fast-check';

import type { Geocoder } from '../../src/geocoding/geocoder.ts';
import { anyCharacter } from '../support/any-character.ts';
import { anyJson } from '../support/any-json.ts';
import { createLocation, createMap, deleteMap, fieldsOf, ID, JSON_TYPE, withServer } from '../support/v0.ts';

const MAP_KEYS = [
  'id',
  'name',
  'isDeleted',
  'createdAt',
  'isPublished',
  'providerMapApiKey',
  'geocodingApiKey',
  'fields',
];
const LOCATION_KEYS = ['name', 'id', 'placeId', 'latLngLiteral', 'properties'];
const KEYS = { providerMapApiKey: 'p-key', geocodingApiKey: 'g-key' };

function at(latitude: number, longitude: number): Geocoder {
  return {
    geocode: () =>
      Promise.resolve({
        placeId: 'p',
        latitude,
        longitude,
        provider: 'fixed',
        precision: 'rooftop',
        label: null,
        isAmbiguous: false,
      }),
  };
}

describe('a Map of /v0', () => {
  it('has the keys of the table in their order, and no others', () =>
    withServer({}, async (server) => {
      const id = await createMap(server, {
        ...KEYS,
        fields: [
          { name: 'name', type: 'text' },
          { name: 'Adresse', type: 'address' },
          { name: 'Bild', type: 'image_link' },
        ],
      });
      const { json, headers } = await server.request('GET', `/v0/map/${id}`);
      expect(headers['content-type']).toBe(JSON_TYPE);
      expect(Object.keys(json)).toEqual(['data']);
      expect(Object.keys(json.data)).toEqual(MAP_KEYS);
      expect(json.data).toMatchObject({ id, isDeleted: false, isPublished: false, ...KEYS });
      expect(json.data.fields.map(Object.entries)).toEqual([
        [
          ['name', 'name'],
          ['type', 'text'],
        ],
        [
          ['name', 'Adresse'],
          ['type', 'address'],
        ],
        [
          ['name', 'Bild'],
          ['type', 'image_link'],
        ],
      ]);
      expect(id).toMatch(ID.map);
    }));

  it('shows opening hours as a text, which has no type of its own', () =>
    withServer({}, async (server) => {
      const fields = [
        { name: 'Name', type: 'text' },
        { name: 'Address', type: 'address' },
        { name: 'Hours', type: 'openingHours' },
      ];
      const id = await createMap(server, { fields });
      const { json } = await server.request('GET', `/v0/map/${id}`);
      expect(json.data.fields).toEqual([...fields.slice(0, 2), { name: 'Hours', type: 'text' }]);
      const { json: document } = await server.request('GET', '/v0/openapi.json');
      expect(document.components.schemas.Field.properties.type.enum).toContain('text');
      expect(document.components.schemas.Field.properties.type.enum).not.toContain('openingHours');
    }));

  it('omits absent keys, and has no null', () =>
    withServer({}, async (server) => {
      for (const key of Object.keys(KEYS) as (keyof typeof KEYS)[]) {
        const id = await createMap(server, { [key]: KEYS[key] });
        const { json, text } = await server.request('GET', `/v0/map/${id}`);
        const absent = Object.keys(KEYS).find((other) => other !== key);
        expect(Object.keys(json.data)).toEqual(MAP_KEYS.filter((name) => name !== absent));
        expect(text).not.toContain('null');
      }
    }));

  it('omits both keys for a read-only token', () =>
    withServer({}, async (server) => {
      const id = await createMap(server, KEYS);
      const token = await server.createToken({ scope: 'read' });
      const { json, text } = await server.request('GET', `/v0/map/${id}`, { token });
      expect(Object.keys(json.data)).toEqual(MAP_KEYS.filter((name) => !name.endsWith('ApiKey')));
      expect(text).not.toContain('-key');
    }));

  it('is returned even if it is deleted', () =>
    withServer({}, async (server) => {
      const id = await createMap(server, KEYS);
      await deleteMap(server, id);
      const { status, json } = await server.request('GET', `/v0/map/${id}`);
      expect([status, json.data.isDeleted]).toEqual([200, true]);
      expect(Object.keys(json.data)).toEqual(MAP_KEYS);
    }));

  for (const provider of ['google', 'g', 'mapbox2', 'geocodingApi']) {
    it(`is renamed in one key by V0_MAP_PROVIDER=${provider}`, () =>
      withServer({ V0_MAP_PROVIDER: provider }, async (server) => {
        const { json } = await server.request('GET', `/v0/map/${await createMap(server, KEYS)}`);
        const renamed = MAP_KEYS.map((key) => (key === 'providerMapApiKey' ? `${provider}MapApiKey` : key));
        expect(Object.keys(json.data)).toEqual(renamed);
        expect(json.data[`${provider}MapApiKey`]).toBe('p-key');
      }));
  }

  for (const [instant, text] of [
    [Date.UTC(2026, 0, 31, 12, 0, 0, 0), '2026-01-31T12:00:00.000Z'],
    [Date.UTC(1999, 11, 31, 23, 59, 59, 7), '1999-12-31T23:59:59.007Z'],
    [0, '1970-01-01T00:00:00.000Z'],
  ] as const) {
    it(`was created at ${text}, with three digits of milliseconds`, () =>
      withServer(
        {},
        async (server) => {
          const { json } = await server.request('GET', `/v0/map/${await createMap(server)}`);
          expect(json.data.createdAt).toBe(text);
        },
        { clock: () => instant },
      ));
  }
});

describe('a Location of /v0', () => {
  it('has the keys of the table in their order from every route', () =>
    withServer({}, async (server) => {
      const mapId = await createMap(server);
      const body = { fields: fieldsOf('A') };
      const created = await server.request('POST', `/v0/map/${mapId}/location`, { body });
      const path = `/v0/map/${mapId}/location/${created.json.data.id}`;
      const listed = await server.request('GET', `/v0/map/${mapId}/locations`);
      const got = await server.request('GET', path);
      const deleted = await server.request('DELETE', path);

      expect(Object.keys(created.json)).toEqual(['data']);
      expect(Object.keys(created.json.data)).toEqual(LOCATION_KEYS);
      expect(Object.keys(created.json.data.latLngLiteral)).toEqual(['lat', 'lng']);
      expect(created.json.data.id).toMatch(ID.location);
      expect(created.json.data.id.startsWith(mapId)).toBe(true);
      const bare = JSON.stringify(created.json.data);
      for (const response of [listed, got, deleted]) {
        expect(response.status).toBe(200);
        expect(response.headers['content-type']).toBe(JSON_TYPE);
        expect(response.text).toBe(`[${bare}]`);
      }
    }));

  it('is not wrapped by get and delete only, with V0_SINGLE_LOCATION=object', () =>
    withServer({ V0_SINGLE_LOCATION: 'object' }, async (server) => {
      const mapId = await createMap(server);
      const id = await createLocation(server, mapId, 'A');
      const listed = await server.request('GET', `/v0/map/${mapId}/locations`);
      const got = await server.request('GET', `/v0/map/${mapId}/location/${id}`);
      const deleted = await server.request('DELETE', `/v0/map/${mapId}/location/${id}`);
      expect(listed.text).toBe(`[${got.text}]`);
      expect(deleted.text).toBe(got.text);
      expect(Object.keys(got.json)).toEqual(LOCATION_KEYS);
    }));

  it('takes its name from the name field of the map, unchanged', () =>
    withServer({}, async (server) => {
      const fields = [
        { name: 'Name', type: 'text' },
        { name: 'Titel', type: 'placeName' },
        { name: 'Wo', type: 'address' },
      ];
      const mapId = await createMap(server, { fields });
      const body = { fields: { Name: 'not this', Titel: '  this\n', Wo: 'here' } };
      const { json } = await server.request('POST', `/v0/map/${mapId}/location`, { body });
      expect(json.data.name).toBe('  this\n');
      expect(server.geocoder.asked).toEqual(['here']);
    }));

  for (const [latitude, longitude, lat, lng] of [
    [64.1466, -21.9426, '64.1466', '-21.9426'],
    [1e-7, -1e-7, '0.0000001', '-0.0000001'],
    [5e-324, -5e-324, `0.${'0'.repeat(323)}5`, `-0.${'0'.repeat(323)}5`],
    [1.5e-10, 180, '0.00000000015', '180'],
    [-90, 1.2345678901234567e-8, '-90', '0.000000012345678901234567'],
    [0, 0.1 + 0.2, '0', '0.30000000000000004'],
    [48.86061111111111, 2.3376444444444444, '48.86061111111111', '2.3376444444444444'],
  ] as const) {
    it(`writes the coordinates ${latitude}, ${longitude} as plain decimals`, () =>
      withServer(
        {},
        async (server) => {
          const mapId = await createMap(server);
          const id = await createLocation(server, mapId, 'A');
          const { json } = await server.request('GET', `/v0/map/${mapId}/location/${id}`);
          expect(json[0].latLngLiteral).toEqual({ lat, lng });
          expect([Number(json[0].latLngLiteral.lat), Number(json[0].latLngLiteral.lng)]).toEqual([
            latitude,
            longitude,
          ]);
        },
        { geocoder: at(latitude, longitude) },
      ));
  }

  it('returns its fields as passed: keys, values and their order', () =>
    withServer({}, async (server) => {
      const mapId = await createMap(server);
      const value = anyJson({ maxDepth: 3, stringUnit: anyCharacter });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.string({ unit: anyCharacter }), value)), async (entries) => {
          const storable = entries.filter(([key]) => !key.includes('\0') && !/^(Name|Address)$/.test(key));
          const fields = Object.fromEntries([['Name', 'A'], ...storable, ['Address', 'B']]);
          const sent = JSON.stringify(fields);
          fc.pre(!sent.includes('\\u0000') && Object.keys(fields).length <= 200);
          const created = await server.request('POST', `/v0/map/${mapId}/location`, {
            body: `{"fields":${sent}}`,
          });
          expect(created.text).toContain(`"properties":${sent}}`);
          const got = await server.request('GET', `/v0/map/${mapId}/location/${created.json.data.id}`);
          expect(got.text).toContain(`"properties":${sent}}`);
        }),
        { numRuns: 60 },
      );
    }));
});
