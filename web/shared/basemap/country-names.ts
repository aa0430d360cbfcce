/** The names of countries on the basemap, in the reader's language, while the map shows much of the world. */

import type { CountryName } from '../../../src/web/basemap/world.ts';
import type { Ink, Tile } from './labels.ts';
import { placeOf } from './labels.ts';

/** As scripts/countries.mjs places them. */
const TO_ZOOM = 5;
/** Pixels around a tile from where a name may reach into it. */
const REACH = { west: 160, north: 10, east: 160, south: 10 };

const names = new Intl.DisplayNames(navigator.languages, { type: 'region', style: 'short' });

export function drawCountryNames(
  context: CanvasRenderingContext2D,
  countries: readonly CountryName[],
  tile: Tile,
  { text, halo }: Ink,
): void {
  if (tile.zoom > TO_ZOOM) return;
  context.font = '600 11px system-ui, sans-serif';
  context.letterSpacing = '1px';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = halo;
  context.fillStyle = text;
  for (const country of countries) {
    const place = placeOf(country, tile, REACH);
    if (place === null) continue;
    const name = (names.of(country.code) ?? country.code).toLocaleUpperCase();
    context.strokeText(name, place.x, place.y);
    context.fillText(name, place.x, place.y);
  }
}
