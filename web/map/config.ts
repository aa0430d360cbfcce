/** What the server says to the page's script; see src/web/map-page.ts, which writes it. */

import type { FieldType } from '../shared/field-values.ts';

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
  readonly mapId: string;
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
  /** Relative to the page. */
  readonly graphqlUrl: string;
  /** Of the document with all operations of this page; null where GraphQL takes texts. */
  readonly documentId: string | null;
  /** Null for the basemap that the page draws itself. */
  readonly tiles: Tiles | null;
  /** Origins of pictures and sounds that may be loaded, beside the page's own. */
  readonly mediaOrigins: readonly string[];
  readonly isEmbedded: boolean;
}

/** @throws Error where the page is not ours */
export function readConfig(): PageConfig {
  const text = document.getElementById('config')?.textContent;
  if (text === undefined) throw new Error('The page has no configuration.');
  return JSON.parse(text) as PageConfig;
}
