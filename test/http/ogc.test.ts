/** OGC API - Features at /ogc (capabilities §20). */

import { encodeOrder } from '../../src/domain/list/order.ts';
import { encodeLocationCursor, encodeSequenceCursor } from '../../src/domain/paging/cursor.ts';
import { Deferred } from '../../src/lib/deferred.ts';
import { openStorage } from '../../src/storage/open.ts';
import { disturbing } from '../support/disturbing.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { describeOnStores } from '../support/stores.ts';
import { deleteMap } from '../support/v0.ts';

const BASE = 'https://maps.example.org/below';
const ANONYMOUS = { token: null };
const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address', isPublic: false },
  { name: 'Height', type: 'number' },
  { name: 'Lit', type: 'text' },
  { name: 'limit', type: 'text' },
  { name: '__proto__', type: 'text' },
  { name: 'Keeper', type: 'text', isPublic: false },
];

let server: TestServer;

const get = (path: string, headers: Record<string, string> = {}, token: string | null = null) =>
  server.request('GET', `/ogc${path}`, { token, headers });

const place = (fields: Record<string, unknown>, latitude: number, longitude: number) => ({
  fields: { Address: 'somewhere', ...fields },
  position: { latitude, longitude },
});

const LOCATIONS = [
  place({ Name: 'A', Height: '10', Lit: 'yes', Keeper: 'secret' }, 54, 8),
  place({ Name: 'B', Height: '20.0', Lit: 'no', limit: 'x' }, -17, 179.5),
  place({ Name: 'C', Height: 20, Lit: true }, -16, -179.5),
];

const makeMap = (options = {}) =>
  createPublishedMap(server, { fields: FIELDS, locations: LOCATIONS, ...options });
const namesOf = ({ json }: { json: { features: { name: string }[] } }) =>
  json.features.map(({ name }) => name);
const hrefOf = ({ json }: { json: { links: { rel: string; href: string }[] } }, rel: string) =>
  json.links.find((link) => link.rel === rel)?.href;

/** The path below /ogc of an absolute link. */
const pathOf = (href: string | undefined) => {
  expect(href?.startsWith(`${BASE}/ogc`)).toBe(true);
  return String(href).slice(`${BASE}/ogc`.length);
};

describeOnStores('/ogc', (url) => {
  beforeAll(async () => void (server = await createTestServer({ DATABASE_URL: url, PUBLIC_URL: BASE })));
  afterAll(() => server.close());

  it('is found from its landing page, by absolute links behind a prefix', async () => {
    const landing = await get('');
    const rels = landing.json.links.map(({ rel }: { rel: string }) => rel);
    expect(rels).toEqual(['self', 'alternate', 'service-desc', 'service-doc', 'conformance', 'data']);
    for (const { href, type } of landing.json.links) {
      const response = await get(pathOf(href));
      expect([href, response.status]).toEqual([href, 200]);
      expect(String(response.headers['content-type']).replace('; charset=utf-8', '')).toBe(type);
      expect(response.headers['access-control-allow-origin']).toBe('*');
    }
  });

  it('answers each path of its API definition', async () => {
    const { mapId, ids } = await makeMap();
    const { json } = await get('/api');
    expect([json.openapi, json.servers]).toEqual(['3.0.3', [{ url: `${BASE}/ogc` }]]);
    expect(Object.keys(json.paths)).toHaveLength(7);
    for (const path of Object.keys(json.paths)) {
      const filled = path.replace('{mapId}', mapId).replace('{locationId}', String(ids[0]));
      expect([filled, (await get(filled)).status]).toEqual([filled, 200]);
    }
  });

  it('lists published maps without a token, and with one those of its owner', async () => {
    const { mapId } = await makeMap({ name: 'Open' });
    const { mapId: hidden } = await makeMap({ name: 'Hidden', isPublished: false });
    const idsOf = async (token: string | null) => {
      const { json, headers } = await get('/collections', {}, token);
      return [headers['cache-control'], json.collections.map(({ id }: { id: string }) => id)] as const;
    };
    const [publicCaching, published] = await idsOf(null);
    expect(publicCaching).toBe('public, max-age=60');
    expect(published).toContain(mapId);
    expect(published).not.toContain(hidden);
    const [caching, own] = await idsOf(await server.createToken());
    expect(caching).toBe('private, no-cache');
    expect(own).toEqual(expect.arrayContaining([mapId, hidden]));
    const stranger = await server.createToken({ owner: 'stranger' });
    expect((await idsOf(stranger))[1]).toEqual([]);
    expect((await get(`/collections/${mapId}`, {}, stranger)).status).toBe(200);
    expect((await get(`/collections/${hidden}`, {}, stranger)).status).toBe(404);
  });

  it('pages the list of maps', async () => {
    const made = [(await makeMap()).mapId, (await makeMap()).mapId];
    for (const token of [null, await server.createToken()]) {
      const all = (await get('/collections', {}, token)).json.collections as { id: string }[];
      const paged: string[] = [];
      for (let path: string | null = '/collections?limit=1'; path !== null;) {
        const page = await get(path, {}, token);
        paged.push(...page.json.collections.map(({ id }: { id: string }) => id));
        const next = hrefOf(page, 'next');
        path = next === undefined ? null : pathOf(next);
      }
      expect(paged).toEqual(all.map(({ id }) => id));
      expect(paged).toEqual(expect.arrayContaining(made));
    }
  });

  it('has the features of the GeoJSON export, of the public view or of the owner', async () => {
    const { mapId } = await makeMap();
    for (const token of [null, await server.createToken()]) {
      const exported = await server.request('GET', `/maps/${mapId}/locations.geojson`, { token });
      const { json, headers } = await get(`/collections/${mapId}/items`, {}, token);
      expect(headers['content-type']).toBe('application/geo+json');
      expect(json.features).toEqual(exported.json.features);
      expect([json.numberReturned, json.numberMatched]).toEqual([3, 3]);
      const [first] = json.features;
      const one = await get(`/collections/${mapId}/items/${first.id}`, {}, token);
      const { links, ...feature } = one.json;
      expect(feature).toEqual(first);
      expect(links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'alternate', 'collection']);
      expect(one.text.includes('secret')).toBe(token !== null);
    }
  });

  it('filters by box, also over the antimeridian and with heights', async () => {
    const { mapId } = await makeMap();
    const within = async (bbox: string) => namesOf(await get(`/collections/${mapId}/items?bbox=${bbox}`));
    expect(await within('7,53,9,55')).toEqual(['A']);
    expect(await within('179,-18,-179,-15')).toEqual(['B', 'C']);
    expect(await within('179,-18,-100,-179,-15,100')).toEqual(['B', 'C']);
    expect(await within('-180,-90,180,90')).toEqual(['A', 'B', 'C']);
  });

  it('filters by the value of public fields, and for the owner by every field', async () => {
    const { mapId } = await makeMap();
    const found = async (query: string, token: string | null = null) =>
      namesOf(await get(`/collections/${mapId}/items?${query}`, {}, token));
    expect(await found('Lit=yes')).toEqual(['A']);
    expect(await found('Lit=true')).toEqual(['C']);
    expect(await found('Height=20')).toEqual(['B', 'C']);
    expect(await found('Height=20&Lit=no')).toEqual(['B']);
    expect(await found('__proto__=x')).toEqual([]);
    expect(await found('Keeper=secret', await server.createToken())).toEqual(['A']);
    expect((await get(`/collections/${mapId}/items?Keeper=secret`)).status).toBe(400);
    // Ours, not the field of that name.
    expect(await found('limit=1')).toEqual(['A']);
  });

  it('filters by the time of the last change', async () => {
    const { mapId } = await makeMap();
    const all = await get(`/collections/${mapId}/items`);
    const [{ updatedAt }] = all.json.features;
    const later = '2999-01-01T00:00:00Z';
    const count = async (datetime: string) =>
      (await get(`/collections/${mapId}/items?datetime=${encodeURIComponent(datetime)}`)).json.numberReturned;
    expect(await count(updatedAt)).toBeGreaterThan(0);
    for (const interval of [
      `2000-01-01T00:00:00Z/..`,
      `../${later}`,
      `/${later}`,
      `2000-01-01T00:00:00+01:00/`,
    ])
      expect([interval, await count(interval)]).toEqual([interval, 3]);
    expect(await count(later)).toBe(0);
    expect(await count(`${later}/..`)).toBe(0);
  });

  it('visits every location once by next, while others create, move, change and delete', async () => {
    const places = Array.from({ length: 100 }, (_, index) => placeAt(`P${index}`, index / 2, index));
    const { mapId, ids } = await createPublishedMap(server, { locations: places });
    const disturb = disturbing(server, mapId, ids);
    for (const filter of ['', '&bbox=-180,-90,180,90', '&Address=near%20P7&Name=P7']) {
      const seen: string[] = [];
      let path: string | null = `/collections/${mapId}/items?limit=7${filter}`;
      while (path !== null) {
        const page = await get(path);
        expect(page.json.numberReturned).toBe(page.json.features.length);
        seen.push(...page.json.features.map(({ id }: { id: string }) => id));
        const next = hrefOf(page, 'next');
        path = next === undefined ? null : pathOf(next);
        await disturb();
      }
      expect(new Set(seen).size).toBe(seen.length);
      const expected = filter.includes('P7') ? [ids[7]] : ids;
      expect(seen.filter((id) => ids.includes(id))).toEqual(expected);
    }
  });

  it('clamps a limit above the maximum', async () => {
    const { mapId } = await makeMap();
    expect((await get(`/collections/${mapId}/items?limit=1000000000`)).json.numberReturned).toBe(3);
  });

  it.each([
    'limit=0',
    'limit=ten',
    'limit=1&limit=2',
    'bbox=1,2,3',
    'bbox=1,2,3,four',
    'bbox=0,-91,1,1',
    'bbox=0,1,1,0',
    'bbox=0,0,2,1,1,1',
    'datetime=2026-01-31',
    'datetime=../..',
    'datetime=2026-02-01T00:00:00Z/2026-01-01T00:00:00Z',
    'datetime=',
    'cursor=x',
    'f=xml',
    'crs=x',
    '%zz=1',
  ])('answers ?%s with 400 in the form of the standard', async (query) => {
    const { mapId } = await makeMap();
    const { status, json, headers } = await get(`/collections/${mapId}/items?${query}`);
    expect([status, json]).toEqual([400, { code: 'BAD_USER_INPUT', description: expect.any(String) }]);
    expect([headers['cache-control'], headers['access-control-allow-origin']]).toEqual(['no-store', '*']);
  });

  it('refuses cursors of other maps, and of the list', async () => {
    const [{ mapId }, other] = [await makeMap(), await makeMap()];
    const cursors = [
      encodeSequenceCursor(other.mapId, 1),
      encodeLocationCursor(mapId, { orderKey: encodeOrder('1'), sequence: 1 }),
    ];
    for (const cursor of cursors) {
      const { status, json } = await get(`/collections/${mapId}/items?cursor=${cursor}`);
      expect([status, json.description]).toEqual([
        400,
        'cursor must be taken from the link to the next page.',
      ]);
    }
    expect((await get(`/collections/${mapId}/items?cursor=${encodeSequenceCursor(mapId, 1)}`)).status).toBe(
      200,
    );
  });

  it('does not know other parameters of its other documents', async () => {
    const { mapId, ids } = await makeMap();
    for (const path of ['', '/conformance', '/api', '/collections', `/collections/${mapId}`]) {
      expect([path, (await get(`${path}?x=1`)).status]).toEqual([path, 400]);
    }
    expect((await get(`/collections/${mapId}/items/${ids[0]}?x=1`)).status).toBe(400);
  });

  it('is 404 for unknown maps and locations, and 410 for the owner of a deleted map', async () => {
    const { mapId } = await makeMap();
    expect((await get(`/collections/${mapId}/items/x`)).json).toEqual({
      code: 'LOCATION_NOT_FOUND',
      description: expect.any(String),
    });
    expect((await get(`/collections/${mapId}/items/x`)).status).toBe(404);
    await deleteMap(server, mapId);
    expect((await get(`/collections/${mapId}/items`)).status).toBe(404);
    expect((await get(`/collections/${mapId}/items`, {}, await server.createToken())).status).toBe(410);
    expect((await get('/collections/x')).status).toBe(404);
    expect((await get('/collections', {}, 'mlt_none')).status).toBe(401);
  });

  it('supports HEAD, 304, OPTIONS with preflight, and no other method', async () => {
    const { mapId } = await makeMap();
    const path = `/ogc/collections/${mapId}/items`;
    const { headers } = await server.request('GET', path, ANONYMOUS);
    expect(headers.vary).toMatch(/Authorization.*Accept/);
    const again = await server.request('GET', path, {
      ...ANONYMOUS,
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await server.request('HEAD', path, ANONYMOUS);
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', headers.etag]);
    const preflight = await server.request('OPTIONS', path, {
      ...ANONYMOUS,
      headers: { origin: 'https://other.example', 'access-control-request-method': 'GET' },
    });
    expect([preflight.status, preflight.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(preflight.headers['access-control-allow-headers']).toMatch(/^Authorization/);
    expect((await server.request('POST', path, ANONYMOUS)).status).toBe(405);
  });

  it('cuts long values in tables for browsers, but not on the page of the location', async () => {
    const long = '&'.repeat(60_000);
    const { mapId, ids } = await createPublishedMap(server, {
      fields: [...FIELDS, { name: 'Note', type: 'text' }],
      locations: [
        { fields: { Name: 'N', Address: 'A', Note: long }, position: { latitude: 1, longitude: 2 } },
      ],
    });
    const items = await get(`/collections/${mapId}/items?f=html`);
    expect(items.text).toContain(`<div>${'&amp;'.repeat(500)}…</div>`);
    expect(items.text.length).toBeLessThan(20_000);
    const item = await get(`/collections/${mapId}/items/${ids[0]}?f=html`);
    expect(item.text).toContain('&amp;'.repeat(60_000));
  });

  it('has fewer rows on pages for browsers if there are many columns, and visits all by next', async () => {
    const fields = Array.from({ length: 90 }, (_, index) => ({ name: `Field ${index}`, type: 'text' }));
    const places = Array.from({ length: 230 }, (_, index) => placeAt(`P${index}`, index / 10, 8));
    const { mapId, ids } = await createPublishedMap(server, {
      fields: [{ name: 'Name', type: 'placeName' }, { name: 'Address', type: 'address' }, ...fields],
      locations: places,
    });
    const items = `/collections/${mapId}/items`;
    expect((await get(`${items}?limit=10000`)).json.numberReturned).toBe(230);
    const shown: string[] = [];
    const rows: number[] = [];
    let path: string | undefined = `${items}?limit=10000&f=html`;
    while (path !== undefined) {
      const { text } = await get(path);
      const found = [...text.matchAll(/<th scope="row"><a href="[^"]+\/items\/([^"?]+)\?/g)].map(
        ([, id = '']) => id,
      );
      rows.push(found.length);
      shown.push(...found);
      const next: string | undefined = /<a href="([^"]+)" rel="next">/.exec(text)?.[1];
      path = next === undefined ? undefined : pathOf(next.replaceAll('&amp;', '&'));
    }
    expect(rows).toEqual([108, 108, 14]);
    expect(shown.toSorted()).toEqual(ids.toSorted());
  });

  it('is HTML for browsers, with no script and all values escaped', async () => {
    const { mapId, ids } = await makeMap({
      name: '<i>Map</i>',
      locations: [place({ Name: '<script>alert(1)</script>', Height: 1 }, 1, 2)],
    });
    const paths = ['', '/conformance', '/api', '/collections', `/collections/${mapId}`].concat(
      `/collections/${mapId}/items`,
      `/collections/${mapId}/items/${ids[0]}`,
    );
    for (const path of paths) {
      const { status, headers, text } = await get(path, { accept: 'text/html' });
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
      expect(text).not.toMatch(/<script|<i>|\sstyle=/);
      for (const [, href = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
        const linked = pathOf(href.replaceAll('&amp;', '&'));
        expect([linked, (await get(linked)).status]).toEqual([linked, 200]);
      }
    }
  });
});

describe('/ogc in a server without room for more responses', () => {
  it('refuses a second page of locations while one is made, but no other document', async () => {
    const held = new Deferred<void>();
    const begun = new Deferred<void>();
    let isFirst = false;
    const { storage } = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 5_000 }), {
      after({ method }, response) {
        if (method !== 'getMaps' || !isFirst) return response;
        isFirst = false;
        begun.resolve();
        return held.promise.then(() => response);
      },
    });
    const busy = await createTestServer({ UNREAD_LIMIT: '9000000' }, { storage });
    const { mapId, ids } = await createPublishedMap(busy, { locations: [placeAt('A', 1, 2)] });
    isFirst = true;
    const statusOf = async (path: string) => (await busy.request('GET', path, ANONYMOUS)).status;
    const items = `/ogc/collections/${mapId}/items`;
    const first = statusOf(items);
    await begun.promise;
    expect(await statusOf(items)).toBe(503);
    for (const path of ['/ogc', '/ogc/collections', `/ogc/collections/${mapId}`, `${items}/${ids[0]}`]) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }
    held.resolve();
    expect([await first, await statusOf(items)]).toEqual([200, 200]);
    await busy.close();
  });
});

describe('the public rate', () => {
  it('counts requests to /ogc by address', async () => {
    const limited = await createTestServer({ PUBLIC_RATE_LIMIT: '2' });
    try {
      const ask = () => limited.request('GET', '/ogc', ANONYMOUS);
      const statuses = [(await ask()).status, (await ask()).status, (await ask()).status];
      expect(statuses).toEqual([200, 200, 429]);
      expect((await ask()).json).toEqual({ code: 'RATE_LIMITED', description: expect.any(String) });
    } finally {
      await limited.close();
    }
  });
});
