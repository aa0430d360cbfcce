/** What the server says to every page's script, as JSON within the page. */

export interface Tiles {
  /** With `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  readonly attribution: readonly AttributionPart[];
}

export interface AttributionPart {
  readonly text: string;
  /** Null where the text is no link. */
  readonly href: string | null;
}

export interface PageConfig {
  /** Relative to the page. */
  readonly graphqlUrl: string;
  /** Of the document with all operations of this page; null where GraphQL takes texts. */
  readonly documentId: string | null;
  /** Null for the basemap that the page draws itself. */
  readonly tiles: Tiles | null;
}

/** @throws Error where the page is not ours */
export function readConfig<Config extends PageConfig>(): Config {
  const text = document.getElementById('config')?.textContent;
  if (text === undefined) throw new Error('The page has no configuration.');
  return JSON.parse(text) as Config;
}
