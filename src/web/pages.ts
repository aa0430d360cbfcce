/** The pages that the server offers: their paths, titles and links. */

import { CONSOLE_PATH, mapPath } from '../domain/secret-links.ts';

export { CONSOLE_PATH, mapPath } from '../domain/secret-links.ts';

export const SITE_NAME = 'Map Locations';

/** The attribute `allow` of frames with a map: for "Near me" and "Copy link", which browsers deny to frames of other sites. */
export const FRAME_PERMISSIONS = 'geolocation; clipboard-write';

/** The title of a page, its distinctive part first. The page of a map has only the name of the map. */
export function titleOf(page: string): string {
  return `${page} · ${SITE_NAME}`;
}

export interface PageLink {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  /** One sentence. */
  readonly text: string;
}

export const START_PATH = '/';
export const GRAPHIQL_PATH = '/graphiql';
export const DOCS_PATH = '/docs';
export const SDL_PATH = '/schema.graphql';

const PAGES: readonly PageLink[] = [
  {
    path: CONSOLE_PATH,
    name: 'Console',
    text: 'Create maps, import and edit their locations, and publish them.',
  },
  { path: GRAPHIQL_PATH, name: 'GraphiQL', text: 'Write and run GraphQL queries, with the schema at hand.' },
  { path: DOCS_PATH, name: 'API reference', text: 'All requests of /v0, with their responses and errors.' },
  { path: SDL_PATH, name: 'GraphQL schema', text: 'The SDL, for code generators and other tools.' },
];

/** A link in a page's header. */
export interface HeaderLink {
  /** Relative to the page. */
  readonly href: string;
  readonly name: string;
}

/**
 * Links in the header of a page: to all other pages except the start page and the schema, which is a file.
 *
 * @param base relative path from the page to the server's root
 * @param own path of the page
 */
export function headerLinks(pages: readonly PageLink[], base: string, own: string): readonly HeaderLink[] {
  return pages
    .filter(({ path }) => path !== own && path !== SDL_PATH)
    .map(({ path, name }) => ({ href: base + path.slice(1), name }));
}

export interface ServedPages {
  readonly pages: readonly PageLink[];
  /** Whether published maps have pages. */
  readonly hasMapPages: boolean;
}

/** @param isServed whether the server has a route for the path */
export function servedPages(isServed: (path: string) => boolean): ServedPages {
  return { pages: PAGES.filter(({ path }) => isServed(path)), hasMapPages: isServed(mapPath('id')) };
}
