/** Tiles of the Web Mercator square (capabilities §20). A tile is 4 by 4 cells of the clusters of its zoom. */

import type { ClusterGrid } from '../clusters.ts';
import { MAX_ZOOM } from '../clusters.ts';
import type { Box } from '../filter/box.ts';
import type { CellRange } from '../filter/cell.ts';
import { CELL_BITS, numberOf } from '../filter/cell.ts';
import type { Point } from '../filter/distance.ts';

export { MAX_ZOOM };

/** Units along each side of a tile. */
export const TILE_EXTENT = 4096;

/** Column `x` 0 is at 180° west, row `y` 0 at the northern edge. */
export interface Tile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** Null where there is no such tile. */
export function parseTile(z: string, x: string, y: string): Tile | null {
  if (![z, x, y].every((text) => /^(?:0|[1-9]\d{0,6})$/.test(text))) return null;
  const tile = { zoom: Number(z), x: Number(x), y: Number(y) };
  return tile.zoom <= MAX_ZOOM && Math.max(tile.x, tile.y) < 2 ** tile.zoom ? tile : null;
}

const GRID_BITS = 2;

export function gridOfTile({ zoom, x, y }: Tile): ClusterGrid {
  const side = 2 ** GRID_BITS;
  return {
    bits: zoom + GRID_BITS,
    top: y * side,
    bottom: (y + 1) * side - 1,
    left: x * side,
    columns: side,
  };
}

/** The cells of the locations in a tile. Each location is in exactly one tile of a zoom. */
export function rangeOfTile({ zoom, x, y }: Tile): CellRange {
  const side = 2 ** (CELL_BITS - zoom);
  const first = numberOf(x * side, y * side);
  return { first, last: first + side * side - 1 };
}

/**
 * The position of a point in its tile, from 0 to 4095. Renderers drop points on the far edges, at 4096, because they belong
 * to the next tile; here they do not. Points beyond the square are on its edge.
 */
export function positionInTile(
  { zoom, x, y }: Tile,
  { latitude, longitude }: Point,
): readonly [number, number] {
  const tiles = 2 ** zoom;
  const sine = Math.sin((latitude * Math.PI) / 180);
  return [
    toUnits(((longitude + 180) / 360) * tiles - x),
    toUnits((0.5 - Math.atanh(sine) / (2 * Math.PI)) * tiles - y),
  ];
}

function toUnits(tiles: number): number {
  return Math.min(TILE_EXTENT - 1, Math.max(0, Math.round(tiles * TILE_EXTENT)));
}

/** The edge of the square, within it. */
const MAX_LATITUDE = 85.051128;
/** Millionths of a degree, a tenth of a metre. */
const PRECISION = 1e6;

/**
 * Bounds of the tiles that hold locations, a little beyond the box around the locations: renderers take a tile whose west
 * or north edge is on the bounds for one outside of them, and one beyond the square never loads.
 */
export function boundsOfTiles({ south, west, north, east }: Box): Box {
  const [down, up] = [
    (degrees: number) => (Math.floor(degrees * PRECISION) - 1) / PRECISION,
    (degrees: number) => (Math.ceil(degrees * PRECISION) + 1) / PRECISION,
  ];
  const within = (latitude: number) => Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, latitude));
  return {
    south: within(down(south)),
    west: Math.max(-180, down(west)),
    north: within(up(north)),
    east: Math.min(180, up(east)),
  };
}
