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

const PAGES: readonly PageLink[] = [
  {
    path: CONSOLE_PATH,
    name: 'Console',
    text: 'Make maps, import and edit their locations, and publish them.',
  },
  { path: '/graphiql', name: 'GraphiQL', text: 'Try GraphQL queries, with the whole schema beside them.' },
  { path: '/docs', name: 'API reference', text: 'Every request of /v0, with its answers and errors.' },
  { path: '/schema.graphql', name: 'GraphQL schema', text: 'The SDL, to generate code from.' },
];

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
