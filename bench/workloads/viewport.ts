/** What a screen shows of the world. */

import type { Box, Point } from '../harness/hundred.ts';

const TILE = 256;
const WIDTH = 1024;
const HEIGHT = 512;

/** Columns and rows of a world that is so wide; also a part of one. */
function toWorld({ latitude, longitude }: Point, width: number): { x: number; y: number } {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return {
    x: ((longitude + 180) / 360) * width,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * width,
  };
}

/** The box of a screen of 1,024 by 512 pixels in Web Mercator, tiles of 256 pixels, cut at the world's edges. */
export function viewportAt(middle: Point, zoom: number): Box {
  const world = TILE * 2 ** zoom;
  const { x, y } = toWorld(middle, world);
  const inWorld = (pixels: number) => Math.max(0, Math.min(world, pixels));
  const longitudeAt = (pixels: number) => (inWorld(pixels) / world) * 360 - 180;
  const latitudeAt = (pixels: number) =>
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * inWorld(pixels)) / world))) * 180) / Math.PI;
  return {
    south: latitudeAt(y + HEIGHT / 2),
    west: longitudeAt(x - WIDTH / 2),
    north: latitudeAt(y - HEIGHT / 2),
    east: longitudeAt(x + WIDTH / 2),
  };
}

/** Whether the point is in one of the cells that the box touches: there are four to a tile, along each side. */
export function isInCellsOf(box: Box, zoom: number, point: Point): boolean {
  const cells = 4 * 2 ** zoom;
  const cellOf = (of: Point) => {
    const { x, y } = toWorld(of, cells);
    const within = (index: number) => Math.max(0, Math.min(cells - 1, Math.floor(index)));
    return { column: within(x), row: within(y) };
  };
  const first = cellOf({ latitude: box.north, longitude: box.west });
  const last = cellOf({ latitude: box.south, longitude: box.east });
  const { column, row } = cellOf(point);
  return column >= first.column && column <= last.column && row >= first.row && row <= last.row;
}
