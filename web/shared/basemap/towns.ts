/** The names of towns on the basemap. */

import { mercatorX, mercatorY } from '../../../src/web/basemap/world.ts';

export interface Town {
  readonly name: string;
  /** In the units of World. */
  readonly x: number;
  readonly y: number;
  readonly fromZoom: number;
}

export interface Tile {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
  /** Pixels. */
  readonly size: number;
}

/** As scripts/towns.mjs writes it. */
type TownsFile = readonly (readonly [name: string, longitude: number, latitude: number, fromZoom: number])[];

/** Pixels to the left of a tile from where a name may reach into it, and above and below it. */
const REACH = { left: 160, around: 12 };

export async function loadTowns(url: string): Promise<readonly Town[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The basemap's file answered ${response.status}.`);
  return ((await response.json()) as TownsFile).map(([name, longitude, latitude, fromZoom]) => ({
    name,
    x: mercatorX(longitude),
    y: mercatorY(latitude),
    fromZoom,
  }));
}

/** Each tile draws the names that reach into it, so that they go on from tile to tile. */
export function drawTowns(
  context: CanvasRenderingContext2D,
  towns: readonly Town[],
  { zoom, column, row, size }: Tile,
  { text, halo }: { text: string; halo: string },
): void {
  const tiles = 2 ** zoom;
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = halo;
  context.fillStyle = text;
  for (const town of towns) {
    if (town.fromZoom > zoom) continue;
    const x = (town.x * tiles - column) * size;
    const y = (town.y * tiles - row) * size;
    if (x < -REACH.left || x > size + REACH.around || y < -REACH.around || y > size + REACH.around) continue;
    context.beginPath();
    context.arc(x, y, 2, 0, 2 * Math.PI);
    context.fill();
    context.strokeText(town.name, x + 6, y);
    context.fillText(town.name, x + 6, y);
  }
}
