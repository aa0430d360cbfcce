/** The HTML page of GraphiQL, and headers that allow it nothing else. */
import type { GraphiqlAssetName } from './graphiql-assets.ts';
import type { ExampleQuery } from './example-queries.ts';
import { escapeAttribute, escapeJson, escapeText } from './escape.ts';
import { iconOf } from './icon.ts';
import { beginPage } from './page-head.ts';
import { isolatedPageHeaders } from './page-headers.ts';
import type { PageLink } from './pages.ts';
import { GRAPHIQL_PATH, headerLinks } from './pages.ts';
import { SITE_NAME, titleOf } from './page-title.ts';

export interface GraphiqlPageInput {
  /**
   * The relative path from the page to the server's root: `./`, `../`. So the page works below any prefix of a proxy.
   */
  readonly base: string;
  /** Path of the GraphQL endpoint, from the root: `/graphql`. */
  readonly graphqlPath: string;
  readonly examples: readonly ExampleQuery[];
  /** Whether `viewer` says whose a token is; true by default. */
  readonly hasViewer?: boolean;
  /** All that are served; none by default. */
  readonly pages?: readonly PageLink[];
  /** Random, new for every answer. */
  readonly nonce: string;
  /** Path of an asset, from the root. */
  readonly pathOf: (asset: GraphiqlAssetName) => string;
}

/**
 * Scripts may only be files of this server: no inline script, no eval. Styles too, except one: a dialog of GraphiQL
 * stops the page's scrolling with a `<style>` element, which gets the nonce. Styles that CodeMirror and React set on
 * elements use the CSSOM, which needs no permission. Fonts and small images are inside GraphiQL's style sheet, as data.
 */
export function graphiqlPageHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    // The nonce is for one answer only.
    'cache-control': 'no-store',
    ...isolatedPageHeaders({
      sources: [
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "connect-src 'self'",
        "img-src 'self' data:",
        "font-src 'self' data:",
      ],
    }),
  };
}

export function renderGraphiqlPage({
  base,
  graphqlPath,
  examples,
  hasViewer = true,
  pages = [],
  nonce,
  pathOf,
}: GraphiqlPageInput): string {
  const url = (path: string) => escapeAttribute(base + path.replace(/^\//, ''));
  const endpoint = base + graphqlPath.replace(/^\//, '');
  const config = { endpoint, examples, hasViewer, styleNonce: nonce };
  const links = [{ href: base, name: SITE_NAME }, ...headerLinks(pages, base, GRAPHIQL_PATH)];
  return `${beginPage(titleOf('GraphiQL'))}
    <link rel="icon" href="${ICON}">
    <link rel="stylesheet" href="${url(pathOf('graphiql.css'))}">
    <link rel="stylesheet" href="${url(pathOf('page.css'))}">
  </head>
  <body>
    <div id="access" role="region" aria-label="Access" hidden>
      <h1>GraphiQL</h1>
      <nav aria-label="Other pages">${links.map(({ href, name }) => `<a href="${escapeAttribute(href)}">${escapeText(name)}</a>`).join('')}</nav>
      <label for="token">Token</label>
      <input id="token" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="mlt_…">
      <label id="keep"><input id="keep-token" type="checkbox"> Keep for this tab</label>
      <p id="access-state" role="status"></p>
    </div>
    <main id="graphiql">
      <p class="notice" id="notice" hidden>Loading GraphiQL…</p>
      <noscript><p class="notice">GraphiQL needs JavaScript. Without it, POST your queries to ${escapeText(graphqlPath)}.</p></noscript>
    </main>
    <script type="application/json" id="graphiql-config">${escapeJson(config)}</script>
    <script src="${url(pathOf('page.js'))}"></script>
    <script src="${url(pathOf('react.js'))}" defer></script>
    <script src="${url(pathOf('react-dom.js'))}" defer></script>
    <script src="${url(pathOf('graphiql.js'))}" defer></script>
  </body>
</html>
`;
}

/** In the pink of GraphiQL. */
const ICON = iconOf('#d64292');
