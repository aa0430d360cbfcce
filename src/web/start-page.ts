/** The HTML of the start page, and headers that allow it nothing else. It has no script. */

import { createHash } from 'node:crypto';

import { escapeAttribute, escapeText } from './escape.ts';
import { ICON, PIN } from './icon.ts';
import { beginPage } from './page-head.ts';
import { isolatedPageHeaders } from './page-headers.ts';
import { SITE_NAME } from './page-title.ts';
import type { PageLink } from './pages.ts';

export interface StartPageInput {
  /** The map that the first start made, where it is published. */
  readonly demo: PageLink | null;
  readonly pages: readonly PageLink[];
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly graphqlPath: string;
  readonly texts: StartPageTexts;
  readonly style: string;
}

/** What the page says of the server. */
export interface StartPageTexts {
  /** One sentence. */
  readonly tagline: string;
  /** HTML: how a client gets access. */
  readonly access: string;
}

export const STORE_TEXTS: StartPageTexts = {
  tagline: 'A server for maps and their locations.',
  access: `<p>Requests carry <code>Authorization: Bearer TOKEN</code>. Whoever runs the server makes tokens:</p>
      <pre tabindex="0" role="region" aria-label="Command that makes a token"><code>npx map-locations token create --owner NAME</code></pre>
      <p>NAME is the name that maps and tokens belong to.</p>`,
};

export const UPSTREAM_TEXTS: StartPageTexts = {
  tagline: 'A gateway: GraphQL and REST in front of another service for maps and their locations.',
  access: `<p>Requests carry <code>Authorization: Bearer TOKEN</code>, with a token of the service behind this one.
      It is passed on, and kept nowhere.</p>`,
};

export function startPageHeaders(style: string): Readonly<Record<string, string>> {
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    // Which links there are may change at any time.
    'cache-control': 'no-cache',
    ...isolatedPageHeaders({ sources: [`style-src 'sha256-${hash}'`, 'img-src data:'] }),
  };
}

/**
 * Whoever can reach the server reads this page. So it names neither the version, which would tell what faults there are
 * to use, nor the store, the geocoder or anything of what is stored but the map that is public.
 */
export function renderStartPage({ demo, pages, baseUrl, graphqlPath, texts, style }: StartPageInput): string {
  const links = [
    ...(demo === null ? [] : [itemOf(demo, ' class="demo"')]),
    ...pages.map((page) => itemOf(page)),
  ];
  const address = (name: string, path: string) =>
    `<dt>${name}</dt><dd><code>${escapeText(baseUrl + path)}</code></dd>`;
  return `${beginPage(SITE_NAME)}
    <link rel="icon" href="${ICON}">
    <style>${style}</style>
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
      <h2>For programs</h2>
      <dl>${address('GraphQL', graphqlPath)}${address('REST', '/v0')}</dl>
      <h2>Access</h2>
      ${texts.access}
    </main>
  </body>
</html>
`;
}

function itemOf({ path, name, text }: PageLink, attributes = ''): string {
  // Relative, so that it works below any prefix of a proxy.
  const href = escapeAttribute(`.${path}`);
  return `<li${attributes}><a href="${href}">${escapeText(name)}</a><p>${escapeText(text)}</p></li>`;
}
