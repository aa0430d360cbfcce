import Fastify from 'fastify';

import type { SitemapOptions } from '../../../src/http/routes/sitemap-routes.ts';
import { sitemapRoutes } from '../../../src/http/routes/sitemap-routes.ts';
import type { SitemapEntry } from '../../../src/web/sitemap.ts';

const BASE = 'https://maps.example.org';

/** Map ids in order. */
const idOf = (index: number) => `map${String(index).padStart(13, '0')}`;

async function sitemapOf(count: number, mostUrls: number) {
  const maps: SitemapEntry[] = Array.from({ length: count }, (_, index) => ({
    id: idOf(index),
    changedAt: Date.UTC(2026, 0, 1 + index),
  }));
  const limits: number[] = [];
  const app = Fastify({ routerOptions: { querystringParser: () => ({}) } });
  const begin = () => Promise.resolve();
  sitemapRoutes(app, {
    publicUrl: BASE,
    mostUrls,
    countPublic: () => {},
    requests: { beginAnonymous: begin, scopeOf: () => ({}) } as unknown as SitemapOptions['requests'],
    publicMaps: {
      listPublished: async (_scope, { after, limit }) => {
        limits.push(limit);
        return maps.filter(({ id }) => id > after).slice(0, limit);
      },
    },
  });
  return { get: async (path: string) => (await app.inject(path)).body, limits };
}

const locationsIn = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url);

describe('a sitemap with more maps than fit into a file', () => {
  it('is an index of files that have each map once', async () => {
    const { get } = await sitemapOf(7, 3);
    const index = await get('/sitemap.xml');
    expect(index).toContain('<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">');
    const files = locationsIn(index);
    expect(files).toEqual([
      `${BASE}/sitemap.xml?after=`,
      `${BASE}/sitemap.xml?after=${idOf(2)}`,
      `${BASE}/sitemap.xml?after=${idOf(5)}`,
    ]);
    const times = [...index.matchAll(/<lastmod>([^<]+)<\/lastmod>/g)].map(([, time]) => time?.slice(0, 10));
    expect(times).toEqual(['2026-01-03', '2026-01-06', '2026-01-07']);
    const parts = await Promise.all(files.map((url) => get(url!.slice(BASE.length))));
    expect(parts.map((part) => locationsIn(part).length)).toEqual([3, 3, 1]);
    expect(parts.flatMap(locationsIn)).toEqual(
      Array.from({ length: 7 }, (_, n) => `${BASE}/maps/${idOf(n)}`),
    );
  });

  it('begins with the first map too many', async () => {
    for (const [count, element] of [
      [3, '<urlset '],
      [4, '<sitemapindex '],
    ] as const) {
      const { get } = await sitemapOf(count, 3);
      expect(await get('/sitemap.xml')).toContain(element);
    }
  });

  it('is read in pages', async () => {
    const { get, limits } = await sitemapOf(2_500, 50_000);
    expect(locationsIn(await get('/sitemap.xml'))).toHaveLength(2_500);
    expect(Math.max(...limits)).toBe(1_000);
  });
});
