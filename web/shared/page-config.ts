/** Configuration of a page, which the server writes into it as JSON. */

import type { ShownTiles } from '../../src/web/tiles.ts';

export type Tiles = ShownTiles;

export interface PageConfig {
  /** Relative to the page. */
  readonly graphqlUrl: string;
  /** Id of the stored document with all operations of this page; null to send their texts. */
  readonly documentId: string | null;
  /** Null for the built-in basemap alone. */
  readonly tiles: Tiles | null;
}

/** @throws Error if the page has no configuration */
export function readConfig<Config extends PageConfig>(): Config {
  const text = document.getElementById('config')?.textContent;
  if (text === undefined) throw new Error('The page has no configuration.');
  return JSON.parse(text) as Config;
}
