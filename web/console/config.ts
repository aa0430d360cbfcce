/** What the server says to the page's script; see src/web/console-page.ts, which writes it. */

import type { Tiles } from '../map/config.ts';

export interface ConsoleConfig {
  /** Relative to the page. */
  readonly graphqlUrl: string;
  /** Of the document with all operations of this page; null where GraphQL takes texts. */
  readonly documentId: string | null;
  /** Relative to the page, with a slash at its end. */
  readonly mapsUrl: string;
  /** Null for the basemap that the page draws itself. */
  readonly tiles: Tiles | null;
}

/** @throws Error where the page is not ours */
export function readConfig(): ConsoleConfig {
  const text = document.getElementById('config')?.textContent;
  if (text === undefined) throw new Error('The page has no configuration.');
  return JSON.parse(text) as ConsoleConfig;
}
