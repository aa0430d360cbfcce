/** Follows the links of /ogc and of tiles, as a client would that knows only their addresses. */

export interface Fetched {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export type Fetch = (url: string) => Promise<Fetched>;

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
}

const ANCHORS = /<a href="([^"]+)"(?:[^>]* type="([^"]+)")?/g;

/**
 * Visits all that links of /ogc lead to, in JSON and HTML, and the addresses of the API definition.
 *
 * @param base URL of the server
 * @returns the relations of the links
 * @throws Error for a link that leads elsewhere, or to a document that is not of its media type
 */
export async function crawlOgc(base: string, fetchUrl: Fetch): Promise<ReadonlySet<string>> {
  const rels = new Set<string>();
  const open: Pick<Link, 'href' | 'type'>[] = [{ href: `${base}/ogc?f=json`, type: 'application/json' }];
  const seen = new Set<string>();
  for (let target = open.pop(); target !== undefined; target = open.pop()) {
    const { href, type } = target;
    if (seen.has(href)) continue;
    seen.add(href);
    const { text } = await visit(base, href, type, fetchUrl);
    if (type === 'text/html') {
      for (const [, linked = '', linkedType = type] of text.matchAll(ANCHORS)) {
        open.push({ href: linked.replaceAll('&amp;', '&'), type: linkedType });
      }
    } else {
      const document = JSON.parse(text) as { servers?: readonly { url: string }[] };
      for (const link of linksIn(document)) {
        rels.add(link.rel);
        open.push(link);
      }
      for (const { url } of document.servers ?? []) open.push({ href: `${url}/`, type: 'application/json' });
    }
  }
  return rels;
}

/** Reads a tile of a map by the address that its TileJSON has. */
export async function crawlTiles(base: string, mapId: string, fetchUrl: Fetch): Promise<Fetched> {
  const { text } = await visit(base, `${base}/maps/${mapId}/tiles.json`, 'application/json', fetchUrl);
  const [tiles = ''] = (JSON.parse(text) as { tiles: readonly string[] }).tiles;
  return visit(base, tiles.replace('{z}/{x}/{y}', '0/0/0'), 'application/vnd.mapbox-vector-tile', fetchUrl);
}

async function visit(base: string, url: string, type: string, fetchUrl: Fetch): Promise<Fetched> {
  assertBelow(base, url);
  const fetched = await fetchUrl(url);
  const sent = fetched.type.replace('; charset=utf-8', '');
  if (fetched.status !== 200 || sent !== type) {
    throw new Error(`${url} is ${fetched.status}, ${sent}, not 200, ${type}: ${fetched.text}`);
  }
  return fetched;
}

function assertBelow(base: string, url: string): void {
  if (!url.startsWith(`${base}/`)) throw new Error(`The link ${url} does not lead below ${base}.`);
}

/** All links of a document, and of the documents in it. */
function linksIn(value: unknown): readonly Link[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'links' in value && Array.isArray(value.links) ? (value.links as Link[]) : [];
  const others = Object.entries(value).filter(([name]) => name !== 'links');
  return [...own, ...others.flatMap(([, member]) => linksIn(member))];
}
