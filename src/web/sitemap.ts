/** The sitemap of the published maps (https://www.sitemaps.org/protocol.html), and the robots.txt that names it. */

import { escapeAttribute } from './html.ts';
import { mapPath } from './pages.ts';

export const SITEMAP_PATH = '/sitemap.xml';
export const ROBOTS_PATH = '/robots.txt';

/** The protocol's limit for a file. */
export const MOST_URLS = 50_000;

export interface SitemapEntry {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

const START = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** @param baseUrl absolute URL of the server, without a trailing slash */
export function renderSitemap(maps: readonly SitemapEntry[], baseUrl: string): string {
  const urls = maps.map(({ id, changedAt }) => entryOf('url', baseUrl + mapPath(id), changedAt));
  return `${START}\n<urlset ${NAMESPACE}>\n${urls.join('')}</urlset>\n`;
}

/** A part of a sitemap with more maps than fit into a file. */
export interface SitemapPart {
  /** The id before the first map of the part; empty for the first part. */
  readonly after: string;
  /** The last change of its maps. */
  readonly changedAt: number;
}

export function renderSitemapIndex(parts: readonly SitemapPart[], baseUrl: string): string {
  const files = parts.map(({ after, changedAt }) =>
    entryOf('sitemap', `${baseUrl}${SITEMAP_PATH}?after=${encodeURIComponent(after)}`, changedAt),
  );
  return `${START}\n<sitemapindex ${NAMESPACE}>\n${files.join('')}</sitemapindex>\n`;
}

function entryOf(element: string, url: string, changedAt: number): string {
  const time = new Date(changedAt).toISOString();
  return `  <${element}><loc>${escapeAttribute(url)}</loc><lastmod>${time}</lastmod></${element}>\n`;
}

export function renderRobots(baseUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}${SITEMAP_PATH}\n`;
}
