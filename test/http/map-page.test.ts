import { gzipSync } from 'node:zlib';

import { pageFiles } from '../../src/web/page-assets.ts';
import { WorkerBusyError } from '../../src/lib/idle-worker.ts';
import { PictureMaker } from '../../src/web/picture/picture-maker.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const ANONYMOUS = { token: null };

function policyOf({ headers }: { headers: Readonly<Record<string, unknown>> }): string[] {
  return String(headers['content-security-policy']).split('; ');
}

describe('a map’s page', () => {
  let server: TestServer;
  let mapId: string;
  let ids: string[];

  beforeAll(async () => {
    server = await createTestServer({ PUBLIC_RATE_LIMIT: '0' });
    ({ mapId, ids } = await createPublishedMap(server, {
      name: 'Light & <b>"houses"</script>',
      locations: Array.from({ length: 60 }, (_, index) => placeAt(`Tower ${index} </script><b>`, 50, index)),
    }));
  });
  afterAll(() => server.close());

  it('holds the map’s name and the names of the first locations before any script runs', async () => {
    const { status, headers, text } = await server.request('GET', `/maps/${mapId}`, ANONYMOUS);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<title>Light &amp; &lt;b>"houses"&lt;/script></title>');
    expect(text).toMatch(/<h1 [^>]*>Light &amp; &lt;b>"houses"&lt;\/script><\/h1>/);
    const rows = [...text.matchAll(/href="(#location=[^"]+)"><span [^>]+>([^<]+&lt;[^<]*)</g)];
    expect(rows).toHaveLength(50);
    expect(rows[49]!.slice(1)).toEqual([`#location=${ids[49]}`, 'Tower 49 &lt;/script>&lt;b>']);
    // No value can close the element that the script reads.
    const config = /<script type="application\/json" id="config">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
    expect(JSON.parse(config)).toMatchObject({ mapId, name: 'Light & <b>"houses"</script>', tiles: null });
  });

  it('holds the settings of the page that the map has, and nothing for those that it has not', async () => {
    const configOf = async (id: string) => {
      const { text } = await server.request('GET', `/maps/${id}`, ANONYMOUS);
      return JSON.parse(/id="config">(.*?)<\/script>/s.exec(text)?.[1] ?? '') as Record<string, unknown>;
    };
    const { mapId: id } = await createPublishedMap(server, {
      fields: [
        { name: 'Name', type: 'placeName' },
        { name: 'Address', type: 'address' },
        { name: 'Kind', type: 'category' },
      ],
    });
    const names = ['language', 'timeZone', 'theme', 'categories'];
    expect(Object.keys(await configOf(id)).filter((name) => names.includes(name))).toEqual([]);
    const category = { value: '</script>', label: 'A', color: '#0b6bcb', icon: 'cafe' };
    await server.graphql('mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }', {
      input: {
        ...{ id, language: 'de', timeZone: 'Europe/Berlin', categories: [category] },
        theme: { accent: '#ffcc00', appearance: 'dark' },
      },
    });
    expect(await configOf(id)).toMatchObject({
      ...{ language: 'de', timeZone: 'Europe/Berlin', categories: [category] },
      theme: {
        ...{ accentOnDark: '#ffcc00', font: 'system', appearance: 'dark', poweredBy: true },
        accentOnLight: expect.stringMatching(/^#[0-9a-f]{6}$/),
      },
    });
  });

  it('has the metadata of link previews', async () => {
    const { text } = await server.request('GET', `/maps/${mapId}`, {
      ...ANONYMOUS,
      headers: { host: 'maps.example.org' },
    });
    const url = `http://maps.example.org/maps/${mapId}`;
    expect(text).toContain(
      '<meta property="og:title" content="Light &amp; &lt;b>&quot;houses&quot;&lt;/script>">',
    );
    expect(text).toContain('<meta property="og:type" content="website">');
    expect(text).toContain(`<meta property="og:url" content="${url}">`);
    expect(text).toContain(`<meta property="og:image" content="${url}/picture.png">`);
    expect(text).toContain(
      `type="application/json+oembed" href="http://maps.example.org/oembed?url=${encodeURIComponent(url)}"`,
    );
  });

  it('loads one script and one style for its first view, of 89.2 KB at most', async () => {
    const { text } = await server.request('GET', `/maps/${mapId}`, ANONYMOUS);
    const names = [...text.matchAll(/assets\/([^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
    expect(names.map((name) => name.split('.').at(-1)).toSorted()).toEqual(['css', 'js']);
    const files = pageFiles().filter(({ name }) => names.includes(name));
    const bytes = files.reduce((sum, file) => sum + gzipSync(file.read()).length, 0);
    // What needs more than this is loaded when it is used, or when the page has nothing else to do.
    expect(bytes).toBeLessThan(89_233);
  });

  it('loads only files that the server has, by relative URLs', async () => {
    for (const [path, base] of [
      [`/maps/${mapId}`, '../'],
      [`/maps/${mapId}/`, '../../'],
    ] as const) {
      const { text } = await server.request('GET', path, ANONYMOUS);
      const files = [...text.matchAll(/(?:src|href)="([./]+)assets\/([^"]+)"/g)];
      expect(files.length).toBeGreaterThanOrEqual(3);
      for (const [, before, name] of files) {
        expect(before).toBe(base);
        const file = await server.request('GET', `/assets/${name}`, ANONYMOUS);
        expect(file.status).toBe(200);
        expect(file.headers).toMatchObject({
          'cache-control': 'public, max-age=31536000, immutable',
          // In a sandboxed frame, the files are of another origin than the page.
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        });
      }
      expect(text).toContain(`"graphqlUrl":"${base}graphql"`);
    }
    for (const name of ['map.manifest.json', 'LICENSES.txt', 'no.js', '..%2f..%2f.stamp.json']) {
      expect((await server.request('GET', `/assets/${name}`, ANONYMOUS)).status).toBe(404);
    }
    expect(pageFiles().every(({ name }) => /-[\w-]{8}\.\w+$/.test(name))).toBe(true);
  });

  it('comes with a script for pages that embed it, which any page may load', async () => {
    const script = await server.request('GET', '/embed.js', ANONYMOUS);
    expect(script.status).toBe(200);
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const headers = { 'if-none-match': String(script.headers['etag']) };
    expect((await server.request('GET', '/embed.js', { ...ANONYMOUS, headers })).status).toBe(304);
  });

  it('has a strict policy, and can be framed only as an embed', async () => {
    const page = await server.request('GET', `/maps/${mapId}`, ANONYMOUS);
    expect(policyOf(page)).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "media-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page.headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
    const embedded = await server.request('GET', `/maps/${mapId}?embed=1`, ANONYMOUS);
    expect(policyOf(embedded)).toContain('frame-ancestors *');
    expect(embedded.headers).not.toHaveProperty('x-frame-options');
    expect(embedded.text).toContain('"isEmbedded":true');
    for (const query of ['?embed=0', '?embed', '?embed=2', '?x=embed=1']) {
      const other = await server.request('GET', `/maps/${mapId}${query}`, ANONYMOUS);
      expect(policyOf(other)).toContain("frame-ancestors 'none'");
    }
  });

  it('allows only the hosts that the operator names', async () => {
    const own = await createTestServer({
      TILE_URL: 'https://tiles.example.org/v1/{z}/{x}/{y}{r}.png?key=1',
      TILE_ATTRIBUTION: '© [OSM](https://www.openstreetmap.org/copyright) & friends',
      MEDIA_ORIGINS: 'https://media.example.org',
      EMBED_ORIGINS: 'https://a.example.org, https://b.example.org:8443',
      PUBLIC_URL: 'https://maps.example.org/below',
    });
    try {
      const { mapId: id } = await createPublishedMap(own);
      const page = await own.request('GET', `/maps/${id}?embed=1`, ANONYMOUS);
      expect(policyOf(page)).toEqual(
        expect.arrayContaining([
          "img-src 'self' data: https://tiles.example.org https://media.example.org",
          "media-src 'self' https://media.example.org",
          "frame-ancestors 'self' https://a.example.org https://b.example.org:8443",
        ]),
      );
      expect(page.text).toContain(`content="https://maps.example.org/below/maps/${id}"`);
      const config = /id="config">(.*?)<\/script>/s.exec(page.text)?.[1] ?? '';
      expect(JSON.parse(config)).toMatchObject({
        tiles: {
          kind: 'server',
          url: 'https://tiles.example.org/v1/{z}/{x}/{y}{r}.png?key=1',
          attribution: [
            { text: '© ', href: null },
            { text: 'OSM', href: 'https://www.openstreetmap.org/copyright' },
            { text: ' & friends', href: null },
          ],
        },
        mediaOrigins: ['https://media.example.org'],
      });
    } finally {
      await own.close();
    }
  });

  it('is always the public view, with any token', async () => {
    const { mapId: id } = await createPublishedMap(server, {
      fields: [
        { name: 'Name', type: 'placeName' },
        { name: 'Address', type: 'address' },
        { name: 'Secret', type: 'text', isPublic: false },
      ],
    });
    const forNobody = await server.request('GET', `/maps/${id}`, ANONYMOUS);
    expect(forNobody.text).not.toContain('Secret');
    for (const authorization of ['', 'Bearer wrong', 'nonsense']) {
      const headers: Record<string, string> = authorization === '' ? {} : { authorization };
      const response = await server.request('GET', `/maps/${id}`, { headers });
      expect([response.status, response.text]).toEqual([200, forNobody.text]);
      expect(response.headers['cache-control']).toBe('public, max-age=60');
    }
  });

  it('is cacheable, and is not sent again if unchanged', async () => {
    const first = await server.request('GET', `/maps/${mapId}`, ANONYMOUS);
    expect(first.headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary: 'Authorization' });
    const headers = { 'if-none-match': String(first.headers['etag']) };
    const again = await server.request('GET', `/maps/${mapId}`, { ...ANONYMOUS, headers });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      etag: headers['if-none-match'],
    });
    const head = await server.request('HEAD', `/maps/${mapId}`, ANONYMOUS);
    expect([head.status, head.text]).toEqual([200, '']);

    const { mapId: id } = await createPublishedMap(server, { name: 'Before' });
    const before = await server.request('GET', `/maps/${id}`, ANONYMOUS);
    await server.graphql(
      'mutation ($id: ID!) { updateMap(input: {id: $id, name: "After"}) { map { id } } }',
      { id },
    );
    const after = await server.request('GET', `/maps/${id}`, {
      ...ANONYMOUS,
      headers: { 'if-none-match': String(before.headers['etag']) },
    });
    expect(after.status).toBe(200);
    expect(after.text).toContain('<title>After</title>');
  });

  it('is a 404 page without details if the map is not public', async () => {
    const { mapId: hidden } = await createPublishedMap(server, { name: 'Hidden', isPublished: false });
    const { mapId: deleted } = await createPublishedMap(server, { name: 'Deleted' });
    await server.graphql('mutation ($id: ID!) { deleteMap(input: {id: $id}) { map { id } } }', {
      id: deleted,
    });
    const texts = new Set<string>();
    for (const id of [hidden, deleted, 'nothing', '%00', 'x'.repeat(500)]) {
      const response = await server.request('GET', `/maps/${id}`);
      expect(response.status).toBe(404);
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
      });
      expect(response.headers).not.toHaveProperty('etag');
      expect(policyOf(response)).toContain("frame-ancestors 'none'");
      texts.add(response.text);
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]).toContain('<meta name="robots" content="noindex">');
    expect([...texts][0]).toContain('There is no such map');
    expect((await server.request('POST', `/maps/${mapId}`)).status).toBe(405);
    expect((await server.request('OPTIONS', `/maps/${mapId}`)).headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it('counts towards the public rate limit, and its files do not', async () => {
    const limited = await createTestServer({ PUBLIC_RATE_LIMIT: '2' });
    try {
      const { mapId: id } = await createPublishedMap(limited);
      const [style] = pageFiles().filter(({ name }) => name.endsWith('.css'));
      for (let count = 0; count < 5; count += 1) {
        expect((await limited.request('GET', `/assets/${style!.name}`, ANONYMOUS)).status).toBe(200);
      }
      expect((await limited.request('GET', `/maps/${id}`, ANONYMOUS)).status).toBe(200);
      expect((await limited.request('GET', `/maps/${id}/picture.png`, ANONYMOUS)).status).toBe(200);
      const refused = await limited.request('GET', `/maps/${id}`, ANONYMOUS);
      expect([refused.status, refused.headers['cache-control']]).toEqual([429, 'no-store']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.text).toContain('<h1>Too many requests</h1>');
      expect((await limited.request('GET', '/oembed?url=x', ANONYMOUS)).status).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('oEmbed', () => {
  let server: TestServer;
  let mapId: string;

  beforeAll(async () => {
    server = await createTestServer({ PUBLIC_URL: 'https://maps.example.org/below', PUBLIC_RATE_LIMIT: '0' });
    ({ mapId } = await createPublishedMap(server, { name: 'A "quoted" <name>' }));
  });
  afterAll(() => server.close());

  const requestOEmbed = (url: string, more = '') =>
    server.request('GET', `/oembed?url=${encodeURIComponent(url)}${more}`, ANONYMOUS);
  const page = () => `https://maps.example.org/below/maps/${mapId}`;

  it('returns a frame for a map’s page', async () => {
    const { status, headers, json } = await requestOEmbed(page());
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary: 'Authorization' });
    expect(json).toEqual({
      version: '1.0',
      type: 'rich',
      title: 'A "quoted" <name>',
      provider_name: 'Map Locations',
      provider_url: 'https://maps.example.org/below',
      html:
        `<iframe src="${page()}?embed=1" width="800" height="500" ` +
        'title="A &quot;quoted&quot; &lt;name>" allow="geolocation; clipboard-write" style="border:0" loading="lazy"></iframe>',
      width: 800,
      height: 500,
      thumbnail_url: `${page()}/picture.png`,
      thumbnail_width: 1200,
      thumbnail_height: 630,
    });
    for (const url of [`${page()}/`, `${page()}?embed=1`, `${page()}#map=1/2/3`]) {
      expect((await requestOEmbed(url)).json).toEqual(json);
    }
    const again = await server.request('GET', `/oembed?url=${encodeURIComponent(page())}`, {
      ...ANONYMOUS,
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(again.status).toBe(304);
  });

  it('respects maxwidth and maxheight', async () => {
    const { json } = await requestOEmbed(page(), '&maxwidth=320&maxheight=2000&format=json');
    expect(json).toMatchObject({ width: 320, height: 500 });
    expect(json.html).toContain('width="320" height="500"');
    // The picture would be wider than allowed.
    expect(json).not.toHaveProperty('thumbnail_url');
    for (const wrong of ['0', '-1', '1.5', 'x', '']) {
      const response = await requestOEmbed(page(), `&maxwidth=${wrong}`);
      expect([response.status, response.json.error, response.headers['cache-control']]).toEqual([
        400,
        400,
        'no-store',
      ]);
    }
  });

  it('is 404 for a url that is not a public map, and 501 for another format', async () => {
    const { mapId: hidden } = await createPublishedMap(server, { isPublished: false });
    for (const url of [
      `https://maps.example.org/below/maps/${hidden}`,
      'https://maps.example.org/below/maps/nothing',
      `https://maps.example.org/maps/${mapId}`,
      `https://evil.example.org/below/maps/${mapId}`,
      `http://maps.example.org/below/maps/${mapId}`,
      `https://maps.example.org/below/maps/${mapId}/picture.png`,
      'https://maps.example.org/below/graphiql',
      'nonsense',
    ]) {
      const response = await requestOEmbed(url);
      expect([response.status, response.json.error, response.headers['cache-control']]).toEqual([
        404,
        404,
        'no-store',
      ]);
    }
    const xml = await requestOEmbed(page(), '&format=xml');
    expect([xml.status, xml.json]).toEqual([501, { error: 501, message: expect.any(String) }]);
    expect((await server.request('GET', '/oembed', ANONYMOUS)).status).toBe(400);
  });
});

describe('a map’s picture', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await createTestServer({ PUBLIC_RATE_LIMIT: '0' });
  });
  afterAll(() => server.close());

  const picture = (mapId: string, headers = {}) =>
    server.app.inject({ url: `/maps/${mapId}/picture.png`, headers });

  it('is a PNG of 1200 by 630 that changes with the locations', async () => {
    const { mapId } = await createPublishedMap(server, { locations: [placeAt('A', 57.7, 10.6)] });
    const first = await picture(mapId);
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const bytes = first.rawPayload;
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    const { etag } = first.headers;
    expect((await picture(mapId, { 'if-none-match': etag })).statusCode).toBe(304);

    await server.graphql(
      'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
      {
        input: { mapId, ...placeAt('B', -33.9, 151.2) },
      },
    );
    const second = await picture(mapId, { 'if-none-match': etag });
    expect(second.statusCode).toBe(200);
    expect(second.rawPayload.equals(bytes)).toBe(false);
  });

  it('is drawn once for concurrent requests, and again after a failure', async () => {
    const { mapId } = await createPublishedMap(server, { locations: [placeAt('A', 12.25, 34.5)] });
    const draw = jest.spyOn(PictureMaker.prototype, 'draw');
    draw.mockRejectedValueOnce(new WorkerBusyError());
    expect((await picture(mapId)).json()).toMatchObject({ error: 503 });
    draw.mockClear();
    const responses = await Promise.all(Array.from({ length: 5 }, () => picture(mapId)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(responses.every(({ rawPayload }) => rawPayload.equals(responses[0]!.rawPayload))).toBe(true);
    await picture(mapId);
    expect(draw).toHaveBeenCalledTimes(1);
    draw.mockRestore();
  });

  it('has the colors of the categories of locations that stand alone', async () => {
    const places = [placeAt('Quay', 40, 0), placeAt('Museum', 45, 10), placeAt('Elsewhere', 50, 20)];
    const kinds = ['Harbour ', 'Museum', null];
    const { mapId } = await createPublishedMap(server, {
      fields: [
        { name: 'Name', type: 'placeName' },
        { name: 'Address', type: 'address' },
        { name: 'Kind', type: 'category' },
      ],
      locations: places.map(({ fields, position }, index) => ({
        fields: { ...fields, Kind: kinds[index] },
        position,
      })),
    });
    const draw = jest.spyOn(PictureMaker.prototype, 'draw');
    const colorsDrawn = async () => {
      draw.mockClear();
      expect((await picture(mapId)).statusCode).toBe(200);
      return draw.mock.calls[0]![1].map(({ color }) => color);
    };
    expect(await colorsDrawn()).toEqual([undefined, undefined, undefined]);
    await server.graphql('mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }', {
      input: {
        id: mapId,
        categories: [
          { value: 'Harbour', color: '#0055AA' },
          { value: 'Museum', label: 'M' },
        ],
      },
    });
    expect((await colorsDrawn()).toSorted()).toEqual(['#0055aa', undefined, undefined]);
    draw.mockRestore();
  });

  it('exists for an empty map, and for one around the antimeridian', async () => {
    const { mapId: empty } = await createPublishedMap(server);
    const { mapId: around } = await createPublishedMap(server, {
      locations: [placeAt('Suva', -18.1, 178.4), placeAt('Apia', -13.8, -171.8)],
    });
    for (const id of [empty, around]) expect((await picture(id)).statusCode).toBe(200);
  });

  it('is 404 for a map that is not public', async () => {
    const { mapId } = await createPublishedMap(server, { isPublished: false });
    const response = await picture(mapId);
    expect([response.statusCode, response.json()]).toEqual([
      404,
      { error: 404, message: expect.any(String) },
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
  });
});
