/** Map exports over HTTP: content, access, and truncation. */

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { ServiceError } from '../../src/errors.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { textOfExport } from '../support/zip.ts';
import {
  createLocation,
  createLocations,
  createMap,
  deleteMap,
  expectError,
  withServer,
} from '../support/v0.ts';

const FORMATS = ['geojson', 'csv', 'ndjson', 'xlsx'] as const;
const pathOf = (map: string, format: string) => `/maps/${map}/locations.${format}`;

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Stars', type: 'number' },
];

/** A map with two locations, the second of which was created first. */
async function makeTwo(server: TestServer): Promise<string> {
  const map = await createMap(server, { fields: FIELDS });
  const inputs = [
    {
      fields: { Name: 'B, "b"', Stars: -1.5, Address: 'x', extra: ['=1'] },
      order: '2',
      position: { latitude: -0.1, longitude: 1e-7, placeId: '@p' },
    },
    {
      fields: { Name: 'A', Address: '=a' },
      order: '-1',
      externalId: 'a-1',
      position: { latitude: 1, longitude: 2 },
    },
  ];
  dataOf(
    await server.graphql(
      'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }',
      { input: { mapId: map, locations: inputs } },
    ),
  );
  return map;
}

describe('a map export', () => {
  it('is a GeoJSON FeatureCollection in the order of the list', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const response = await server.request('GET', pathOf(map, 'geojson'));
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('application/geo+json');
      const { json: nodes } = await server.request('GET', `/v0/map/${map}/locations`);
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(response.json).toEqual({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            id: nodes[0].id,
            geometry: { type: 'Point', coordinates: [2, 1] },
            properties: { Name: 'A', Address: '=a' },
            name: 'A',
            placeId: 'point:1,2',
            order: '-1',
            externalId: 'a-1',
            createdAt: time,
            updatedAt: time,
            geocoding: { provider: 'manual', precision: 'rooftop' },
          },
          {
            type: 'Feature',
            id: nodes[1].id,
            geometry: { type: 'Point', coordinates: [1e-7, -0.1] },
            properties: { Name: 'B, "b"', Stars: -1.5, Address: 'x', extra: ['=1'] },
            name: 'B, "b"',
            placeId: '@p',
            order: '2',
            externalId: null,
            createdAt: time,
            updatedAt: time,
            geocoding: { provider: 'manual', precision: 'rooftop' },
          },
        ],
      });
    }));

  it('is NDJSON: on each line the location at /v0, byte for byte, and then the rest', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const response = await server.request('GET', pathOf(map, 'ndjson'));
      expect(response.headers['content-type']).toBe('application/x-ndjson');
      const lines = response.text.split('\n');
      expect(lines.pop()).toBe('');
      const page = await server.request('GET', `/v0/map/${map}/locations`);
      const fromV0 = lines.map((line) => line.replace(/,"order":"[^"]*","externalId":.*$/, '}'));
      expect(`[${fromV0.join(',')}]`).toBe(page.text);
      const rests = lines.map((line) => Object.entries(JSON.parse(line) as object).slice(5));
      expect(rests.map((rest) => rest.map(([key]) => key))).toEqual(
        [0, 1].map(() => ['order', 'externalId', 'createdAt', 'updatedAt', 'geocoding']),
      );
      expect(rests.map(([order, externalId]) => [order?.[1], externalId?.[1]])).toEqual([
        ['-1', 'a-1'],
        ['2', null],
      ]);
    }));

  it('is CSV: our columns, the fields in order, and extra columns for what a cell cannot express', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const response = await server.request('GET', pathOf(map, 'csv'));
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
      const [a, b] = (await server.request('GET', `/v0/map/${map}/locations`)).json;
      expect(response.text).toBe(
        [
          'id,externalId,order,lat,lng,placeId,Name,Address,Stars,more',
          `${a.id},a-1,-1,1,2,"point:1,2",A,=a,,`,
          `${b.id},,2,-0.1,0.0000001,@p,"B, ""b""",x,-1.5,"{""Stars"":-1.5,""extra"":[""=1""]}"`,
          '',
        ].join('\r\n'),
      );
    }));

  it('is CSV for spreadsheets on request, without formulas', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const response = await server.request('GET', `${pathOf(map, 'csv')}?for=spreadsheet`);
      const [a, b] = (await server.request('GET', `/v0/map/${map}/locations`)).json;
      expect(response.text).toBe(
        '\ufeff' +
          [
            'id,externalId,order,lat,lng,placeId,Name,Address,Stars,more',
            `${a.id},a-1,-1,1,2,"point:1,2",A,'=a,,`,
            `${b.id},,2,-0.1,0.0000001,'@p,"B, ""b""",x,'-1.5,"{""Stars"":-1.5,""extra"":[""=1""]}"`,
            '',
          ].join('\r\n'),
      );
      for (const wrong of ['for=', 'for=excel', 'for=spreadsheet&for=spreadsheet', 'for=%E0']) {
        expectError(await server.request('GET', `${pathOf(map, 'csv')}?${wrong}`), 400, 400);
      }
      expect((await server.request('GET', `${pathOf(map, 'ndjson')}?for=excel`)).status).toBe(200);
    }));

  it('is CSV with the requested delimiter: a comma, a semicolon or a tab', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const csv = async (query: string) =>
        (await server.request('GET', `${pathOf(map, 'csv')}?${query}`)).text.split('\r\n');
      const plain = await csv('');
      expect(await csv('delimiter=,')).toEqual(plain);
      const columns = [
        'id',
        'externalId',
        'order',
        'lat',
        'lng',
        'placeId',
        'Name',
        'Address',
        'Stars',
        'more',
      ];
      for (const [name, delimiter] of [
        [';', ';'],
        ['%3B', ';'],
        ['tab', '\t'],
        ['%09', '\t'],
      ] as const) {
        const [header, first] = await csv(`delimiter=${name}`);
        expect(header).toBe(columns.join(delimiter));
        expect(first).toMatch(
          new RegExp(`${delimiter}a-1${delimiter}-1${delimiter}1${delimiter}2${delimiter}`),
        );
      }
      expect((await csv('delimiter=tab&for=spreadsheet'))[0]).toBe(`\ufeff${columns.join('\t')}`);
      for (const wrong of ['delimiter=', 'delimiter=|', 'delimiter=x', 'delimiter=,&delimiter=,']) {
        expectError(await server.request('GET', `${pathOf(map, 'csv')}?${wrong}`), 400, 400);
      }
      expect((await server.request('GET', `${pathOf(map, 'ndjson')}?delimiter=x`)).status).toBe(200);
    }));

  it('is a workbook: the cells of the CSV, none of them a formula', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const response = await server.request('GET', pathOf(map, 'xlsx'));
      expect(response.headers['content-type']).toBe(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      );
      const [a, b] = (await server.request('GET', `/v0/map/${map}/locations`)).json;
      const sheet = textOfExport(response.bytes);
      const text = (reference: string, value: string) =>
        `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
      const number = (reference: string, value: string) => `<c r="${reference}"><v>${value}</v></c>`;
      expect(sheet.slice(sheet.indexOf('<row r="2">'))).toBe(
        [
          `<row r="2">${text('A2', a.id)}${text('B2', 'a-1')}${number('C2', '-1')}${number('D2', '1')}`,
          `${number('E2', '2')}${text('F2', 'point:1,2')}${text('G2', 'A')}${text('H2', '=a')}</row>`,
          `<row r="3">${text('A3', b.id)}${number('C3', '2')}${number('D3', '-0.1')}${number('E3', '1e-7')}`,
          `${text('F3', '@p')}${text('G3', 'B, &quot;b&quot;')}${text('H3', 'x')}${number('I3', '-1.5')}`,
          text('J3', '{&quot;Stars&quot;:-1.5,&quot;extra&quot;:[&quot;=1&quot;]}'),
          '</row></sheetData></worksheet>',
        ].join(''),
      );
      const head = await server.request('HEAD', pathOf(map, 'xlsx'));
      expect([head.status, head.text, head.headers.etag]).toEqual([200, '', response.headers.etag]);
    }));

  it('is refused as a workbook if a sheet has too few rows, before reading', async () => {
    const storage = await openStorage('sqlite::memory:', { timeoutMs: 1000 });
    let count = 1_048_575;
    const { storage: large, calls } = proxyStorage(storage, {
      before: ({ method }) => (method === 'countLocations' ? Promise.resolve(count) : undefined),
    });
    await withServer(
      {},
      async (server) => {
        const map = await makeTwo(server);
        expect((await server.request('GET', pathOf(map, 'xlsx'))).status).toBe(200);
        count += 1;
        calls.length = 0;
        for (const method of ['GET', 'HEAD'] as const) {
          const response = await server.request(method, pathOf(map, 'xlsx'));
          expect(response.status).toBe(400);
          if (method === 'GET') expect(response.json.message).toMatch(/1048576 locations.*at most 1048575/);
        }
        expect(calls.map(({ method }) => method)).not.toContain('exportLocations');
        expect((await server.request('GET', pathOf(map, 'csv'))).status).toBe(200);
      },
      { storage: large },
    );
  });

  it('is complete with many batches, and with none', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      const empty = await Promise.all(FORMATS.map((format) => server.request('GET', pathOf(map, format))));
      expect(empty[0]?.json).toEqual({ type: 'FeatureCollection', features: [] });
      expect(empty.slice(1, 3).map(({ text }) => text)).toEqual([
        'id,externalId,order,lat,lng,placeId,Name,Address,more\r\n',
        '',
      ]);
      const names = Array.from({ length: 2_345 }, (_, index) => `N${index}`);
      await createLocations(
        server,
        map,
        names.map((name) => ({ name })),
      );
      const [geojson, csv, ndjson] = await Promise.all(
        FORMATS.map((format) => server.request('GET', pathOf(map, format))),
      );
      expect(geojson?.json.features.map(({ name }: { name: string }) => name)).toEqual(names);
      expect(
        csv?.text
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.split(',')[7]),
      ).toHaveLength(names.length);
      const lines = ndjson?.text.trimEnd().split('\n') ?? [];
      expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(names);
    }));

  it('requires a token that may read the map', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const gone = await createMap(server);
      await deleteMap(server, gone);
      const reader = await server.createToken({ scope: 'read', mapId: map });
      const stranger = await server.createToken({ owner: 'stranger' });
      for (const format of FORMATS) {
        expect((await server.request('GET', pathOf(map, format), { token: reader })).status).toBe(200);
        expectError(await server.request('GET', pathOf(map, format), { token: stranger }), 404, 404);
        expectError(await server.request('GET', pathOf('nope', format)), 404, 404);
        expectError(await server.request('GET', pathOf(gone, format)), 410, 410);
        expectError(await server.request('GET', pathOf(gone, format), { token: reader }), 404, 404);
        expectError(await server.request('GET', pathOf(map, format), { token: null }), 404, 404);
        const response = await server.request('GET', pathOf(map, format), { token: 'mlt_none' });
        expectError(response, 401, 401);
        expect(response.headers['www-authenticate']).toBe('Bearer');
        const posted = await server.request('POST', pathOf(map, format));
        expectError(posted, 405, 405);
        expect(posted.headers.allow).toBe('GET, HEAD, OPTIONS');
        const options = await server.request('OPTIONS', pathOf(map, format), { token: null });
        expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
        expect((await server.request('GET', `${pathOf(map, format)}/`)).status).toBe(200);
      }
      expectError(await server.request('GET', pathOf(map, 'xml')), 404, 404);
      expectError(await server.request('GET', pathOf('', 'csv')), 404, 404);
    }));

  it('counts towards the rate limit like every request', () =>
    withServer({ RATE_LIMIT: '3' }, async (server) => {
      const token = await server.createToken();
      const responses = [];
      for (let asked = 0; asked < 4; asked += 1) {
        responses.push(await server.request('GET', pathOf('abcdefghjkmnpqrs', 'csv'), { token }));
      }
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
      expect(responses[3]?.headers['retry-after']).toBeDefined();
    }));

  it('keeps its statuses if /v0 has a single one', () =>
    withServer({ V0_ERROR_STATUS: '400' }, async (server) => {
      expectError(await server.request('GET', pathOf('nope', 'csv')), 404, 404);
    }));

  it('has an ETag that changes with every location and with the fields, and supports 304', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      const fetchExport = (format: string, headers?: Record<string, string>) =>
        server.request('GET', pathOf(map, format), { headers });
      const seen = new Set<unknown>();
      const changed = async () => {
        for (const path of [...FORMATS, 'csv?for=spreadsheet']) {
          const { headers } = await fetchExport(path);
          expect(headers.etag).toMatch(/^W\/"[A-Za-z0-9_-]+"$/);
          expect(seen).not.toContain(headers.etag);
          seen.add(headers.etag);
          const again = await fetchExport(path, { 'if-none-match': String(headers.etag) });
          expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
          expect(again.headers['cache-control']).toBe('private, no-cache');
          expect(again.headers.vary).toContain('Authorization');
        }
      };
      await changed();
      const location = await createLocation(server, map, 'new', '5');
      await changed();
      for (const change of ['order: "6"', 'position: {latitude: 3, longitude: 4}', 'externalId: "x"']) {
        dataOf(
          await server.graphql(
            `mutation { updateLocation(input: {mapId: "${map}", id: "${location}", ${change}}) { map { id } } }`,
          ),
        );
        await changed();
      }
      await server.request('DELETE', `/v0/map/${map}/location/${location}`);
      await changed();
      dataOf(
        await server.graphql(
          `mutation { updateMap(input: {id: "${map}", fields: [{name: "Name", type: placeName}, {name: "Address", type: address}]}) { map { id } } }`,
        ),
      );
      await changed();
    }));

  it('responds to HEAD as to GET, without the body', () =>
    withServer({}, async (server) => {
      const map = await makeTwo(server);
      for (const format of FORMATS) {
        const [get, head] = [
          await server.request('GET', pathOf(map, format)),
          await server.request('HEAD', pathOf(map, format)),
        ];
        expect([head.status, head.text]).toEqual([200, '']);
        const { date: _date, 'x-request-id': _id, 'content-length': length, ...headers } = head.headers;
        expect(length).toBeUndefined();
        expect(get.headers).toMatchObject(headers);
        expect(headers).toMatchObject({
          etag: get.headers.etag,
          'content-type': get.headers['content-type'],
        });
        const known = await server.request('HEAD', pathOf(map, format), {
          headers: { 'if-none-match': String(get.headers.etag) },
        });
        expect(known.status).toBe(304);
      }
    }));
});

/** Two downloads use all the memory allowed. */
const SETTINGS = { UNREAD_TIMEOUT_MS: '1000', UNREAD_LIMIT: '1200000', FIELDS_MAX_BYTES: '130000' };

describe('a map export in transit', () => {
  const LOCATIONS = 60;
  const TEXT = 'x'.repeat(100_000);
  let storage: Storage;
  let server: TestServer;
  let port: number;
  let map: string;
  let token: string;
  /** Called before each read of locations. */
  let beforeRead: (reads: number) => Promise<void> | undefined;
  let reads: number;

  beforeAll(async () => {
    storage = await openStorage('sqlite::memory:', { timeoutMs: 1000 });
    const { storage: watched } = proxyStorage(storage, {
      before: ({ method }) => {
        if (method !== 'exportLocations') return undefined;
        reads += 1;
        return beforeRead(reads);
      },
    });
    server = await createTestServer(SETTINGS, { storage: watched });
    port = await listen(server);
    map = (await makeMap(server)).id;
    token = await server.createToken();
    for (let batch = 0; batch < LOCATIONS; batch += 5) {
      const locations = Array.from({ length: 5 }, () => ({
        fields: { Name: 'N', Address: 'A', text: TEXT },
      }));
      dataOf(
        await server.graphql(
          'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }',
          { input: { mapId: map, locations } },
        ),
      );
    }
  });
  beforeEach(() => {
    reads = 0;
    beforeRead = () => undefined;
  });
  afterAll(async () => {
    await server.close();
    await storage.close();
  });

  const get = (format: string) =>
    `GET ${pathOf(map, format)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const opened = async (request: string) => {
    const arrived = once(server.app.server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    client.on('error', () => {});
    client.pause();
    client.write(request);
    const [socket] = await arrived;
    return { client, socket };
  };
  /** A connection error ends it, too. */
  const untilClosed = (socket: Socket) =>
    new Promise<void>((resolve) => {
      if (socket.closed) resolve();
      else socket.once('close', () => resolve());
    });

  /** The number of reads before the first byte is sent. */
  const readsBefore = async (format: string) => {
    if (format !== 'xlsx') return 0;
    await server.request('GET', pathOf(map, format), { token });
    const all = reads;
    reads = 0;
    return all / 2;
  };

  // This test is first, since downloads of others may hold memory slightly longer than their connections.
  it('is refused while others use all the memory, and served when they are done', async () => {
    // Each holds its memory while its first read waits; one that has sent bytes may be cut off as unread.
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    beforeRead = () => held;
    const others = [await opened(get('geojson')), await opened(get('csv'))];
    while (reads < 2) await turn();
    expectError(await server.request('GET', pathOf(map, 'ndjson'), { token }), 503, 503);
    beforeRead = () => undefined;
    goOn();
    for (const { client, socket } of others) {
      client.destroy();
      await untilClosed(socket);
    }
    while ((await server.request('GET', pathOf(map, 'ndjson'), { token })).status !== 200) await turn();
  });

  for (const format of FORMATS) {
    it(`is cut off, and does not end as if complete, if the store fails: ${format}`, async () => {
      const before = await readsBefore(format);
      beforeRead = (count) =>
        count === before + 3 ? Promise.reject(new ServiceError('STORAGE_UNAVAILABLE', 'Gone.')) : undefined;
      const { client } = await opened(get(format));
      let text = '';
      client.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      client.resume();
      await untilClosed(client);
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      // A workbook is compressed.
      expect(text).toContain(format === 'xlsx' ? 'xl/worksheets/sheet1.xml' : TEXT);
      // A complete body ends with the last-chunk marker.
      expect(text.endsWith('0\r\n\r\n')).toBe(false);
    });

    it(`is an error response if the store fails at once: ${format}`, async () => {
      beforeRead = () => Promise.reject(new ServiceError('STORAGE_UNAVAILABLE', 'Gone.'));
      const response = await server.request('GET', pathOf(map, format), { token });
      expectError(response, 503, 503);
      expect(response.headers.etag).toBeUndefined();
      expect(response.headers['retry-after']).toBe('1');
    });

    it(`ends when its reader disconnects: ${format}`, async () => {
      const reached = new Promise<void>((resolve) => {
        beforeRead = (count) => {
          if (count === 3) resolve();
          return undefined;
        };
      });
      const { client, socket } = await opened(get(format));
      client.resume();
      await reached;
      client.destroy();
      await untilClosed(socket);
      const then = reads;
      for (let turns = 0; turns < 100; turns += 1) await turn();
      // Reads in progress may have finished.
      expect(reads).toBeLessThanOrEqual(then + 1);
      expect(reads).toBeLessThan(LOCATIONS);
    });

    // Compressed, this map fits into the buffers between server and reader.
    if (format === 'xlsx') continue;
    it(`is read no faster than by its reader, and cut off if that stops: ${format}`, async () => {
      const { client, socket } = await opened(get(format));
      await untilClosed(socket);
      client.destroy();
      expect(reads).toBeGreaterThan(1);
      expect(reads).toBeLessThan(LOCATIONS / 2);
    });
  }
});
