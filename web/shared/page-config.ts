/** Configuration of a page, which the server writes into it as JSON. */

export interface Tiles {
  /** URL template with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  readonly attribution: readonly AttributionPart[];
}

export interface AttributionPart {
  readonly text: string;
  /** Null if the text is not a link. */
  readonly href: string | null;
}

export interface PageConfig {
  /** Relative to the page. */
  readonly graphqlUrl: string;
  /** Id of the stored document with all operations of this page; null to send their texts. */
  readonly documentId: string | null;
  /** Null for the built-in basemap. */
  readonly tiles: Tiles | null;
}

/** @throws Error if the page has no configuration */
export function readConfig<Config extends PageConfig>(): Config {
  const text = document.getElementById('config')?.textContent;
  if (text === undefined) throw new Error('The page has no configuration.');
  return JSON.parse(text) as Config;
}
