/** Features of the map: single locations and clusters. Features that would overlap are merged. */

import type { Box } from '../../../src/web/basemap/box.ts';
import { boxAround, longitudeNear, wrapLongitude } from '../../../src/web/basemap/box.ts';

/** A location, or a cluster of the API. */
export interface MapFeature {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly box: Box;
  /** Null for a cluster. */
  readonly location: MarkedLocation | null;
}

export interface MarkedLocation {
  readonly id: string;
  readonly name: string;
  /** Absent where its mark does not depend on them. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Minimum pixels between the points of two pins; their heads may touch. */
const MIN_PIN_DISTANCE = 26;
/** Pixels: radius of a pin's head, and height of its center above the pin's point. */
const HEAD = { radius: 12, above: 21 };
/** Pixels kept free around a cluster. */
const CLUSTER_MARGIN = 3;

/** Diameter of a cluster's marker, pixels. */
export function clusterSize(count: number): number {
  return count < 10 ? 32 : count < 100 ? 38 : count < 1_000 ? 46 : 54;
}

/**
 * Merges features until no markers overlap.
 *
 * @param project converts a feature to pixels of the map
 */
export function mergeOverlapping(
  features: readonly MapFeature[],
  project: (feature: MapFeature) => Pixel,
): readonly MapFeature[] {
  const merged = mergeOnce(features, project);
  // A merged marker is larger and has moved, so it may overlap others.
  return merged.length === features.length ? merged : mergeOverlapping(merged, project);
}

interface Marker {
  readonly at: Pixel;
  /** Pixels; null for a pin. */
  readonly radius: number | null;
}

function mergeOnce(
  features: readonly MapFeature[],
  project: (feature: MapFeature) => Pixel,
): readonly MapFeature[] {
  const groups: { marker: Marker; members: MapFeature[] }[] = [];
  // Largest first: smaller features are merged into larger ones.
  for (const feature of features.toSorted((a, b) => b.count - a.count)) {
    const radius = feature.location === null ? clusterSize(feature.count) / 2 + CLUSTER_MARGIN : null;
    const marker = { at: project(feature), radius };
    const near = groups.find((group) => overlap(group.marker, marker));
    if (near === undefined) groups.push({ marker, members: [feature] });
    else near.members.push(feature);
  }
  return groups.map(({ members }) => merge(members));
}

function overlap(one: Marker, other: Marker): boolean {
  if (one.radius === null && other.radius === null) return distanceOf(one.at, other.at) < MIN_PIN_DISTANCE;
  if (one.radius === null) return overlap(other, one);
  if (other.radius !== null) return distanceOf(one.at, other.at) < one.radius + other.radius;
  const head = { x: other.at.x, y: other.at.y - HEAD.above };
  return distanceOf(one.at, head) < one.radius + HEAD.radius || distanceOf(one.at, other.at) < one.radius;
}

function distanceOf(one: Pixel, other: Pixel): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function merge(members: readonly MapFeature[]): MapFeature {
  const [largest] = members;
  if (largest === undefined) throw new Error('A group has no members.');
  if (members.length === 1) return largest;
  const count = members.reduce((sum, { count }) => sum + count, 0);
  const mean = (of: (feature: MapFeature) => number) =>
    members.reduce((sum, feature) => sum + of(feature) * feature.count, 0) / count;
  return {
    latitude: mean(({ latitude }) => latitude),
    longitude: wrapLongitude(mean(({ longitude }) => longitudeNear(longitude, largest.longitude))),
    count,
    box: boxAround(members.map(({ box }) => box)) ?? largest.box,
    location: null,
  };
}

/** `1234` as `1.2K`. */
export function shortCount(count: number, locale: string | undefined): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}
