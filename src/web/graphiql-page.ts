/** The HTML and headers of the GraphiQL page. */

import type { ExampleQuery } from './example-queries.ts';
import type { GraphiqlAssetName } from './graphiql-assets.ts';
import { escapeAttribute, escapeJson, escapeText } from './html.ts';
import { beginPage, iconOf, isolatedPageHeaders } from './page-shell.ts';
import type { PageLink } from './pages.ts';
import { GRAPHIQL_PATH, headerLinks, SITE_NAME, titleOf } from './pages.ts';

export interface GraphiqlPageInput {
  /** Relative path from the page to the server's root, so that it works under any path prefix of a proxy. */
  readonly base: string;
  /** Absolute path of the GraphQL endpoint, such as `/graphql`. */
  readonly graphqlPath: string;
  readonly examples: readonly ExampleQuery[];
  /** Whether the API has `viewer`; true by default. */
  readonly hasViewer?: boolean;
  /** All pages that the server offers; none by default. */
  readonly pages?: readonly PageLink[];
  /** Random, unique to the response. */
  readonly nonce: string;
  /** Absolute path of an asset. */
  readonly pathOf: (asset: GraphiqlAssetName) => string;
}

/**
 * Scripts and styles are limited to files of this server. One exception: a dialog of GraphiQL disables scrolling with a
 * `<style>` element, which gets the nonce. CodeMirror and React set styles through the CSSOM, which needs no permission.
 * GraphiQL's style sheet contains its fonts and images as data URLs.
 */
export function graphiqlPageHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    // The nonce is for one response.
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

/** In GraphiQL's pink. */
const ICON = iconOf('#d64292');
