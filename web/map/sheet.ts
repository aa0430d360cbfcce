/** The list as a sheet over the map, on a narrow screen. */

/** What has the room: the map, both, or the list. */
export type Sheet = 'map' | 'half' | 'list';

const SHEETS: readonly Sheet[] = ['map', 'half', 'list'];

/** The least that the sheet has of the screen's height in each state, from 0 to 1: what map.css says of the element. */
export function sharesOf(element: Element): Readonly<Record<Sheet, number>> {
  const style = getComputedStyle(element);
  const read = (sheet: Sheet) => Number.parseFloat(style.getPropertyValue(`--sheet-${sheet}`)) / 100;
  return { map: read('map'), half: read('half'), list: read('list') };
}

/** @param share of the screen's height, from 0 to 1 */
export function nearestSheet(share: number, shares: Readonly<Record<Sheet, number>>): Sheet {
  const distance = (sheet: Sheet) => Math.abs(shares[sheet] - share);
  return SHEETS.reduce((best, sheet) => (distance(sheet) < distance(best) ? sheet : best));
}

/** What a press on the handle leads to. */
export function nextSheet(sheet: Sheet): Sheet {
  return ({ map: 'half', half: 'list', list: 'map' } as const)[sheet];
}
