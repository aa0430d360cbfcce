/** What a page needs for paper alone: its styles, the list, and the map. Loaded later than the rest. */

import './styles/print.css';

import type { MapView } from '../shared/map/map-view.ts';
import type { LocationList, Row } from './location-list.svelte.ts';

export { default as PrintSheet } from './PrintSheet.svelte';

/** Locations of a printed list. */
export const MAX_PRINTED = 500;
/** CSS pixels that the map may fill on A4 and on Letter, below the name. */
const PAPER = { width: 700, height: 520 };

/** Set on the root element while the page is printed: colours are light. See theme.css. */
const PRINTING = 'data-printing';

/** Loads rows until a list for paper is full. @returns when there are no more, or a request failed */
export async function loadForPrint(list: LocationList): Promise<void> {
  for (let before = -1; list.rows.length < MAX_PRINTED && list.rows.length > before && list.error === null;) {
    before = list.rows.length;
    await list.more();
  }
}

/**
 * Numbers the markers like the list, and draws the map in light colours at its size on paper.
 *
 * @returns when the map is drawn; a browser that is already printing does not wait
 */
export async function prepareForPrint(map: MapView, rows: readonly Row[]): Promise<void> {
  const { style } = document.documentElement;
  const { width, height } = map.size;
  style.setProperty('--print-width', `${width}px`);
  style.setProperty('--print-height', `${height}px`);
  style.setProperty('--print-zoom', String(Math.min(1, PAPER.width / width, PAPER.height / height)));
  map.showNumbers(new Map(rows.map(({ id }, index) => [id, index + 1])));
  if (!document.documentElement.hasAttribute(PRINTING)) await togglePrinting(map);
}

export async function endPrint(map: MapView): Promise<void> {
  map.showNumbers(new Map());
  if (document.documentElement.hasAttribute(PRINTING)) await togglePrinting(map);
}

/** A light page has the same colours on paper, and its map is not drawn again. */
async function togglePrinting(map: MapView): Promise<void> {
  const root = document.documentElement;
  const land = () => getComputedStyle(root).getPropertyValue('--land');
  const before = land();
  root.toggleAttribute(PRINTING);
  if (land() !== before) await map.recolor();
}
