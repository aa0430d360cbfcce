/** The API reference: an OpenAPI document as an HTML page that needs no script. */

import type { JsonSchema, OpenApiDocument } from '../../rest/openapi/openapi.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { PageAssets } from '../page-assets.ts';
import { ICON, isolatedPageHeaders, scrollingTable } from '../page-shell.ts';
import type { PageLink } from '../pages.ts';
import { DOCS_PATH, headerLinks, SITE_NAME, titleOf } from '../pages.ts';
import { quote } from './curl.ts';
import type { ShownOperation } from './operation-view.ts';
import { badge, codeBlock, operationView } from './operation-view.ts';
import { inline, prose } from './prose.ts';
import { propertyList } from './schema-view.ts';

export interface DocsPageInput {
  readonly document: OpenApiDocument;
  /** Relative path from the page to the server's root, so that it works under any path prefix of a proxy. */
  readonly base: string;
  /** Base URL of the examples, without a trailing slash. */
  readonly serverUrl: string;
  readonly assets: PageAssets;
  /** All pages that the server offers. */
  readonly pages: readonly PageLink[];
  /** Absolute paths. */
  readonly paths: {
    readonly assets: string;
    readonly openApi: string;
    readonly sdl: string;
    readonly graphql: string;
    /** Null if GraphiQL is disabled. */
    readonly graphiql: string | null;
  };
}

/** Only files of this server, nothing inline. */
export const DOCS_PAGE_HEADERS = isolatedPageHeaders({
  sources: ["script-src 'self'", "style-src 'self'", 'img-src data:'],
});

export function renderDocsPage(input: DocsPageInput): string {
  const { document, assets, serverUrl } = input;
  const to = (path: string) => input.base + path.replace(/^\//, '');
  const asset = (name: string) => to(input.paths.assets + name);
  const operations = operationsOf(document);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${titleOf('API reference')}</title>
        <link rel="icon" href="${ICON}" />
        ${assets.styles.map((name) => html`<link rel="stylesheet" href="${asset(name)}" />`)}
        <script type="module" src="${asset(assets.script)}"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a class="brand" href="${input.base}">${SITE_NAME}</a>
          <nav class="pages" aria-label="Other pages">
            ${headerLinks(input.pages, input.base, DOCS_PATH).map(
              ({ href, name }) => html`<a href="${href}">${name}</a>`,
            )}
          </nav>
          <nav aria-label="Documents">
            <a href="${to(input.paths.openApi)}">OpenAPI</a>
            <a href="${to(input.paths.sdl)}">GraphQL schema</a>
          </nav>
        </header>
        <div class="layout">
          ${contents(document, operations)}
          <main id="content" tabindex="-1">
            ${introduction(input, to)}
            ${document.tags.map(
              ({ name, description }) =>
                html`<h2 id="${name.toLowerCase()}">${name}</h2>
                  ${prose(description)}
                  ${operations
                    .filter(({ operation }) => operation.tags.includes(name))
                    .map((shown) => operationView(document, serverUrl, shown))}`,
            )}
            ${errors(document.components.schemas['Error'] ?? {})}
            <h2 id="schemas">Schemas</h2>
            ${Object.entries(document.components.schemas).map(([name, schema]) => schemaView(name, schema))}
          </main>
        </div>
      </body>
    </html> `;
  return page.html;
}

function operationsOf({ paths }: OpenApiDocument): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function contents({ tags, components }: OpenApiDocument, operations: readonly ShownOperation[]): Html {
  return html`<nav class="contents" aria-label="Contents">
    <ul class="row">
      <li><a href="#introduction">Introduction</a></li>
      <li><a href="#token">Token</a></li>
      <li><a href="#graphql">GraphQL</a></li>
    </ul>
    ${tags.map(
      ({ name }) =>
        html`<p><a href="#${name.toLowerCase()}">${name}</a></p>
          <ul>
            ${operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map(
                ({ method, operation }) =>
                  html`<li>
                    <a href="#${operation.operationId}">${badge(method)} ${operation.summary}</a>
                  </li>`,
              )}
          </ul>`,
    )}
    <p><a href="#errors">Errors</a></p>
    <p><a href="#schemas">Schemas</a></p>
    <ul class="row">
      ${Object.keys(components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}
    </ul>
  </nav>`;
}

function introduction({ document, serverUrl, paths }: DocsPageInput, to: (path: string) => string): Html {
  const query = `curl ${quote(serverUrl + paths.graphql)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data '{"query": "{ viewer { maps { nodes { id name } } } }"}'`;
  return html`<section class="operation" aria-labelledby="introduction">
    <div class="text">
      <h1 id="introduction">API reference</h1>
      ${prose(document.info.description)}
      <h2 id="token">Token</h2>
      <p>Every request carries <code>Authorization: Bearer TOKEN</code>.</p>
      ${prose(document.components.securitySchemes['bearer']?.['description'] ?? '')}
      <h2 id="graphql">GraphQL</h2>
      <p>
        <code>${paths.graphql}</code> serves the same maps and locations and offers more: creating and editing
        maps, editing, moving, searching and clustering locations.
        ${
          paths.graphiql === null ? null : html`Explore it in <a href="${to(paths.graphiql)}">GraphiQL</a>. `
        }Tools
        can use <a href="${to(paths.sdl)}">its schema</a>.
      </p>
    </div>
    <div class="examples">
      ${codeBlock('Base URL', 'all paths', html`${serverUrl}`)}
      ${codeBlock('Request', 'GraphQL', html`${query}`)}
    </div>
  </section>`;
}

function errors({ properties = {} }: JsonSchema): Html {
  const rows = (properties['error']?.oneOf ?? []).map(
    ({ const: number, title = '', description = '' }) =>
      html`<tr>
        <th scope="row"><code>${number ?? ''}</code></th>
        <td>${title.split(', ').map((code) => html`<code>${code}</code> `)}</td>
        <td>${inline(description)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="errors">
    <h2 id="errors">Errors</h2>
    <p>The number in <code>error</code>, the corresponding GraphQL code, and its cause.</p>
    ${scrollingTable('Table of errors', ['Number', 'Code', 'Cause'], rows)}
  </section>`;
}

function schemaView(name: string, schema: JsonSchema): Html {
  return html`<section class="schema" aria-labelledby="schema-${name}">
    <h3 id="schema-${name}">${name}</h3>
    ${prose(schema.description ?? '')} ${propertyList(schema)}
  </section>`;
}
