/** Country names on the basemap, in the reader's language, at low zooms. */

import type { CountryName } from '../../../src/web/basemap/world.ts';
import { currentLocale, isRightToLeft } from '../i18n/translate.ts';
import type { Ink, Tile } from './labels.ts';
import { anchorOf } from './labels.ts';

/** Last zoom with country names, as in scripts/countries.mjs. */
const MAX_ZOOM = 5;
/** Pixels around a tile from which a name may extend into it. */
const REACH = { west: 160, north: 10, east: 160, south: 10 };

let names: Intl.DisplayNames | undefined;

export function drawCountryNames(
  context: CanvasRenderingContext2D,
  countries: readonly CountryName[],
  tile: Tile,
  { text, halo }: Ink,
): void {
  if (tile.zoom > MAX_ZOOM) return;
  context.font = '600 11px system-ui, sans-serif';
  // Letters of cursive scripts stay joined.
  context.letterSpacing = isRightToLeft() ? '0px' : '1px';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = halo;
  context.fillStyle = text;
  const locale = currentLocale();
  names ??= new Intl.DisplayNames([locale, ...navigator.languages], { type: 'region', style: 'short' });
  for (const country of countries) {
    const anchor = anchorOf(country, tile, REACH);
    if (anchor === null) continue;
    const name = (names.of(country.code) ?? country.code).toLocaleUpperCase(locale);
    context.strokeText(name, anchor.x, anchor.y);
    context.fillText(name, anchor.x, anchor.y);
  }
}
