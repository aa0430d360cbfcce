/** The HTML of the owner's workplace, and headers that allow it what it needs. web/console/ has its script. */

import { escapeAttribute } from './html.ts';
import type { MapPageInput, MapPageSettings } from './map-page.ts';
import { documentIdOf } from './page-documents.ts';
import { escapeJson, ICON } from './map-page.ts';

export type ConsolePageInput = Pick<MapPageInput, 'base' | 'assetsPath' | 'assets' | 'graphqlPath'> & {
  readonly settings: Pick<MapPageSettings, 'tiles' | 'asksByIds'>;
};

/** Scripts, styles and what is asked may only be of this server: a token is never sent elsewhere. */
export function consolePageHeaders({ tiles }: Pick<MapPageSettings, 'tiles'>): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${["'self'", 'data:', ...(tiles === null ? [] : [tiles.origin])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return {
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': tiles === null ? 'no-referrer' : 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

export function renderConsolePage({
  base,
  assetsPath,
  assets,
  graphqlPath,
  settings,
}: ConsolePageInput): string {
  const { tiles } = settings;
  const asset = (name: string) => escapeAttribute(base + assetsPath.slice(1) + name);
  const config = {
    graphqlUrl: base + graphqlPath.slice(1),
    documentId: settings.asksByIds ? documentIdOf('console') : null,
    mapsUrl: `${base}maps/`,
    tiles: tiles === null ? null : { url: tiles.url, attribution: tiles.attribution },
  };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Console · Map Locations</title>
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
