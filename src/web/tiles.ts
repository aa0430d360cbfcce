/** Map tiles of the operator's choice, in place of the built-in basemap. */

import type { TextPart } from '../domain/attribution.ts';
import { linkedParts } from '../domain/attribution.ts';

export interface Tiles {
  /** URL template with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Origin of the tile server, for the Content-Security-Policy. */
  readonly origin: string;
  readonly attribution: readonly TextPart[];
}

/** Placeholders that Leaflet replaces; `{r}` is `@2x` on high-density screens. */
const PLACEHOLDERS = /\{[zxyr]\}/g;

/** Whether the text is an absolute http(s) URL with `{z}`, `{x}` and `{y}` after its host. */
export function isTileUrl(text: string): boolean {
  const filled = text.replace(PLACEHOLDERS, '0');
  if (!URL.canParse(filled) || /[\s{}]/.test(filled)) return false;
  const { protocol, username, password, origin } = new URL(filled);
  return (
    (protocol === 'http:' || protocol === 'https:') &&
    username === '' &&
    password === '' &&
    ['{z}', '{x}', '{y}'].every((placeholder) => text.includes(placeholder)) &&
    text.toLowerCase().startsWith(`${origin}/`)
  );
}

/** @param attribution text; `[text](https://…)` is a link */
export function tilesOf(url: string, attribution: string): Tiles {
  return {
    url,
    origin: new URL(url.replace(PLACEHOLDERS, '0')).origin,
    attribution: linkedParts(attribution),
  };
}
