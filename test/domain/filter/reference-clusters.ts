/** A second implementation of a viewport's clusters, to be compared with capabilities §11 line by line. */

import type { Box } from '../../../src/domain/filter/box.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';

export interface ReferenceCluster {
  readonly row: number;
  readonly column: number;
  readonly count: number;
  /** Means, in degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly box: Box;
  readonly location: LocationRecord | null;
}

/** The touched cells that hold any of the locations, north to south, then eastwards from the box's west edge. */
export function referenceClusters(
  locations: readonly LocationRecord[],
  { south, west, north, east }: Box,
  zoom: number,
): readonly ReferenceCluster[] {
  const side = 2 ** (zoom + 2);
  const [top, bottom] = [rowOf(north, side), rowOf(south, side)];
  const [left, right] = [columnOf(west, side), columnOf(east, side)];
  const isTouched = (row: number, column: number) =>
    top <= row &&
    row <= bottom &&
    (west > east ? column >= left || column <= right : column >= left && column <= right);
  const cells = new Map<string, LocationRecord[]>();
  for (const location of locations) {
    const [row, column] = [rowOf(location.latitude, side), columnOf(location.longitude, side)];
    if (!isTouched(row, column)) continue;
    const key = `${row}/${column}`;
    cells.set(key, [...(cells.get(key) ?? []), location]);
  }
  const eastwards = ({ column }: ReferenceCluster) => (column < left ? column + side : column);
  return [...cells.values()]
    .map((content) => clusterOf(content, side))
    .sort((a, b) => a.row - b.row || eastwards(a) - eastwards(b));
}

/** "Clusters are §11's cells of the tile's zoom, 4 by 4" */
export function referenceTile(
  { latitude, longitude }: Pick<LocationRecord, 'latitude' | 'longitude'>,
  zoom: number,
): { readonly zoom: number; readonly x: number; readonly y: number } {
  const side = 2 ** (zoom + 2);
  return {
    zoom,
    x: Math.floor(columnOf(longitude, side) / 4),
    y: Math.floor(rowOf(latitude, side) / 4),
  };
}

function clusterOf(content: readonly LocationRecord[], side: number): ReferenceCluster {
  const latitudes = content.map(({ latitude }) => latitude);
  const longitudes = content.map(({ longitude }) => longitude);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    row: rowOf(latitudes[0]!, side),
    column: columnOf(longitudes[0]!, side),
    count: content.length,
    latitude: mean(latitudes),
    longitude: mean(longitudes),
    box: {
      south: Math.min(...latitudes),
      west: Math.min(...longitudes),
      north: Math.max(...latitudes),
      east: Math.max(...longitudes),
    },
    location: content.length === 1 ? content[0]! : null,
  };
}

/** "A cell holds its north and west edges (180° is in the last column)" */
function columnOf(longitude: number, side: number): number {
  return Math.min(side - 1, Math.floor(((longitude + 180) / 360) * side));
}

/** "Web Mercator (latitude cut at ±85.05112878)" */
function rowOf(latitude: number, side: number): number {
  const cut = Math.max(-85.05112878, Math.min(85.05112878, latitude));
  const fromNorth = (1 - Math.asinh(Math.tan((cut * Math.PI) / 180)) / Math.PI) / 2;
  const row = Math.max(0, Math.min(side - 1, Math.floor(fromNorth * side)));
  // The equator is the north edge of the row below it. A point closer to it than doubles can tell is not beyond it.
  return latitude > 0 ? Math.min(row, side / 2 - 1) : Math.max(row, side / 2);
}
