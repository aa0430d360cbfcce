/** The HTML and headers of the console. Its script is in web/console/. */

import { escapeAttribute, escapeJson } from './html.ts';
import type { MapPageInput, MapPageSettings } from './map-page.ts';
import { documentIdOf } from './page-assets.ts';
import { beginPage, ICON, isolatedPageHeaders } from './page-shell.ts';
import type { PageLink } from './pages.ts';
import { CONSOLE_PATH, headerLinks, titleOf } from './pages.ts';
import { shownTilesOf } from './tiles.ts';
import { exportChoices, importFormats } from './transfer-formats.ts';

/** How much of the history of locations is kept; 0 keeps none. */
export interface KeptHistory {
  readonly days: number;
  /** Former states of each location. */
  readonly maxVersions: number;
  readonly trashDays: number;
}

export type ConsolePageInput = Pick<
  MapPageInput,
  'base' | 'assetsPath' | 'assets' | 'graphqlPath' | 'basemap'
> & {
  readonly settings: Pick<MapPageSettings, 'tiles' | 'basemapFile' | 'usesDocumentIds'>;
  readonly history: KeptHistory;
  /** From the root. */
  readonly ogcPath: string;
  /** Null if it is not served. */
  readonly mcpPath: string | null;
  /** All pages that the server offers. */
  readonly pages: readonly PageLink[];
};

/** Scripts, styles and requests are limited to this server, so that a token is never sent elsewhere. */
export function consolePageHeaders({
  tiles,
}: Pick<MapPageSettings, 'tiles'>): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-cache',
    ...isolatedPageHeaders({
      sources: [
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        // The preview of an embedded map.
        "frame-src 'self'",
        // The import worker.
        "worker-src 'self'",
        `img-src ${["'self'", 'data:', ...(tiles === null ? [] : [tiles.origin])].join(' ')}`,
      ],
      referrerPolicy: tiles === null ? 'no-referrer' : 'strict-origin-when-cross-origin',
    }),
  };
}

export function renderConsolePage({
  base,
  assetsPath,
  assets,
  graphqlPath,
  settings,
  basemap,
  history,
  ogcPath,
  mcpPath,
  pages,
}: ConsolePageInput): string {
  const asset = (name: string) => escapeAttribute(base + assetsPath.slice(1) + name);
  const config = {
    graphqlUrl: base + graphqlPath.slice(1),
    documentId: settings.usesDocumentIds ? documentIdOf('console') : null,
    mapsUrl: `${base}maps/`,
    authUrl: `${base}auth/`,
    ogcUrl: base + ogcPath.slice(1),
    mcpUrl: mcpPath === null ? null : base + mcpPath.slice(1),
    startUrl: base,
    pages: headerLinks(pages, base, CONSOLE_PATH),
    imports: importFormats(),
    exports: exportChoices(),
    history,
    tiles: shownTilesOf(settings, base, basemap),
  };
  return `${beginPage(titleOf('Console'))}
    <link rel="icon" href="${ICON}">
${assets.styles.map((file) => `    <link rel="stylesheet" href="${asset(file)}">`).join('\n')}
${assets.modules.map((file) => `    <link rel="modulepreload" href="${asset(file)}">`).join('\n')}
    <script type="module" src="${asset(assets.script)}"></script>
  </head>
  <body>
    <div id="app"><noscript>The console needs JavaScript.</noscript></div>
    <script type="application/json" id="config">${escapeJson(config)}</script>
  </body>
</html>
`;
}
