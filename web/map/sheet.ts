/** The list as a sheet over the map, on a narrow screen. */

/** What has the room: the map, both, or the list. */
export type Sheet = 'map' | 'half' | 'list';

/** Shares of the screen's height, as in map.css. */
const SHARES: readonly (readonly [sheet: Sheet, share: number])[] = [
  ['map', 0.15],
  ['half', 0.55],
  ['list', 0.85],
];

export function nearestSheet(share: number): Sheet {
  return SHARES.reduce((best, one) => (Math.abs(one[1] - share) < Math.abs(best[1] - share) ? one : best), [
    'half',
    Infinity,
  ] as const)[0];
}

/** What a press on the handle leads to. */
export function nextSheet(sheet: Sheet): Sheet {
  return ({ map: 'half', half: 'list', list: 'map' } as const)[sheet];
}
