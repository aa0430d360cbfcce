/** Points given by the caller, in GraphQL and in the columns `lat` and `lng` of a table. */

import { Readable } from 'node:stream';

import type { MapRecord } from '../../../src/domain/map.ts';
import type { Caller } from '../../../src/services/caller.ts';
import { importStream } from '../../../src/transfer/import/import-rows.ts';
import type { RejectedRow } from '../../../src/transfer/import/report.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

describe('a point given by the caller', () => {
  let server: TestServer;
  let caller: Caller;
  let map: MapRecord;

  beforeAll(async () => {
    server = await createTestServer();
    const { tokens, maps } = server.gateway.services;
    caller = await tokens.authenticate(await server.createToken());
    map = await maps.createMap({ caller }, { name: 'M' });
  });
  afterAll(() => server.close());

  const create = (position: unknown, fields: unknown = { Name: 'N', Address: 'down: nobody is asked' }) =>
    server.graphql(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) {
        location { id latitude longitude placeId latLngLiteral { lat lng } geocoding { provider precision } } } }`,
      { input: { mapId: map.id, fields, position } },
    );

  it('is stored unchanged, without geocoding', async () => {
    const asked = server.geocoder.asked.length;
    const { json } = await create({ latitude: 0.1 + 0.2, longitude: -1e-7 });
    expect(json.data.createLocation.location).toMatchObject({
      latitude: 0.1 + 0.2,
      longitude: -1e-7,
      placeId: 'point:0.30000000000000004,-0.0000001',
      latLngLiteral: { lat: '0.30000000000000004', lng: '-0.0000001' },
      geocoding: { provider: 'manual', precision: 'rooftop' },
    });
    expect(server.geocoder.asked.length).toBe(asked);
  });

  it('may have a place id', async () => {
    const { json } = await create({ latitude: 90, longitude: -180, placeId: 'mine:1' });
    expect(json.data.createLocation.location).toMatchObject({
      placeId: 'mine:1',
      latitude: 90,
      longitude: -180,
    });
  });

  it('must be on Earth, and still needs an address', async () => {
    const wrong: [unknown, unknown?][] = [
      [{ latitude: 90.1, longitude: 0 }],
      [{ latitude: 0, longitude: -180.5 }],
      [{ latitude: '1', longitude: 0 }],
      [{ latitude: 1 }],
      [{ latitude: 1, longitude: 2, placeId: ' ' }],
      [{ latitude: 1, longitude: 2, placeId: 'a\0b' }],
      [{ latitude: 1, longitude: 2 }, { Name: 'N' }],
    ];
    for (const [position, fields] of wrong) {
      const { json } = await create(position, fields);
      expect([position, json.errors?.[0].extensions.code]).toEqual([position, 'BAD_USER_INPUT']);
    }
  });

  it('is part of the body that an idempotency key identifies', async () => {
    const send = (position: unknown) =>
      server.graphql(
        `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }`,
        { input: { mapId: map.id, fields: { Name: 'N', Address: 'A' }, idempotencyKey: 'k', position } },
      );
    const first = await send({ latitude: 1, longitude: 2 });
    expect((await send({ longitude: 2, latitude: 1 })).json).toEqual(first.json);
    for (const other of [{ latitude: 1, longitude: 3 }, null]) {
      expect((await send(other)).json.errors[0].extensions.code).toBe('CONFLICT');
    }
  });

  it('is accepted in each item of createLocations', async () => {
    const { json } = await server.graphql(
      `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) {
        results { location { placeId geocoding { provider } } error { code } } } }`,
      {
        input: {
          mapId: map.id,
          locations: [
            { fields: { Name: 'N', Address: 'A' }, position: { latitude: 5, longitude: 6 } },
            { fields: { Name: 'N', Address: 'A' } },
          ],
        },
      },
    );
    const [given, asked] = json.data.createLocations.results;
    expect(given.location).toEqual({ placeId: 'point:5,6', geocoding: { provider: 'manual' } });
    expect(asked.location.geocoding.provider).toBe('fake');
  });

  it('is not read from columns that are fields of the map', async () => {
    const fields = ['Name', 'Address', 'lat', 'lng'].map((name) => ({ name, type: 'text' as const }));
    const own = await server.gateway.services.maps.createMap({ caller }, { name: 'Own', fields });
    const file = Readable.from([Buffer.from('Name,Address,lat,lng\nA,B,007,x\n')]);
    expect(await importStream(server.gateway, { caller }, own, file)).toMatchObject({ stored: 1 });
    const page = { limit: 1, fromEnd: false, after: null, before: null };
    const { items } = await server.gateway.services.locations.listLocations({ caller }, own, page);
    expect(items[0]).toMatchObject({
      properties: { Name: 'A', Address: 'B', lat: '007', lng: 'x' },
      geocoding: { provider: 'fake' },
    });
  });

  it('is read from the columns lat and lng of a table, which then are no properties', async () => {
    const own = await server.gateway.services.maps.createMap({ caller }, { name: 'Table' });
    const rows = [
      'Name,Address,lat,lng,note',
      'both,A,1.5,-2e1,x',
      'neither,A,,,x',
      'spaced,A, +3. ,.5,x',
      'alone,A,1,,x',
      'alone too,A,,1,x',
      'word,A,north,1,x',
      'hex,A,0x10,1,x',
      'off,A,91,1,x',
    ];
    const rejected: RejectedRow[] = [];
    const summary = await importStream(
      server.gateway,
      { caller },
      own,
      Readable.from([Buffer.from(rows.join('\n'))]),
      { onRejected: (row) => void rejected.push(row) },
    );
    expect(summary).toMatchObject({ stored: 3, rejected: 5 });
    expect(rejected.map(({ line, code }) => [line, code])).toEqual(
      [5, 6, 7, 8, 9].map((line) => [line, 'BAD_USER_INPUT']),
    );
    const { items } = await server.gateway.services.locations.listLocations({ caller }, own, {
      limit: 10,
      fromEnd: false,
      after: null,
      before: null,
    });
    expect(items.map(({ name, placeId }) => [name, placeId.replace(/^fake:.*/, 'fake')])).toEqual([
      ['both', 'point:1.5,-20'],
      ['neither', 'fake'],
      ['spaced', 'point:3,0.5'],
    ]);
    expect(items[0]?.properties).toEqual({ Name: 'both', Address: 'A', note: 'x' });
  });
});
