/** The paths of /ogc, and the links between its documents (OGC API - Features 1.0, 5.2). */

export const OGC_PATH = '/ogc';

export type Format = 'json' | 'html';

export const JSON_TYPE = 'application/json';
export const GEOJSON_TYPE = 'application/geo+json';
export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0';
export const HTML_TYPE = 'text/html';

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
  readonly title: string;
}

export function isOgcPath(path: string): boolean {
  return path === OGC_PATH || path.startsWith(`${OGC_PATH}/`);
}

/** A document, and the link target in each of its formats. */
export interface Target {
  /** Absolute, without a query string. */
  readonly url: string;
  /** Media type of its JSON. */
  readonly type: string;
  readonly title: string;
  /** Query parameters besides `f`. */
  readonly query?: readonly (readonly [name: string, value: string])[];
}

export function urlOf({ url, query = [] }: Target, format: Format): string {
  const parameters = [['f', format], ...query.filter(([name]) => name !== 'f')];
  const text = parameters.map((pair) => pair.map((part = '') => encodeURIComponent(part)).join('='));
  return `${url}?${text.join('&')}`;
}

export function linkTo(target: Target, rel: string, format: Format): Link {
  const { type, title } = target;
  return { href: urlOf(target, format), rel, type: format === 'json' ? type : HTML_TYPE, title };
}

/** Links from a document to itself and to its other format. */
export function ownLinks(target: Target, format: Format): readonly Link[] {
  const other = format === 'json' ? 'html' : 'json';
  return [linkTo(target, 'self', format), linkTo(target, 'alternate', other)];
}

/** The same for a page of a list, with a link to the next page. @param next null for the last page */
export function pageLinks(target: Target, next: Target | null, format: Format): readonly Link[] {
  return [...ownLinks(target, format), ...(next === null ? [] : [linkTo(next, 'next', format)])];
}

/** The documents of a server. */
export class Targets {
  readonly #root: string;

  /** @param baseUrl of the server, without a trailing slash */
  constructor(baseUrl: string) {
    this.#root = baseUrl + OGC_PATH;
  }

  get root(): Target {
    return { url: this.#root, type: JSON_TYPE, title: 'Start' };
  }

  get conformance(): Target {
    return { url: `${this.#root}/conformance`, type: JSON_TYPE, title: 'Conformance' };
  }

  get api(): Target {
    return { url: `${this.#root}/api`, type: OPENAPI_TYPE, title: 'API definition' };
  }

  get collections(): Target {
    return { url: `${this.#root}/collections`, type: JSON_TYPE, title: 'Maps' };
  }

  collection({ id, name }: { readonly id: string; readonly name: string }): Target {
    return { url: `${this.#root}/collections/${encodeURIComponent(id)}`, type: JSON_TYPE, title: name };
  }

  items({ id }: { readonly id: string }): Target {
    const url = `${this.#root}/collections/${encodeURIComponent(id)}/items`;
    return { url, type: GEOJSON_TYPE, title: 'Locations' };
  }

  item(map: { readonly id: string }, location: { readonly id: string; readonly name: string }): Target {
    const url = `${this.items(map).url}/${encodeURIComponent(location.id)}`;
    return { url, type: GEOJSON_TYPE, title: location.name };
  }
}
