/** Exports of public maps: views, caching and the rate limit (capabilities §12). */

import type { MapFormat } from '../../src/transfer/formats.ts';
import { MAP_FORMATS } from '../../src/transfer/formats.ts';
import { storageUnavailable } from '../../src/errors.ts';
import { openStorage } from '../../src/storage/open.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { deleteMap, expectError, withServer } from '../support/v0.ts';
import { textOfExport } from '../support/zip.ts';

/** Part of every hidden value, and of nothing else. */
const CANARY = 'canary';
const pathOf = (map: string, format: string) => `/maps/${map}/locations.${format}`;
const TARGETS = [...MAP_FORMATS, 'csv?for=spreadsheet'];

const FIELDS = [
  { name: 'Seats', type: 'number' },
  { name: 'Notes', type: 'text', isPublic: false },
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address', isPublic: false },
  { name: '__proto__', type: 'text' },
];

async function makePublic(server: TestServer, input: Record<string, unknown> = {}): Promise<string> {
  const keys = { providerMapApiKey: CANARY, geocodingApiKey: CANARY };
  const { id } = await makeMap(server, { isPublished: true, fields: FIELDS, ...keys, ...input });
  const fields = JSON.parse(
    `{"Notes":"${CANARY}","__proto__":["kept",1.50,true],"Name":"A","Address":"${CANARY}","more":"${CANARY}","Seats":1e21}`,
  ) as unknown;
  const locations = [{ fields, externalId: CANARY, position: { latitude: 1, longitude: -2.5 } }];
  dataOf(
    await server.graphql(
      'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }',
      { input: { mapId: id, locations } },
    ),
  );
  return id;
}

const cachingOf = ({ status, headers }: TestResponse) => [status, headers['cache-control'], headers.vary];
const PUBLIC = [200, 'public, max-age=60', 'Authorization, Cookie'];
const PRIVATE = [200, 'private, no-cache', 'Authorization'];

describe('the export of a public map', () => {
  it('holds only the public view, in every format', () =>
    withServer({}, async (server) => {
      const map = await makePublic(server);
      const responses = await Promise.all(
        MAP_FORMATS.map((format) => server.request('GET', pathOf(map, format), { token: null })),
      );
      const of = (format: MapFormat) => responses[MAP_FORMATS.indexOf(format)];
      const [geojson, csv, ndjson] = [of('geojson'), of('csv'), of('ndjson')];
      const time = expect.stringMatching(/^\d{4}-.*Z$/);
      const geocoding = { provider: 'manual', precision: 'rooftop' };
      const shown = '{"__proto__":["kept",1.5,true],"Name":"A","Seats":1e+21}';
      expect(geojson?.text).toContain(`"properties":${shown},`);
      expect(geojson?.json.features).toEqual([
        {
          type: 'Feature',
          id: expect.any(String),
          geometry: { type: 'Point', coordinates: [-2.5, 1] },
          properties: JSON.parse(shown) as unknown,
          name: 'A',
          placeId: 'point:1,-2.5',
          order: '1',
          externalId: null,
          createdAt: time,
          updatedAt: time,
          geocoding,
        },
      ]);
      expect(ndjson?.text).toMatch(
        /^\{"name":"A","id":"\w+","placeId":"point:1,-2.5","latLngLiteral":\{"lat":"1","lng":"-2.5"\},"properties":/,
      );
      expect(ndjson?.text).toContain(`"properties":${shown},"order":"1","externalId":null,"createdAt":`);
      const [head, line] = csv?.text.split('\r\n') ?? [];
      expect(head).toBe('id,externalId,order,lat,lng,placeId,Seats,Name,__proto__,more');
      expect(line?.replace(/^\w+/, '')).toBe(
        ',,1,1,-2.5,"point:1,-2.5",1e+21,A,,"{""__proto__"":[""kept"",1.5,true],""Seats"":1e+21}"',
      );
      expect(of('xlsx')?.headers['content-type']).toBe(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      );
      const sheet = textOfExport(of('xlsx')?.bytes);
      expect(sheet).toContain('<c r="G2"><v>1e+21</v></c><c r="H2" t="inlineStr"><is><t>A</t></is></c>');
      expect(of('kml')?.headers['content-type']).toBe('application/vnd.google-earth.kml+xml');
      expect(of('kml')?.text).toContain(
        '<Data name="more"><value>{"__proto__":["kept",1.5,true],"Seats":1e+21}</value></Data>' +
          '</ExtendedData><Point><coordinates>-2.5,1</coordinates></Point></Placemark>',
      );
      expect(of('gpx')?.headers['content-type']).toBe('application/gpx+xml');
      expect(of('gpx')?.text).toContain(
        '<wpt lat="1" lon="-2.5"><name>A</name><desc>Seats: 1e+21</desc></wpt>',
      );
      for (const response of responses) expect(response.text).not.toContain(CANARY);
      expect(sheet).not.toContain(CANARY);
    }));

  it("is the owner's view for a token that may read the map, and the public view for every other", () =>
    withServer({}, async (server) => {
      const [map, other] = [await makePublic(server), await makePublic(server)];
      const [owner, reader, elsewhere, stranger] = await Promise.all([
        server.createToken(),
        server.createToken({ scope: 'read', mapId: map }),
        server.createToken({ mapId: other }),
        server.createToken({ owner: 'stranger' }),
      ]);
      for (const target of TARGETS) {
        const fetchExport = (token: string | null) => server.request('GET', pathOf(map, target), { token });
        const anonymous = await fetchExport(null);
        expect(cachingOf(anonymous)).toEqual(PUBLIC);
        for (const token of [elsewhere, stranger]) {
          const response = await fetchExport(token);
          expect(cachingOf(response)).toEqual(PUBLIC);
          expect([response.text, response.headers.etag]).toEqual([anonymous.text, anonymous.headers.etag]);
        }
        for (const token of [owner, reader]) {
          const response = await fetchExport(token);
          expect(cachingOf(response)).toEqual(PRIVATE);
          expect(textOfExport(response.bytes)).toContain(CANARY);
          expect(response.headers.etag).not.toBe(anonymous.headers.etag);
        }
        const wrong = await fetchExport('mlt_none');
        expectError(wrong, 401, 401);
        expect(cachingOf(wrong)).toEqual([401, 'no-store', 'Authorization']);
        expect(wrong.headers['www-authenticate']).toBe('Bearer');
      }
    }));

  it('is for pages of every site, but no view that a token opens', () =>
    withServer({}, async (server) => {
      const map = await makePublic(server);
      for (const target of TARGETS) {
        const originOf = async (token?: string | null) =>
          (
            await server.request('GET', pathOf(map, target), {
              ...(token === null ? { token } : {}),
              headers: { origin: 'https://example.org' },
            })
          ).headers['access-control-allow-origin'];
        expect([await originOf(null), await originOf()]).toEqual(['*', undefined]);
      }
    }));

  it('does not show whether a map that is not public exists', () =>
    withServer({}, async (server) => {
      const deleted = await makePublic(server);
      await deleteMap(server, deleted);
      const unpublished = await makePublic(server, { isPublished: false });
      const stranger = await server.createToken({ owner: 'stranger' });
      for (const target of TARGETS) {
        const responses = await Promise.all(
          ['0123456789abcdef', 'x', deleted, unpublished].flatMap((map) =>
            [null, stranger].map((token) => server.request('GET', pathOf(map, target), { token })),
          ),
        );
        const [{ text } = { text: '' }] = responses;
        for (const response of responses) {
          expectError(response, 404, 404);
          expect(response.text).toBe(text);
          expect(cachingOf(response)).toEqual([404, 'no-store', 'Authorization']);
        }
      }
    }));

  it('has no-store on every error, whatever its source', () =>
    withServer({}, async (server) => {
      const map = await makePublic(server);
      const errors = [
        await server.request('POST', pathOf(map, 'csv')),
        await server.request('GET', pathOf(map, 'xml'), { token: null }),
        await server.request('GET', pathOf(map, 'csv?for=excel'), { token: null }),
        await server.request('GET', pathOf(map, 'csv?for=excel')),
        await server.request('GET', '/maps/%E0/locations.csv', { token: null }),
        await server.request('GET', '/maps/', { token: null }),
      ];
      expect(errors.map(cachingOf)).toEqual(
        [405, 404, 400, 400, 400, 404].map((status) => [status, 'no-store', 'Authorization']),
      );
    }));

  it('has no-store, too, if the store fails after the response has begun', async () => {
    const storage = await openStorage('sqlite::memory:', { timeoutMs: 1000 });
    const { storage: failing } = proxyStorage(storage, {
      before: ({ method }) =>
        method === 'exportLocations' ? Promise.reject(storageUnavailable(new Error('gone'))) : undefined,
    });
    await withServer(
      {},
      async (server) => {
        const map = await makePublic(server);
        for (const token of [null, await server.createToken()]) {
          const response = await server.request('GET', pathOf(map, 'csv'), { token });
          expectError(response, 503, 503);
          const vary = token === null ? 'Authorization, Cookie' : 'Authorization';
          expect(cachingOf(response)).toEqual([503, 'no-store', vary]);
          expect(response.headers.etag).toBeUndefined();
        }
      },
      { storage: failing },
    );
  });

  it('has an ETag that changes with the public view, also by isPublic, and supports 304', () =>
    withServer({}, async (server) => {
      const map = await makePublic(server);
      const seen = new Set<unknown>();
      const changed = async () => {
        for (const target of TARGETS) {
          const { headers } = await server.request('GET', pathOf(map, target), { token: null });
          expect(headers.etag).toMatch(/^W\/"[A-Za-z0-9_-]+"$/);
          expect(seen).not.toContain(headers.etag);
          seen.add(headers.etag);
          const known = { 'if-none-match': String(headers.etag) };
          for (const method of ['GET', 'HEAD']) {
            const again = await server.request(method, pathOf(map, target), { token: null, headers: known });
            expect([again.text, again.headers.etag]).toEqual(['', headers.etag]);
            expect(cachingOf(again)).toEqual([304, ...PUBLIC.slice(1)]);
          }
        }
      };
      await changed();
      const update = async (fields: unknown) =>
        dataOf(
          await server.graphql(
            'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }',
            { input: { id: map, fields } },
          ),
        );
      await update(FIELDS.map((field) => ({ ...field, isPublic: field.name !== 'Seats' })));
      await changed();
      await update(FIELDS.map((field) => ({ ...field, isPublic: false })));
      await changed();
      const location = (await server.request('GET', `/v0/map/${map}/locations`)).json[0].id as string;
      await server.request('DELETE', `/v0/map/${map}/location/${location}`);
      await changed();
    }));
});

describe('PUBLIC_RATE_LIMIT', () => {
  it('counts the exports of an address, with and without a token, including 304', () =>
    withServer({ PUBLIC_RATE_LIMIT: '4' }, async (server) => {
      const map = await makePublic(server);
      const first = await server.request('GET', pathOf(map, 'csv'), { token: null });
      const known = { 'if-none-match': String(first.headers.etag) };
      const responses = [
        await server.request('GET', pathOf(map, 'csv'), { token: null, headers: known }),
        await server.request('HEAD', pathOf(map, 'ndjson')),
        await server.request('GET', pathOf('x', 'ndjson'), { token: null }),
        await server.request('GET', pathOf(map, 'csv'), { token: null, headers: known }),
        await server.request('GET', pathOf(map, 'csv')),
      ];
      expect(responses.map(({ status }) => status)).toEqual([304, 200, 404, 429, 429]);
      const limited = responses[3]!;
      expect(cachingOf(limited)).toEqual([429, 'no-store', 'Authorization']);
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
      expect((await server.graphql(`{ publicMap(id: "${map}") { id } }`, {}, null)).status).toBe(200);
      expect((await server.request('OPTIONS', pathOf(map, 'csv'), { token: null })).status).toBe(204);
    }));

  it('is off at 0, and RATE_LIMIT does not count exports without a token', () =>
    withServer({ PUBLIC_RATE_LIMIT: '0', RATE_LIMIT: '2' }, async (server) => {
      for (let asked = 0; asked < 5; asked += 1) {
        expect((await server.request('GET', pathOf('x', 'csv'), { token: null })).status).toBe(404);
      }
      const query = '{ publicMap(id: "x") { id } }';
      const statuses = [1, 2, 3].map(async () => (await server.graphql(query, {}, null)).status);
      expect(await Promise.all(statuses)).toEqual([200, 200, 429]);
    }));
});
