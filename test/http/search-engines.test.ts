/** What search engines read: structured data, languages, the sitemap and robots.txt. */

import { dataOf } from '../support/graphql.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const ANONYMOUS = { token: null };
const PUBLIC_URL = 'https://maps.example.org/below';
const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Phone', type: 'phone' },
  { name: 'Web', type: 'website' },
  { name: 'Hours', type: 'openingHours' },
  { name: 'Owner', type: 'phone', isPublic: false },
];

describe('for search engines', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ PUBLIC_RATE_LIMIT: '0', PUBLIC_URL });
  });
  afterAll(() => server.close());

  const get = async (path: string, headers: Record<string, string> = {}) =>
    server.request('GET', path, { ...ANONYMOUS, headers });
  const pageOf = async (mapId: string, query = '') => (await get(`/maps/${mapId}${query}`)).text;

  async function structuredDataOf(mapId: string) {
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await pageOf(mapId))?.[1];
    return JSON.parse(data ?? '');
  }

  it('a map’s page describes its locations by their public fields', async () => {
    const { mapId, ids } = await createPublishedMap(server, {
      name: 'Cafés </script><b>',
      fields: FIELDS,
      locations: [
        {
          fields: {
            Name: 'Bean </script><script>alert(1)</script>',
            Address: '1 Main St',
            Phone: ' +49 30 1 ',
            Web: 'https://bean.example',
            Hours: 'Mo-Fr 09:00-12:30,13:30-18:00; Sa 10:00-14:00; PH off',
            Owner: '+49 30 999',
          },
          position: { latitude: 52.5, longitude: 13.4 },
        },
        {
          fields: {
            Name: 'Fort',
            Address: 'x'.repeat(501),
            Web: 'javascript:alert(1)',
            Hours: 'by appointment',
            Phone: '',
          },
          position: { latitude: -1, longitude: 2 },
        },
        {
          fields: { Name: 'Kiosk', Address: '3 Way', Hours: '24/7', Phone: 5 },
          position: { latitude: 3, longitude: 4 },
        },
      ],
    });
    expect(await pageOf(mapId)).not.toContain('<script>alert(1)');
    const url = `${PUBLIC_URL}/maps/${mapId}`;
    const item = (index: number, more: object) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: { url: `${url}#location=${ids[index]}`, ...more },
    });
    expect(await structuredDataOf(mapId)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      name: 'Cafés </script><b>',
      url,
      numberOfItems: 3,
      itemListElement: [
        item(0, {
          '@type': 'LocalBusiness',
          name: 'Bean </script><script>alert(1)</script>',
          geo: { '@type': 'GeoCoordinates', latitude: 52.5, longitude: 13.4 },
          address: '1 Main St',
          telephone: '+49 30 1',
          openingHours: ['Mo-Fr 09:00-12:30', 'Mo-Fr 13:30-18:00', 'Sa 10:00-14:00'],
          sameAs: 'https://bean.example',
        }),
        item(1, {
          '@type': 'Place',
          name: 'Fort',
          geo: { '@type': 'GeoCoordinates', latitude: -1, longitude: 2 },
        }),
        item(2, {
          '@type': 'LocalBusiness',
          name: 'Kiosk',
          geo: { '@type': 'GeoCoordinates', latitude: 3, longitude: 4 },
          address: '3 Way',
          openingHours: ['Mo-Su 00:00-24:00'],
        }),
      ],
    });
  });

  it('a map’s page describes its first 100 locations, and an embedded one none', async () => {
    const { mapId } = await createPublishedMap(server, {
      locations: Array.from({ length: 101 }, (_, index) => placeAt(`Place ${index}`, 50, index)),
    });
    const { numberOfItems, itemListElement } = await structuredDataOf(mapId);
    expect([numberOfItems, itemListElement.length]).toEqual([101, 100]);
    expect(await pageOf(mapId, '?embed=1')).not.toContain('ld+json');
  });

  it('a map’s page names its address in each language', async () => {
    const { mapId } = await createPublishedMap(server);
    const url = `${PUBLIC_URL}/maps/${mapId}`;
    const text = await pageOf(mapId);
    const links = [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)];
    const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt-BR', 'pl', 'ja', 'ar'];
    expect(links.map(([, language, href]) => [language, href])).toEqual([
      ...languages.map((language) => [language, `${url}?lang=${language}`]),
      ['x-default', url],
    ]);
    const canonical = async (query: string) =>
      /<link rel="canonical" href="([^"]+)">/.exec(await pageOf(mapId, query))?.[1];
    expect(await canonical('')).toBe(url);
    expect(await canonical('?lang=pt-BR&x=1')).toBe(`${url}?lang=pt-BR`);
    for (const query of ['?lang=xx', '?lang=%22%3E', '?embed=1']) expect(await canonical(query)).toBe(url);
  });
});

describe('the sitemap', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ PUBLIC_RATE_LIMIT: '0', PUBLIC_URL });
  });
  afterAll(() => server.close());

  const get = async (path: string, headers: Record<string, string> = {}, from = server) =>
    from.request('GET', path, { ...ANONYMOUS, headers });

  it('lists the published maps with their last change, as they are now', async () => {
    const empty = await get('/sitemap.xml');
    expect(empty.text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n</urlset>\n',
    );
    const maps = await Promise.all([createPublishedMap(server), createPublishedMap(server)]);
    const { mapId: hidden } = await createPublishedMap(server, { isPublished: false });
    const { status, headers, text } = await get('/sitemap.xml');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
    });
    const entries = [...text.matchAll(/<url><loc>([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod><\/url>/g)];
    expect(entries.map(([, url]) => url)).toEqual(
      maps.map(({ mapId }) => `${PUBLIC_URL}/maps/${mapId}`).toSorted(),
    );
    for (const [, , time] of entries) expect(Math.abs(Date.parse(time!) - Date.now())).toBeLessThan(600_000);
    expect(text).not.toContain(hidden);

    const etag = String(headers['etag']);
    expect((await get('/sitemap.xml', { 'if-none-match': etag })).status).toBe(304);
    const remove = `mutation { updateMap(input: { id: "${maps[0].mapId}", isPublished: false }) { map { id } } }`;
    dataOf(await server.graphql(remove));
    const after = await get('/sitemap.xml', { 'if-none-match': etag });
    expect([after.status, after.text.includes(maps[0].mapId)]).toEqual([200, false]);
  });

  it('continues after a map, and refuses what is no id', async () => {
    const { mapId } = await createPublishedMap(server);
    expect((await get(`/sitemap.xml?after=${mapId}`)).text).not.toContain(mapId);
    expect((await get('/sitemap.xml?after=')).text).toContain(mapId);
    for (const after of ['x', '%00', "'"]) {
      const { status, headers } = await get(`/sitemap.xml?after=${after}`);
      expect([status, headers['cache-control']]).toEqual([400, 'no-store']);
    }
  });

  it('is named by robots.txt', async () => {
    const { headers, text } = await get('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`);
  });

  it('can be turned off', async () => {
    const own = await createTestServer({ SITEMAP: '0' });
    try {
      for (const path of ['/sitemap.xml', '/robots.txt']) expect((await get(path, {}, own)).status).toBe(404);
    } finally {
      await own.close();
    }
  });
});
