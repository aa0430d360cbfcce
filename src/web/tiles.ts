/** Map tiles of the operator's choice: of a server, in place of the built-in basemap, or of a file, on top of it. */

import type { TextPart } from '../domain/attribution.ts';
import { linkedParts } from '../domain/attribution.ts';
import type { Archive } from './basemap-file/archive.ts';
import type { Box } from './basemap/box.ts';

export interface Tiles {
  /** URL template with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Origin of the tile server, for the Content-Security-Policy. */
  readonly origin: string;
  readonly attribution: readonly TextPart[];
}

export interface BasemapFileSettings {
  readonly path: string;
  /** Shown instead of the file's own; null for that. */
  readonly attribution: readonly TextPart[] | null;
}

export interface TileSettings {
  /** Of a tile server; null for the built-in basemap. */
  readonly tiles: Tiles | null;
  /** Null if there is none. It is never set together with `tiles`. */
  readonly basemapFile: BasemapFileSettings | null;
}

/** The tiles in the configuration of a page. */
export type ShownTiles = TileServer | TileFile;

export interface TileServer {
  readonly kind: 'server';
  /** As of {@link Tiles}. */
  readonly url: string;
  readonly attribution: readonly TextPart[];
}

export interface TileFile {
  readonly kind: 'file';
  /** Of the PMTiles archive, relative to the page. */
  readonly url: string;
  readonly bounds: Box;
  readonly attribution: readonly TextPart[];
}

/** The path of the file with the tiles, from the root. */
export const BASEMAP_PATH = '/basemap.pmtiles';

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

/**
 * @param base relative path from the page to the server's root
 * @param archive what the file holds; null if it cannot be used
 * @returns null for the built-in basemap alone
 */
export function shownTilesOf(
  { tiles, basemapFile }: TileSettings,
  base: string,
  archive: Archive | null,
): ShownTiles | null {
  if (tiles !== null) return { kind: 'server', url: tiles.url, attribution: tiles.attribution };
  if (basemapFile === null || archive === null) return null;
  return {
    kind: 'file',
    url: base + BASEMAP_PATH.slice(1),
    bounds: archive.bounds,
    attribution: basemapFile.attribution ?? archive.attribution,
  };
}
