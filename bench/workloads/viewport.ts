/** Viewports in Web Mercator. */

import type { Box, Point } from '../harness/search-areas.ts';

const TILE = 256;
const WIDTH = 1024;
const HEIGHT = 512;

/** Web Mercator coordinates, in fractions of columns and rows, in a world of that width. */
function toWorld({ latitude, longitude }: Point, width: number): { x: number; y: number } {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return {
    x: ((longitude + 180) / 360) * width,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * width,
  };
}

/** The tile of a point within the square of Web Mercator. */
export function tileAt(point: Point, zoom: number): { readonly x: number; readonly y: number } {
  const { x, y } = toWorld(point, 2 ** zoom);
  return { x: Math.floor(x), y: Math.floor(y) };
}

/** The box of 1,024 by 512 pixels, with tiles of 256 pixels, clipped at the world's edges. */
export function viewportAt(center: Point, zoom: number): Box {
  const world = TILE * 2 ** zoom;
  const { x, y } = toWorld(center, world);
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

/** Whether the point is in a cell that the box touches. A tile is four by four cells. */
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
