/** The HTML and headers of the public page of a map. Its script is in web/map/. */

import type { PageLanguage } from '../domain/page-languages.ts';
import { PAGE_LANGUAGES } from '../domain/page-languages.ts';
import type { FieldDefinition } from '../domain/map.ts';
import type { Archive } from './basemap-file/archive.ts';
import { escapeAttribute, escapeJson, escapeText } from './html.ts';
import type { PageAssets } from './page-assets.ts';
import { documentIdOf } from './page-assets.ts';
import { beginPage, ICON, pageHeaders } from './page-shell.ts';
import type { PageSettings } from './page-settings.ts';
import { givenSettings } from './page-settings.ts';
import { mapPath } from './pages.ts';
import type { DescribedLocation } from './structured-data.ts';
import { structuredDataOf } from './structured-data.ts';
import { PICTURE_SIZE } from './picture/picture-svg.ts';
import type { TileSettings } from './tiles.ts';
import { shownTilesOf } from './tiles.ts';
import { exportChoices } from './transfer-formats.ts';

/** A map in its public view. */
export interface PublishedMap extends PageSettings {
  readonly name: string;
  readonly fields: readonly Pick<FieldDefinition, 'name' | 'type'>[];
  readonly locations: {
    readonly totalCount: number;
    /** The first locations of the list. */
    readonly nodes: readonly DescribedLocation[];
  };
}

export interface MapPageInput {
  readonly mapId: string;
  readonly map: PublishedMap;
  /** Relative path from the page to the server's root, such as `../`, so that it works under any path prefix of a proxy. */
  readonly base: string;
  /** Absolute URL of the server, without a trailing slash. */
  readonly baseUrl: string;
  /** Absolute path with a trailing slash. */
  readonly assetsPath: string;
  readonly assets: PageAssets;
  /** Absolute. */
  readonly graphqlPath: string;
  readonly isEmbedded: boolean;
  /** The language that the address names; null for none. */
  readonly language: PageLanguage | null;
  readonly settings: MapPageSettings;
  /** What the basemap file holds; null for none, or for one that cannot be used now. */
  readonly basemap: Archive | null;
}

export interface MapPageSettings extends TileSettings {
  /** Origins that the page may load images and audio from. */
  readonly mediaOrigins: readonly string[];
  /** Origins that may embed the page; `*` for all. */
  readonly embedOrigins: readonly string[];
  /** Whether the page sends the id of its document, because the server accepts only trusted documents. */
  readonly usesDocumentIds: boolean;
}

/** Scripts and styles are limited to files of this server: nothing inline, no eval. */
export function mapPageHeaders(
  settings: MapPageSettings,
  isEmbedded: boolean,
): Readonly<Record<string, string>> {
  const { tiles, mediaOrigins } = settings;
  const images = ["'self'", 'data:', ...(tiles === null ? [] : [tiles.origin]), ...mediaOrigins];
  return pageHeaders({
    sources: [
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      `img-src ${images.join(' ')}`,
      `media-src ${["'self'", ...mediaOrigins].join(' ')}`,
    ],
    embedders: isEmbedded ? embeddersOf(settings) : null,
    // Tile servers require the referrer. Links of locations have `rel="noreferrer"`.
    referrerPolicy: 'strict-origin-when-cross-origin',
  });
}

function embeddersOf({ embedOrigins }: MapPageSettings): string {
  // The console shows a preview.
  return embedOrigins.includes('*') ? '*' : ["'self'", ...embedOrigins].join(' ');
}

/** In English only where no script runs, because the script writes in the reader's language. */
export function renderMapPage(input: MapPageInput): string {
  const { mapId, map, base, baseUrl, assetsPath, assets } = input;
  const total = map.locations.totalCount;
  const count = total === 1 ? '1 location' : `${total.toLocaleString('en')} locations`;
  const asset = (name: string) => escapeAttribute(base + assetsPath.slice(1) + name);
  const path = mapPath(mapId);
  const url = escapeAttribute(baseUrl + path);
  const oembed = escapeAttribute(`${baseUrl}/oembed?url=${encodeURIComponent(baseUrl + path)}`);
  const name = escapeAttribute(map.name);
  const preloaded =
    input.settings.tiles === null ? assets.data.filter((file) => file.startsWith(FIRST_DATA)) : [];
  return `${beginPage(map.name, { isIndexed: true, appearance: map.theme.appearance })}
    <meta name="description" content="${name}: a map of ${count}">
    <link rel="canonical" href="${addressIn(url, input.language)}">
${languageLinks(url)}
    <meta property="og:title" content="${name}">
    <meta property="og:type" content="website">
    <meta property="og:url" content="${url}">
    <meta property="og:description" content="A map of ${count}">
    <meta property="og:image" content="${url}/picture.png">
    <meta property="og:image:width" content="${PICTURE_SIZE.width}">
    <meta property="og:image:height" content="${PICTURE_SIZE.height}">
    <meta name="twitter:card" content="summary_large_image">
    <link rel="alternate" type="application/json+oembed" href="${oembed}" title="${name}">
    <link rel="icon" href="${ICON}">
${assets.styles.map((file) => `    <link rel="stylesheet" href="${asset(file)}">`).join('\n')}
${assets.modules.map((file) => `    <link rel="modulepreload" href="${asset(file)}">`).join('\n')}
${preloaded.map((file) => `    <link rel="preload" as="fetch" crossorigin href="${asset(file)}">`).join('\n')}
    <script type="module" src="${asset(assets.script)}"></script>
${input.isEmbedded ? '' : `    <script type="application/ld+json">${escapeJson(structuredDataOf(map, baseUrl + path))}</script>\n`}  </head>
  <body>
    <main id="app">
      <div class="page">
        <div class="side">
          <header class="head">
            <h1 class="title" dir="auto">${escapeText(map.name)}</h1>
            <p class="status"></p>
          </header>
          <noscript><p class="problem">The map needs JavaScript. It has ${count}; these are the first.</p></noscript>
          <ol class="rows">
${map.locations.nodes.slice(0, ROWS).map(renderRow).join('\n')}
          </ol>
        </div>
        <div class="map"></div>
      </div>
    </main>
    <script type="application/json" id="config">${escapeJson(configOf(input))}</script>
  </body>
</html>
`;
}

/** The page in every language, and in the reader's. */
function languageLinks(url: string): string {
  const link = (name: string, href: string) => `    <link rel="alternate" hreflang="${name}" href="${href}">`;
  const links = PAGE_LANGUAGES.map((language) => link(language, addressIn(url, language)));
  return [...links, link('x-default', url)].join('\n');
}

function addressIn(url: string, language: PageLanguage | null): string {
  return language === null ? url : `${url}?lang=${language}`;
}

/** Configuration for the page's script (web/map/config.ts). */
function configOf(input: MapPageInput) {
  const { mapId, map, isEmbedded } = input;
  return {
    mapId,
    name: map.name,
    fields: map.fields.map(({ name, type }) => ({ name, type })),
    ...givenSettings(map),
    ...commonConfigOf(input),
    isEmbedded,
    exports: exportChoices(),
  };
}

/** What the script needs to open a map by a link, too. Holds nothing of the map: it is the same for unknown ones. */
function commonConfigOf({ base, graphqlPath, settings, basemap }: CommonInput) {
  const { mediaOrigins, usesDocumentIds } = settings;
  return {
    graphqlUrl: base + graphqlPath.slice(1),
    documentId: usesDocumentIds ? documentIdOf('map') : null,
    tiles: shownTilesOf(settings, base, basemap),
    mediaOrigins,
  };
}

type CommonInput = Pick<MapPageInput, 'base' | 'graphqlPath' | 'settings' | 'basemap'>;

/** Locations listed in the HTML, for readers without scripts. */
const ROWS = 50;

/** The coarse basemap, which is drawn first. */
const FIRST_DATA = 'world-110m';

function renderRow({ id, name }: { id: string; name: string }): string {
  const href = `#location=${encodeURIComponent(id)}`;
  return `            <li><a class="row" href="${escapeAttribute(href)}"><span class="row-name" dir="auto">${escapeText(name)}</span></a></li>`;
}

/** An error page. */
export function renderMapError({ base, assetsPath, assets, title, text, opening }: MapErrorInput): string {
  const asset = (name: string) => escapeAttribute(base + assetsPath.slice(1) + name);
  const script = `
    <script type="module" src="${asset(assets.script)}"></script>`;
  const config = `
    <script type="application/json" id="config">${escapeJson(opening && { ...commonConfigOf({ base, ...opening }), startUrl: base })}</script>`;
  const message = `
      <h1>${escapeText(title)}</h1>
      <p>${escapeText(text)}</p>
      <p><a href="${escapeAttribute(base)}">Start page</a></p>
    `;
  return `${beginPage(title)}
    <link rel="icon" href="${ICON}">
${assets.styles.map((file) => `    <link rel="stylesheet" href="${asset(file)}">`).join('\n')}${opening === null ? '' : script}
  </head>
  <body>
    <main class="message">${opening === null ? message : `<noscript>${message}</noscript>`}</main>${opening === null ? '' : config}
  </body>
</html>
`;
}

export interface MapErrorInput extends Pick<MapPageInput, 'base' | 'assetsPath' | 'assets'> {
  readonly title: string;
  readonly text: string;
  /** For a page that opens its map where the reader has a link to it (web/map/map-key.ts); null for none. */
  readonly opening: Omit<CommonInput, 'base'> | null;
}
