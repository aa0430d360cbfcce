/** On a narrow screen the list is a bottom sheet over the map. */

/** What fills the screen: the map, half and half, or the list. */
export type Sheet = 'map' | 'half' | 'list';

const SHEETS: readonly Sheet[] = ['map', 'half', 'list'];

/** The sheet's minimum share of the screen's height in each state, from 0 to 1, as set in styles/narrow.css. */
export function sharesOf(element: Element): Readonly<Record<Sheet, number>> {
  const style = getComputedStyle(element);
  const read = (sheet: Sheet) => Number.parseFloat(style.getPropertyValue(`--sheet-${sheet}`)) / 100;
  return { map: read('map'), half: read('half'), list: read('list') };
}

/** @param share share of the screen's height, from 0 to 1 */
export function nearestSheet(share: number, shares: Readonly<Record<Sheet, number>>): Sheet {
  const distance = (sheet: Sheet) => Math.abs(shares[sheet] - share);
  return SHEETS.reduce((best, sheet) => (distance(sheet) < distance(best) ? sheet : best));
}

/** The state after a press on the handle. */
export function nextSheet(sheet: Sheet): Sheet {
  return ({ map: 'half', half: 'list', list: 'map' } as const)[sheet];
}
