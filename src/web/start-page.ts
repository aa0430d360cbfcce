/** The start page: its HTML, style sheet, script and headers. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { fileOfPackage, runsFromSource } from '../lib/package-files.ts';
import { escapeAttribute, escapeText } from './html.ts';
import { beginPage, ICON, isolatedPageHeaders, PIN } from './page-shell.ts';
import type { PageLink } from './pages.ts';
import { SITE_NAME } from './pages.ts';

const STYLE_NAME = 'start.css';
const STYLE_SOURCES = ['web/shared/theme.css', 'src/web/start/page.css'];

export interface StartPageInput {
  /** The demo map; null if there is none or it is not published. */
  readonly demo: PageLink | null;
  readonly pages: readonly PageLink[];
  /** Absolute URL without a trailing slash. */
  readonly baseUrl: string;
  readonly graphqlPath: string;
  /** The path of the TileJSON of a map; null if there are no maps. */
  readonly tilesPath: string | null;
  /** Null if it is not served. */
  readonly mcpPath: string | null;
  /** Null where the server has no OGC API - Features. */
  readonly ogcPath: string | null;
  readonly texts: StartPageTexts;
}

export interface StartPageTexts {
  /** Describes the server in a sentence. */
  readonly tagline: string;
  /** HTML: how clients get access. */
  readonly access: string;
}

export const STORE_TEXTS: StartPageTexts = {
  tagline: 'A server for maps and their locations.',
  access: `<p>Requests need the header <code>Authorization: Bearer TOKEN</code>. The operator of the server creates tokens:</p>
      <pre tabindex="0" role="region" aria-label="Command to create a token"><code>npx map-locations token create --owner NAME</code></pre>
      <p>NAME is the owner of the maps and tokens.</p>`,
};

export const UPSTREAM_TEXTS: StartPageTexts = {
  tagline: 'A gateway with GraphQL and REST in front of another service for maps and their locations.',
  access: `<p>Requests need the header <code>Authorization: Bearer TOKEN</code> with a token of the upstream service.
      This server forwards it and does not store it.</p>`,
};

/** Shows the buttons that copy addresses, where the browser has a clipboard for pages: over https, and on this machine. */
const SCRIPT = `
      const { clipboard } = navigator;
      for (const button of clipboard ? document.querySelectorAll('dd button') : []) {
        button.hidden = false;
        button.addEventListener('click', async () => {
          await clipboard.writeText(button.previousElementSibling.textContent);
          button.textContent = button.ariaLabel = 'Copied';
        });
      }
    `;

/** Also for pages that have only its style sheet. */
export function startPageHeaders(): Readonly<Record<string, string>> {
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  const sources = [
    `style-src 'sha256-${hashOf(startStyle())}'`,
    `script-src 'sha256-${hashOf(SCRIPT)}'`,
    'img-src data:',
  ];
  return {
    // The links may change at any time.
    'cache-control': 'no-cache',
    ...isolatedPageHeaders({ sources }),
  };
}

/**
 * The page is public. It reveals neither the version, which would help attackers, nor the store, the geocoder or any data
 * except the published demo map.
 */
export function renderStartPage(input: StartPageInput): string {
  const { demo, pages, baseUrl, graphqlPath, tilesPath, ogcPath, mcpPath, texts } = input;
  const links = [
    ...(demo === null ? [] : [itemOf(demo, ' class="demo"')]),
    ...pages.map((page) => itemOf(page)),
  ];
  const address = (name: string, path: string) =>
    `<dt>${name}</dt><dd><code>${escapeText(baseUrl + path)}</code> <button type="button" aria-label="Copy the address: ${name}" hidden>Copy</button></dd>`;
  const addresses = [
    address('GraphQL', graphqlPath),
    address('REST', '/v0'),
    ...(tilesPath === null ? [] : [address('Vector tiles', tilesPath)]),
    ...(ogcPath === null ? [] : [address('OGC API - Features', ogcPath)]),
    ...(mcpPath === null ? [] : [address('MCP', mcpPath)]),
  ];
  return `${beginPage(SITE_NAME)}
    <link rel="icon" href="${ICON}">
    <style>${startStyle()}</style>
  </head>
  <body>
    <main>
      <header>
        <svg viewBox="0 0 16 16" aria-hidden="true">${PIN}</svg>
        <div>
          <h1>${SITE_NAME}</h1>
          <p>${escapeText(texts.tagline)}</p>
        </div>
      </header>
      <ul class="links">
        ${links.join('\n        ')}
      </ul>
      <h2>APIs</h2>
      <dl>${addresses.join('')}</dl>
      <h2>Access</h2>
      ${texts.access}
    </main>
    <script>${SCRIPT}</script>
  </body>
</html>
`;
}

function itemOf({ path, name, text }: PageLink, attributes = ''): string {
  // Relative, so that it works under any path prefix of a proxy.
  const href = escapeAttribute(`.${path}`);
  return `<li${attributes}><a href="${href}">${escapeText(name)}</a><p>${escapeText(text)}</p></li>`;
}

let style: string | undefined;

/** The style sheet, which is small enough to be inlined. */
export function startStyle(): string {
  style ??= runsFromSource ? joinStyles() : readFileSync(fileOfPackage(`dist/web/${STYLE_NAME}`), 'utf8');
  return style;
}

/**
 * For scripts/build.mjs.
 *
 * @param folder created if it does not exist
 */
export function writeStartStyle(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, STYLE_NAME), joinStyles());
}

function joinStyles(): string {
  return STYLE_SOURCES.map((path) => readFileSync(fileOfPackage(path), 'utf8')).join('');
}
