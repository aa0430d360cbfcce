/** What a person can open in a browser: the links of the start page, and what a start prints. */

export interface PageLink {
  /** From the root. */
  readonly path: string;
  readonly name: string;
  /** One sentence. */
  readonly text: string;
}

export const START_PATH = '/';
export const CONSOLE_PATH = '/console';
export const GRAPHIQL_PATH = '/graphiql';
export const DOCS_PATH = '/docs';
export const SDL_PATH = '/schema.graphql';

const PAGES: readonly PageLink[] = [
  {
    path: CONSOLE_PATH,
    name: 'Console',
    text: 'Make maps, import and edit their locations, and publish them.',
  },
  { path: GRAPHIQL_PATH, name: 'GraphiQL', text: 'Try GraphQL queries, with the whole schema beside them.' },
  { path: DOCS_PATH, name: 'API reference', text: 'Every request of /v0, with its answers and errors.' },
  { path: SDL_PATH, name: 'GraphQL schema', text: 'The SDL, to generate code from.' },
];

/** A link in a page's header. */
export interface HeaderLink {
  /** Relative to the page. */
  readonly href: string;
  readonly name: string;
}

/**
 * What the header of a page leads to, beside the start page: the other pages. The schema is a file.
 *
 * @param base the relative path from the page to the server's root
 * @param own the page's path
 */
export function headerLinks(pages: readonly PageLink[], base: string, own: string): readonly HeaderLink[] {
  return pages
    .filter(({ path }) => path !== own && path !== SDL_PATH)
    .map(({ path, name }) => ({ href: base + path.slice(1), name }));
}

export function mapPath(id: string): string {
  return `/maps/${id}`;
}

export interface ServedPages {
  readonly pages: readonly PageLink[];
  /** Whether published maps have pages. */
  readonly hasMapPages: boolean;
}

/** @param isServed whether the server answers a path */
export function servedPages(isServed: (path: string) => boolean): ServedPages {
  return { pages: PAGES.filter(({ path }) => isServed(path)), hasMapPages: isServed(mapPath('id')) };
}
