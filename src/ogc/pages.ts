/** The documents of /ogc as HTML (conformance class html), in the style of the start page. No page has a script. */

import type { JsonObject, JsonValue } from '../domain/json/json.ts';
import { cutText } from '../lib/cut-text.ts';
import { titleOf } from '../web/pages.ts';
import type { Html } from '../web/html.ts';
import { html } from '../web/html.ts';
import { beginPage, ICON, scrollingTable } from '../web/page-shell.ts';
import { startStyle } from '../web/start-page.ts';
import type { Collection, Collections, LandingPage } from './documents.ts';
import type { Link, Target, Targets } from './links.ts';
import { HTML_TYPE, urlOf } from './links.ts';
import { ITEMS_PARAMETERS, OPERATIONS } from './openapi.ts';

export interface PageInput {
  readonly title: string;
  /** From the start to the page above. */
  readonly above: readonly Target[];
  /** The links of the document. Those to pages are in the content, or lead above. */
  readonly links: readonly Link[];
  readonly content: Html;
}

export function renderPage({ title, above, links, content }: PageInput): string {
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
    ${content} ${footerOf(links)}
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

/** HTML has every link of the document, also to itself (OGC API - Features 1.0, requirement html/content). */
function footerOf(links: readonly Link[]): Html | null {
  const shown = links.filter(({ rel, type }) => rel === 'self' || type !== HTML_TYPE);
  if (shown.length === 0) return null;
  return html`<footer>
    ${shown.map(({ href, rel, type, title }) => {
      const name = rel === 'self' ? 'This page' : rel === 'alternate' ? 'As JSON' : `${title} as JSON`;
      return html`<a href="${href}" rel="${rel}" type="${type}">${name}</a>`;
    })}
  </footer>`;
}

export function errorContent(code: string, description: string, targets: Targets): Html {
  return html`<p>${description}</p>
    <dl>
      <dt>Code</dt>
      <dd><code>${code}</code></dd>
    </dl>
    <ul class="list">
      <li><a href="${urlOf(targets.api, 'html')}">API definition</a></li>
    </ul>`;
}

export function landingContent({ description, links }: LandingPage): Html {
  const shown = links.filter(({ rel, type }) => rel !== 'self' && type === HTML_TYPE);
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
    </dl>
    <h2>Parameters of locations</h2>
    <dl>
      ${ITEMS_PARAMETERS.map(
        ({ name, description }) =>
          html`<dt><code>${name}</code></dt>
            <dd>${description}</dd>`,
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
  const items = links.filter(({ rel, type }) => rel === 'items' && type === HTML_TYPE);
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

export interface ShownItems {
  readonly features: readonly (ShownFeature & { readonly href: string })[];
  /** Names of the fields that have a column. */
  readonly fields: readonly string[];
  /** Locations on all pages; null if they are not counted. */
  readonly matched: number | null;
  readonly links: readonly Link[];
  /** What must be shown with the points; empty for nothing. */
  readonly attribution: string;
}

export function itemsContent({ features, fields, matched, links, attribution }: ShownItems): Html {
  const rows = features.map(
    ({ href, name, id, geometry, properties }) =>
      html`<tr>
        <th scope="row"><a href="${href}">${name === '' ? id : name}</a></th>
        ${fields.map((field) => html`<td><div>${cutText(cellOf(properties, field), MAX_CELL_LENGTH)}</div></td>`)}
        <td>${pointOf(geometry)}</td>
      </tr>`,
  );
  const columns = ['Name', ...fields, POINT];
  return html`<p>${countOf(features.length, matched)}</p>
    ${rows.length === 0 ? null : scrollingTable('Locations', columns, rows)}${nextOf(links)}
    ${attribution === '' ? null : html`<p>${attribution}</p>`}`;
}

/** A page with 100 fields and 10,000 rows took two seconds of the event loop, and had 22 MB. */
const MAX_CELLS = 10_000;

/** More than the lines that a cell shows; the page of the location has all. */
const MAX_CELL_LENGTH = 500;

/** The most rows of a table with as many columns of fields. */
export function maxRows(fields: number): number {
  return Math.max(1, Math.floor(MAX_CELLS / Math.max(1, fields)));
}

function countOf(shown: number, matched: number | null): string {
  if (shown === 0) return 'No locations';
  const noun = (matched ?? shown) === 1 ? 'location' : 'locations';
  if (matched === null) return `${shown.toLocaleString('en')} ${noun} on this page`;
  const all = matched === shown ? '' : ` of ${matched.toLocaleString('en')}`;
  return `${shown.toLocaleString('en')}${all} ${noun}`;
}

const POINT = 'Latitude, longitude';

function pointOf({ coordinates: [longitude, latitude] }: ShownFeature['geometry']): string {
  return `${latitude}, ${longitude}`;
}

export function itemContent({ id, geometry, properties, updatedAt }: ShownFeature): Html {
  const values = Object.keys(properties).map(
    (field) =>
      html`<dt>${field}</dt>
        <dd>${cellOf(properties, field)}</dd>`,
  );
  return html`<dl>
    ${values}
    <dt>${POINT}</dt>
    <dd>${pointOf(geometry)}</dd>
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
