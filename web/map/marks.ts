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

/** Pixels. The points of two pins are at least so far apart; their heads may touch. */
const PINS_APART = 26;
/** Pixels: of a pin's head, and of its middle above the point that the pin shows. */
const HEAD = { radius: 12, above: 21 };
/** Pixels around a cluster that stay free. */
const AROUND = 3;

/** The diameter of a cluster's mark, pixels. */
export function clusterSize(count: number): number {
  return count < 10 ? 32 : count < 100 ? 38 : count < 1_000 ? 46 : 54;
}

/**
 * Joins spots whose marks would cover one another, until none does.
 *
 * @param project to pixels of the map as it is drawn
 */
export function joinNear(spots: readonly Spot[], project: (spot: Spot) => Pixel): readonly Spot[] {
  const joined = joinOnce(spots, project);
  // What was joined is larger and stands elsewhere, so it may cover others now.
  return joined.length === spots.length ? joined : joinNear(joined, project);
}

interface Mark {
  readonly at: Pixel;
  /** Pixels; null for a pin. */
  readonly radius: number | null;
}

function joinOnce(spots: readonly Spot[], project: (spot: Spot) => Pixel): readonly Spot[] {
  const groups: { mark: Mark; members: Spot[] }[] = [];
  // The largest first, so that it is them that the others are joined to.
  for (const spot of spots.toSorted((a, b) => b.count - a.count)) {
    const radius = spot.location === null ? clusterSize(spot.count) / 2 + AROUND : null;
    const mark = { at: project(spot), radius };
    const near = groups.find((group) => isCovered(group.mark, mark));
    if (near === undefined) groups.push({ mark, members: [spot] });
    else near.members.push(spot);
  }
  return groups.map(({ members }) => join(members));
}

function isCovered(one: Mark, other: Mark): boolean {
  if (one.radius === null && other.radius === null) return distanceOf(one.at, other.at) < PINS_APART;
  if (one.radius === null) return isCovered(other, one);
  if (other.radius !== null) return distanceOf(one.at, other.at) < one.radius + other.radius;
  const head = { x: other.at.x, y: other.at.y - HEAD.above };
  return distanceOf(one.at, head) < one.radius + HEAD.radius || distanceOf(one.at, other.at) < one.radius;
}

function distanceOf(one: Pixel, other: Pixel): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
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
