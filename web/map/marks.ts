/** What stands on the map: single locations, and several near one another as one. */

import type { Box } from '../../src/web/basemap/box.ts';
import { boxAround, longitudeNear, wrapLongitude } from '../../src/web/basemap/box.ts';

/** One location, or a cluster of the API. */
export interface Spot {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly box: Box;
  /** Where it is a single location. */
  readonly location: { readonly id: string; readonly name: string } | null;
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/**
 * Joins spots that would cover one another.
 *
 * @param project to pixels of the map as it is drawn
 * @param distance in pixels: nearer ones are joined
 */
export function joinNear(
  spots: readonly Spot[],
  project: (spot: Spot) => Pixel,
  distance: number,
): readonly Spot[] {
  const groups: { at: Pixel; members: Spot[] }[] = [];
  // The largest first, so that it is them that the others are joined to.
  for (const spot of spots.toSorted((a, b) => b.count - a.count)) {
    const at = project(spot);
    const near = groups.find((group) => Math.hypot(group.at.x - at.x, group.at.y - at.y) < distance);
    if (near === undefined) groups.push({ at, members: [spot] });
    else near.members.push(spot);
  }
  return groups.map(({ members }) => join(members));
}

function join(members: readonly Spot[]): Spot {
  const [largest] = members;
  if (largest === undefined) throw new Error('A group has no members.');
  if (members.length === 1) return largest;
  const count = members.reduce((sum, spot) => sum + spot.count, 0);
  const mean = (of: (spot: Spot) => number) =>
    members.reduce((sum, spot) => sum + of(spot) * spot.count, 0) / count;
  return {
    latitude: mean(({ latitude }) => latitude),
    longitude: wrapLongitude(mean(({ longitude }) => longitudeNear(longitude, largest.longitude))),
    count,
    box: boxAround(members.map(({ box }) => box)) ?? largest.box,
    location: null,
  };
}

/** `1234` as `1.2k`, for a mark with little room. */
export function shortCount(count: number, locale: string | undefined): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}
