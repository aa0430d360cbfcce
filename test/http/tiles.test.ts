/** Vector tiles over HTTP (capabilities §20). */

import { gunzipSync } from 'node:zlib';

import { positionInTile } from '../../src/domain/tiles/tile.ts';
import { referenceTile } from '../domain/filter/reference-clusters.ts';
import { openStorage } from '../../src/storage/open.ts';
import { dataOf, deleteMap, makeMap } from '../support/graphql.ts';
import { addMember, makeMapLink } from '../support/members.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { leftToFull } from '../support/scope.ts';
import { itUnless } from '../support/skip.ts';
import { describeOnStores } from '../support/stores.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { signUp } from '../support/sign-in.ts';
import type { TileFeature } from '../support/vector-tiles.ts';
import { featuresOf } from '../support/vector-tiles.ts';

const ANONYMOUS = { token: null };
const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Stars', type: 'number' },
  { name: 'Notes', type: 'text', isPublic: false },
];

interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly fields?: Readonly<Record<string, unknown>>;
}

async function add(server: TestServer, mapId: string, places: readonly Place[]): Promise<readonly string[]> {
  const locations = places.map(({ fields, ...position }, index) => ({
    fields: { Name: `Place ${index}`, Address: 'x', ...fields },
    position,
  }));
  const ids: string[] = [];
  for (let start = 0; start < locations.length; start += 500) {
    const created = dataOf(
      await server.graphql(
        'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { location { id } } } }',
        { input: { mapId, locations: locations.slice(start, start + 500) } },
      ),
    );
    ids.push(
      ...created.createLocations.results.map(({ location }: { location: { id: string } }) => location.id),
    );
  }
  return ids;
}

describeOnStores('the tiles of a map', (url, store) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ DATABASE_URL: url });
  });
  afterAll(() => server.close());

  const published = async (input: Record<string, unknown> = {}) =>
    (await makeMap(server, { isPublished: true, fields: FIELDS, ...input })).id;
  const get = (path: string, options: object = ANONYMOUS) => server.request('GET', path, options);
  const tileOf = (map: string, tile: string, options?: object) =>
    get(`/maps/${map}/tiles/${tile.replace('?', '.mvt?')}${tile.includes('?') ? '' : '.mvt'}`, options);
  const read = ({ status, bytes }: TestResponse) => {
    expect(status).toBe(200);
    return featuresOf(bytes!);
  };

  it('show each location, with its id, name and fields', async () => {
    const map = await published();
    const [id] = await add(server, map, [
      { latitude: 0, longitude: 0, fields: { Name: 'Null Island', Stars: 4.5, Notes: 'secret', more: 1 } },
    ]);
    const response = await tileOf(map, '1/1/1');
    expect(response.headers).toMatchObject({
      'content-type': 'application/vnd.mapbox-vector-tile',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    });
    expect(read(response)).toEqual([
      {
        id: expect.any(Number),
        at: [0, 0],
        properties: { id, name: 'Null Island', Name: 'Null Island', Address: 'x', Stars: 4.5 },
      },
    ]);
  });

  it('are in the public view without a token, and for strangers', async () => {
    const secret = { Notes: 'canary' };
    const map = await published();
    await add(server, map, [{ latitude: 1, longitude: 1, fields: secret }]);
    const { secret: link } = await makeMapLink(server, map);
    const [reader, stranger] = await Promise.all([
      server.createToken({ scope: 'read', mapId: map }),
      server.createToken({ owner: 'a stranger' }),
    ]);
    const view = async (options: object) => {
      const [tile, set] = await Promise.all([
        tileOf(map, '3/4/3', options),
        get(`/maps/${map}/tiles.json`, options),
      ]);
      const [{ properties }] = read(tile) as [TileFeature];
      expect(Object.hasOwn(set.json.vector_layers[0].fields, 'Notes')).toBe('Notes' in properties);
      const caching = [tile, set].map(({ headers }) => headers['cache-control']);
      for (const { headers } of [tile, set]) {
        expect(headers.vary).toMatch(/\bAuthorization\b/);
        if (headers['cache-control'] !== 'private, no-cache') expect(headers.vary).toMatch(/\bCookie\b/);
      }
      return [properties['Notes'], ...new Set(caching)];
    };
    const [open, own] = [
      [undefined, 'public, max-age=60'],
      ['canary', 'private, no-cache'],
    ];
    expect(await view(ANONYMOUS)).toEqual(open);
    expect(await view({ token: stranger })).toEqual(open);
    for (const token of [undefined, reader, link]) {
      expect(await view(token === undefined ? {} : { token })).toEqual(own);
    }
    // The cached tile of an owner is not the public's.
    expect(await view(ANONYMOUS)).toEqual(open);
    const asked = await tileOf(map, '3/4/3?fields=Notes,Name,none');
    expect(read(asked)[0]?.properties).toEqual({ id: expect.any(String), name: 'Place 0', Name: 'Place 0' });
  });

  it('of a map that is not public are for its members alone, with a token, a link or a session', async () => {
    const map = await published({ isPublished: false });
    await add(server, map, [{ latitude: 1, longitude: 1 }]);
    const { secret: link } = await makeMapLink(server, map);
    const stranger = await server.createToken({ owner: 'a stranger' });
    for (const path of [`/maps/${map}/tiles.json`, `/maps/${map}/tiles/0/0/0.mvt`]) {
      for (const options of [ANONYMOUS, { token: stranger }]) {
        const response = await get(path, options);
        expect([response.status, response.json.error]).toEqual([404, 404]);
        expect(response.headers['cache-control']).toBe('no-store');
      }
      for (const options of [{}, { token: link }]) expect((await get(path, options)).status).toBe(200);
      expect((await get(path, { token: 'mlt_none' })).status).toBe(401);
    }
    await addMember(server, map, 'anna', 'viewer');
    const session = await signUp(server, 'anna');
    const response = await tileOf(map, '0/0/0', { ...ANONYMOUS, headers: session });
    expect([response.status, response.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(response.headers.vary).toMatch(/\bCookie\b/);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    await deleteMap(server, map);
    expect((await tileOf(map, '0/0/0', {})).status).toBe(410);
    expect((await tileOf(map, '0/0/0')).status).toBe(404);
  });

  it('have clusters where there are more than 500 locations, up to zoom 13', async () => {
    const map = await published();
    // 600 locations in one cell of zoom 0 to 14, and one by itself.
    const crowd = Array.from({ length: 600 }, (_, index) => ({
      latitude: 10 + index / 1e7,
      longitude: 10 + index / 1e7,
    }));
    await add(server, map, [...crowd, { latitude: -50, longitude: -120 }]);
    const world = read(await tileOf(map, '0/0/0'));
    expect(world).toHaveLength(2);
    const [single, cluster] = world as [TileFeature, TileFeature];
    expect(single.properties).toMatchObject({ name: 'Place 600', Name: 'Place 600' });
    expect(cluster).toEqual({ id: undefined, at: cluster.at, properties: { point_count: 600 } });
    expect(cluster.at).toEqual(
      positionInTile({ zoom: 0, x: 0, y: 0 }, { latitude: 10.00003, longitude: 10.00003 }),
    );
    const at = (zoom: number) => {
      const { x, y } = referenceTile({ latitude: 10, longitude: 10 }, zoom);
      return `${zoom}/${x}/${y}`;
    };
    expect(read(await tileOf(map, at(13)))).toHaveLength(1);
    expect(read(await tileOf(map, at(14)))).toHaveLength(600);
    const all = read(await tileOf(map, '0/0/0?cluster=0'));
    expect(all).toHaveLength(601);
    expect(new Set(all.map(({ id }) => id)).size).toBe(601);
    expect((await tileOf(map, '0/0/0?cluster=no')).status).toBe(400);
    const [first] = await server.gateway.storage.listLocations(map, {
      ...{ limit: 1, fromEnd: false, after: null, before: null },
    });
    await server.request('DELETE', `/v0/map/${map}/location/${first!.id}`);
    expect(read(await tileOf(map, at(13)))[0]?.properties).toEqual({ point_count: 599 });
  });

  const isLeft = store === 'MongoDB' && leftToFull('the number is that of each store');
  itUnless(isLeft, 'without clusters have up to 5,000 locations', async () => {
    const map = await published();
    const place = (index: number) => ({ latitude: index / 1_000, longitude: 0 });
    await add(
      server,
      map,
      Array.from({ length: 5_000 }, (_, index) => place(index)),
    );
    expect(read(await tileOf(map, '0/0/0?cluster=0'))).toHaveLength(5_000);
    await add(server, map, [place(5_000)]);
    const clustered = read(await tileOf(map, '0/0/0?cluster=0'));
    expect(clustered.reduce((sum, { properties }) => sum + Number(properties['point_count'] ?? 1), 0)).toBe(
      5_001,
    );
  });

  it('hold a location once per zoom, also at the poles and at 180°', async () => {
    const map = await published();
    const ids = await add(server, map, [
      { latitude: 90, longitude: 180 },
      { latitude: -90, longitude: -180 },
      { latitude: 0, longitude: 0 },
      { latitude: 85.06, longitude: -179.9999999 },
    ]);
    for (const zoom of [0, 1, 2, 3]) {
      const tiles = Array.from({ length: 4 ** zoom }, (_, index) => index);
      const responses = await Promise.all(
        tiles.map((index) => tileOf(map, `${zoom}/${index % 2 ** zoom}/${Math.floor(index / 2 ** zoom)}`)),
      );
      expect(responses.filter(({ status }) => ![200, 204].includes(status))).toEqual([]);
      const found = responses.filter(({ status }) => status === 200).flatMap(read);
      expect(found.map(({ properties }) => properties['id']).sort()).toEqual([...ids].sort());
    }
  });

  it('are current right after a write, and keep their ETag where the write is elsewhere', async () => {
    const map = await published();
    const [id] = await add(server, map, [{ latitude: 10, longitude: 10 }]);
    const here = '4/8/7';
    const first = await tileOf(map, here);
    const tag = String(first.headers.etag);
    expect(tag).toMatch(/^"[^"]+"$/);
    await add(server, map, [{ latitude: -40, longitude: -100 }]);
    const headers = { 'if-none-match': tag };
    const again = await tileOf(map, here, { ...ANONYMOUS, headers });
    expect([again.status, again.text, again.headers['access-control-allow-origin']]).toEqual([304, '', '*']);
    dataOf(
      await server.graphql(
        'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { map { id } } }',
        { input: { mapId: map, id, fields: { Name: 'Renamed' } } },
      ),
    );
    const renamed = await tileOf(map, here, { ...ANONYMOUS, headers });
    expect(read(renamed)[0]?.properties['name']).toBe('Renamed');
    await server.request('DELETE', `/v0/map/${map}/location/${id}`);
    const empty = await tileOf(map, here, { ...ANONYMOUS, headers });
    expect([empty.status, empty.text, empty.headers['cache-control']]).toEqual([
      204,
      '',
      'public, max-age=60',
    ]);
  });

  it('change at once with the fields that are public', async () => {
    const map = await published();
    await add(server, map, [{ latitude: 10, longitude: 10, fields: { Stars: 5 } }]);
    expect(read(await tileOf(map, '0/0/0'))[0]?.properties['Stars']).toBe(5);
    const fields = FIELDS.map((field) => ({ ...field, isPublic: field.name === 'Name' }));
    dataOf(
      await server.graphql('mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }', {
        input: { id: map, fields },
      }),
    );
    expect(Object.keys(read(await tileOf(map, '0/0/0'))[0]?.properties ?? {})).toEqual([
      'id',
      'name',
      'Name',
    ]);
  });

  it('are compressed for clients that accept it, with an ETag of their own', async () => {
    const map = await published();
    await add(server, map, [{ latitude: 10, longitude: 10 }]);
    const gzip = { 'accept-encoding': 'br, gzip' };
    const [plain, compressed] = [
      await tileOf(map, '0/0/0'),
      await tileOf(map, '0/0/0', { ...ANONYMOUS, headers: gzip }),
    ];
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.bytes!)).toEqual(plain.bytes);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    for (const { headers } of [plain, compressed]) expect(headers.vary).toMatch(/\bAccept-Encoding\b/);
    const none = await tileOf(map, '0/0/0', { ...ANONYMOUS, headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(none.bytes).toEqual(plain.bytes);
    const head = await server.request('HEAD', `/maps/${map}/tiles/0/0/0.mvt`, ANONYMOUS);
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', plain.headers.etag]);
    expect(head.headers['content-length']).toBe(String(plain.bytes?.length));
  });

  it('have at most 512,000 bytes: the largest fields are left out, and a header names them', async () => {
    const fields = [...FIELDS, { name: 'Größe, lang', type: 'text' }, { name: 'Long', type: 'text' }];
    const map = await published({ fields });
    const text = (index: number, length: number) => String(index).padEnd(length, 'x');
    const places = (longitude: number, long: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ latitude: 10 + index / 1e4, longitude },
        fields: { 'Größe, lang': text(index, 5_000), Long: text(index, long), Stars: index },
      }));
    await add(server, map, places(10, 1_000, 110));
    const one = await tileOf(map, '0/0/0');
    expect(one.headers['x-fields-left-out']).toBe('Gr%C3%B6%C3%9Fe%2C%20lang');
    expect(one.headers['access-control-expose-headers']).toMatch(/\bX-Fields-Left-Out\b/);
    expect(one.bytes!.length).toBeLessThanOrEqual(512_000);
    expect(read(one).find(({ properties }) => properties['Stars'] === 7)?.properties).toMatchObject({
      name: 'Place 7',
      Stars: 7,
      Long: text(7, 1_000),
    });
    const chosen = await tileOf(map, '0/0/0?fields=Gr%C3%B6%C3%9Fe%2C%20lang');
    expect([chosen.headers['x-fields-left-out'], Object.keys(read(chosen)[0]!.properties)]).toEqual([
      'Gr%C3%B6%C3%9Fe%2C%20lang',
      ['id', 'name'],
    ]);
    await add(server, map, places(20, 4_900, 100));
    const two = await tileOf(map, '0/0/0');
    expect(two.headers['x-fields-left-out']).toBe('Gr%C3%B6%C3%9Fe%2C%20lang,Long');
    expect(read(two)).toHaveLength(210);
  });

  it('that are too large even without fields have clusters at any zoom', async () => {
    const map = await published();
    // 14 characters differ, so that each name takes room in the tile.
    const name = (index: number) => `${'a long name '.repeat(20)}${index}`;
    await add(
      server,
      map,
      Array.from({ length: 2_000 }, (_, index) => ({
        latitude: 10,
        longitude: 10,
        fields: { Name: name(index) },
      })),
    );
    const { x, y } = referenceTile({ latitude: 10, longitude: 10 }, 22);
    const response = await tileOf(map, `22/${x}/${y}?fields=`);
    expect(read(response).map(({ properties }) => properties)).toEqual([{ point_count: 2_000 }]);
    expect(response.headers['x-fields-left-out']).toBeUndefined();
  });

  it('show locations without their names where the names alone are too long', async () => {
    const map = await published();
    const cells = Array.from({ length: 12 }, (_, index) => ({
      ...{ latitude: [70, 20, -20][index % 3]!, longitude: Math.floor(index / 3) * 90 - 135 },
      fields: { Name: `${index}${'x'.repeat(60_000)}` },
    }));
    await add(server, map, cells);
    const response = await tileOf(map, '0/0/0');
    expect(read(response).map(({ properties }) => Object.keys(properties))).toEqual(cells.map(() => ['id']));
    expect(response.headers['x-fields-left-out']).toBe('Name,Address,name');
  });

  it('keep the values that vector tiles have, and write others as JSON', async () => {
    const names = [
      'id',
      'name',
      'point_count',
      '$id',
      '__proto__',
      'constructor',
      'List',
      'Big',
      'Flag',
      'Zero',
    ];
    const map = await published({
      fields: [...FIELDS, ...names.map((name) => ({ name, type: 'text' }))],
    });
    const fields = JSON.parse(
      '{"id":"theirs","name":"n","point_count":3,"$id":"more","__proto__":"p","constructor":"c","List":["a",{"b":1}],"Big":-9007199254740991,"Flag":false,"Zero":0,"Stars":-7}',
    ) as Record<string, unknown>;
    const [id] = await add(server, map, [{ latitude: 0, longitude: 0, fields }]);
    const expected = {
      ...{ id, name: 'Place 0', Name: 'Place 0', Address: 'x', Stars: -7, $$id: 'theirs', $name: 'n' },
      ...{ $point_count: 3, $id: 'more', $__proto__: 'p', $constructor: 'c', List: '["a",{"b":1}]' },
      ...{ Big: '-9007199254740991', Flag: false, Zero: 0 },
    };
    expect(read(await tileOf(map, '0/0/0'))[0]?.properties).toEqual(expected);
    const { json } = await get(`/maps/${map}/tiles.json`);
    const keys = Object.keys(json.vector_layers[0].fields).sort();
    expect(keys).toEqual(
      ['point_count', 'Notes', ...Object.keys(expected)].filter((key) => key !== 'Notes').sort(),
    );
  });

  it.each(['23/0/0', '1/2/0', '1/0/-1', '1/0/x', '1/0/0.5', '01/0/0', '4/99999999999999999999/0'])(
    'do not exist: %s',
    async (tile) => {
      const map = await published();
      const response = await tileOf(map, tile);
      expect([response.status, response.headers['cache-control']]).toEqual([404, 'no-store']);
      expect(response.headers['access-control-allow-origin']).toBe('*');
    },
  );

  it('allow GET, HEAD and OPTIONS only', async () => {
    const map = await published();
    for (const path of [`/maps/${map}/tiles.json`, `/maps/${map}/tiles/0/0/0.mvt`]) {
      const response = await server.request('POST', path, ANONYMOUS);
      expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect((await server.request('OPTIONS', path, ANONYMOUS)).status).toBe(204);
    }
  });
});

describe('tiles that are requested again', () => {
  it.each([
    ['are kept until the map changes', undefined, [1, 1, 2]],
    ['are made again without a cache', '0', [1, 2, 3]],
  ])('%s', async (_name, TILE_CACHE_BYTES, expected) => {
    const { storage, calls } = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 5_000 }));
    const server = await createTestServer({ TILE_CACHE_BYTES }, { storage });
    const { id: map } = await makeMap(server, { isPublished: true });
    await add(server, map, [{ latitude: 1, longitude: 1 }]);
    const readsAfter = async () => {
      await server.request('GET', `/maps/${map}/tiles/0/0/0.mvt`, ANONYMOUS);
      return calls.filter(({ method }) => method === 'readColumns').length;
    };
    const reads = [await readsAfter(), await readsAfter()];
    await add(server, map, [{ latitude: 2, longitude: 2 }]);
    expect([...reads, await readsAfter()]).toEqual(expected);
    await server.close();
  });
});

describe('tiles in a server without room for more responses', () => {
  it('are refused while others are made, and made again afterwards', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const opened = await openStorage('sqlite::memory:', { timeoutMs: 5_000 });
    const { storage } = proxyStorage(opened, {
      after({ method }, response) {
        if (method !== 'readColumns') return response;
        begun();
        return held.then(() => response);
      },
    });
    const server = await createTestServer({ UNREAD_LIMIT: '600000' }, { storage });
    const { id: map } = await makeMap(server, { isPublished: true });
    const read = () => server.request('GET', `/maps/${map}/tiles/0/0/0.mvt`, ANONYMOUS);
    const first = read();
    await isBegun;
    const second = await read();
    expect([second.status, second.json.error, second.headers['retry-after']]).toEqual([503, 503, '1']);
    release();
    expect([(await first).status, (await read()).status]).toEqual([204, 204]);
    await server.close();
  });
});

describeOnStores('the TileJSON of a map', (url) => {
  it('describes its tiles, fields, bounds and attribution', async () => {
    const settings = { DATABASE_URL: url, PUBLIC_URL: 'https://maps.example.org/prefix/' };
    const server = await createTestServer(settings);
    const { id: map } = await makeMap(server, { name: 'Cafés', isPublished: true, fields: FIELDS });
    const get = (query = '') => server.request('GET', `/maps/${map}/tiles.json${query}`, ANONYMOUS);
    expect((await get()).json).not.toHaveProperty('bounds');
    await add(server, map, [
      { latitude: 38.7, longitude: -9.1 },
      { latitude: -33.9, longitude: 151.2 },
    ]);
    const response = await get();
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    });
    const address = `https://maps.example.org/prefix/maps/${map}/tiles/{z}/{x}/{y}.mvt`;
    expect(response.json).toEqual({
      tilejson: '3.0.0',
      name: 'Cafés',
      tiles: [address],
      minzoom: 0,
      maxzoom: 22,
      bounds: [-9.100001, -33.900001, 151.200001, 38.700001],
      vector_layers: [
        {
          id: 'locations',
          minzoom: 0,
          maxzoom: 22,
          fields: {
            ...{ id: 'String', name: 'String', point_count: 'Number' },
            ...{ Name: 'String', Address: 'String', Stars: 'Number' },
          },
        },
      ],
    });
    const { json } = await get('?fields=Stars%2CName&cluster=0');
    expect(json.tiles).toEqual([`${address}?fields=Stars%2CName&cluster=0`]);
    expect(Object.keys(json.vector_layers[0].fields)).toEqual(['id', 'name', 'point_count', 'Name', 'Stars']);
    const headers = { 'if-none-match': String(response.headers.etag) };
    expect((await server.request('GET', `/maps/${map}/tiles.json`, { ...ANONYMOUS, headers })).status).toBe(
      304,
    );
    await server.close();
  });

  it('counts to the public rate limit, as tiles do', async () => {
    const server = await createTestServer({ DATABASE_URL: url, PUBLIC_RATE_LIMIT: '2' });
    const { id: map } = await makeMap(server, { isPublished: true });
    const statuses: number[] = [];
    for (const path of ['tiles.json', 'tiles/0/0/0.mvt', 'tiles/0/0/0.mvt', 'tiles.json']) {
      statuses.push((await server.request('GET', `/maps/${map}/${path}`, ANONYMOUS)).status);
    }
    expect(statuses).toEqual([200, 204, 429, 429]);
    const refused = await server.request('GET', `/maps/${map}/tiles.json`, ANONYMOUS);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    await server.close();
  });
});
