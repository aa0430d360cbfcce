/** Towns on the basemap. */

import type { Ink, Tile } from './labels.ts';
import { anchorOf } from './labels.ts';
import { mercatorX, mercatorY } from '../../../src/web/basemap/world.ts';

export interface Town {
  readonly name: string;
  /** In the units of World. */
  readonly x: number;
  readonly y: number;
  readonly fromZoom: number;
}

/** The format of scripts/towns.mjs. */
type TownsFile = readonly (readonly [name: string, longitude: number, latitude: number, fromZoom: number])[];

/** Pixels around a tile from which a town may extend into it. Its name is to its right. */
const REACH = { west: 160, north: 12, east: 12, south: 12 };

export async function loadTowns(url: string): Promise<readonly Town[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Loading the basemap failed with status ${response.status}.`);
  return ((await response.json()) as TownsFile).map(([name, longitude, latitude, fromZoom]) => ({
    name,
    x: mercatorX(longitude),
    y: mercatorY(latitude),
    fromZoom,
  }));
}

export function drawTowns(
  context: CanvasRenderingContext2D,
  towns: readonly Town[],
  tile: Tile,
  { text, halo }: Ink,
): void {
  context.font = '12px system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = halo;
  context.fillStyle = text;
  for (const town of towns) {
    const anchor = anchorOf(town, tile, REACH);
    if (anchor === null) continue;
    const { x, y } = anchor;
    context.beginPath();
    context.arc(x, y, 2, 0, 2 * Math.PI);
    context.fill();
    context.strokeText(town.name, x + 6, y);
    context.fillText(town.name, x + 6, y);
  }
}
