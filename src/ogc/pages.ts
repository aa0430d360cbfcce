/** The documents of /ogc as HTML (conformance class html), in the style of the start page. No page has a script. */

import type { JsonObject, JsonValue } from '../domain/json/json.ts';
import { titleOf } from '../web/pages.ts';
import type { Html } from '../web/html.ts';
import { html } from '../web/html.ts';
import { beginPage, ICON, scrollingTable } from '../web/page-shell.ts';
import { startStyle } from '../web/start-page.ts';
import type { Collection, Collections, LandingPage } from './documents.ts';
import type { Link, Target } from './links.ts';
import { urlOf } from './links.ts';
import { OPERATIONS } from './openapi.ts';

export interface PageInput {
  readonly title: string;
  /** From the start to the page above. */
  readonly above: readonly Target[];
  /** The same document as JSON. */
  readonly json: Link;
  readonly content: Html;
}

export function renderPage({ title, above, json, content }: PageInput): string {
  const trail = above.map((target) => html`<li><a href="${urlOf(target, 'html')}">${target.title}</a></li>`);
  const body = html` <main>
    ${
      above.length === 0
        ? null
        : html`<nav aria-label="Breadcrumb">
            <ol class="trail">
              ${trail}
            </ol>
          </nav>`
    }
    <h1>${title}</h1>
    ${content}
    <footer><a href="${json.href}" type="${json.type}">As JSON</a></footer>
  </main>`;
  return `${beginPage(titleOf(title))}
    <link rel="icon" href="${ICON}">
    <style>${startStyle()}</style>
  </head>
  <body>${body.html}
  </body>
</html>
`;
}

export function landingContent({ description, links }: LandingPage): Html {
  const shown = links.filter(({ rel }) => rel === 'data' || rel === 'service-doc' || rel === 'conformance');
  return html`<p>${description}</p>
    <ul class="list">
      ${shown.map(itemOf)}
    </ul>`;
}

export function conformanceContent(classes: readonly string[]): Html {
  return html`<ul class="list">
    ${classes.map((name) => html`<li><code>${name}</code></li>`)}
  </ul>`;
}

export function apiContent(): Html {
  return html`<dl>
    ${OPERATIONS.map(
      ({ path, summary }) =>
        html`<dt><code>GET ${path}</code></dt>
          <dd>${summary}</dd>`,
    )}
  </dl>`;
}

export function collectionsContent({ collections, links }: Collections): Html {
  if (collections.length === 0) return html`<p>There are no maps.</p>`;
  const maps = collections.flatMap(({ title, links: own }) =>
    own.filter(({ rel }) => rel === 'self').map((link) => itemOf({ ...link, title })),
  );
  return html`<ul class="list">
      ${maps}
    </ul>
    ${nextOf(links)}`;
}

export function collectionContent({ id, crs, links }: Collection): Html {
  const items = links.filter(({ rel, type }) => rel === 'items' && type === 'text/html');
  return html`<dl>
      <dt>Id</dt>
      <dd><code>${id}</code></dd>
      <dt>Coordinates</dt>
      <dd><code>${crs}</code></dd>
    </dl>
    <ul class="list">
      ${items.map(itemOf)}
    </ul>`;
}

/** The members of a feature that pages show. */
export interface ShownFeature {
  readonly id: string;
  readonly name: string;
  readonly geometry: { readonly coordinates: readonly number[] };
  readonly properties: JsonObject;
  readonly updatedAt: string;
}

/** @param fields names of the columns */
export function itemsContent(
  features: readonly (ShownFeature & { readonly href: string })[],
  fields: readonly string[],
  summary: string,
  links: readonly Link[],
  attribution: string,
): Html {
  const rows = features.map(
    ({ href, name, id, properties }) =>
      html`<tr>
        <th scope="row"><a href="${href}">${name === '' ? id : name}</a></th>
        ${fields.map((field) => html`<td>${cellOf(properties, field)}</td>`)}
      </tr>`,
  );
  const table = scrollingTable('Locations', ['Name', ...fields], rows);
  return html`<p>${summary}</p>
    ${rows.length === 0 ? null : table}${nextOf(links)}${attribution === '' ? null : html`<p>${attribution}</p>`}`;
}

export function itemContent({ id, geometry, properties, updatedAt }: ShownFeature): Html {
  const [longitude, latitude] = geometry.coordinates;
  const values = Object.keys(properties).map(
    (field) =>
      html`<dt>${field}</dt>
        <dd>${cellOf(properties, field)}</dd>`,
  );
  return html`<dl>
    ${values}
    <dt>Latitude, longitude</dt>
    <dd>${latitude ?? null}, ${longitude ?? null}</dd>
    <dt>Last changed</dt>
    <dd>${updatedAt}</dd>
    <dt>Id</dt>
    <dd><code>${id}</code></dd>
  </dl>`;
}

function itemOf({ href, title }: Link): Html {
  return html`<li><a href="${href}">${title}</a></li>`;
}

function nextOf(links: readonly Link[]): Html | null {
  const next = links.find(({ rel }) => rel === 'next');
  return next === undefined ? null : html`<p><a href="${next.href}" rel="next">Next page</a></p>`;
}

function cellOf(properties: JsonObject, field: string): string {
  const value: JsonValue | undefined = Object.hasOwn(properties, field) ? properties[field] : '';
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
