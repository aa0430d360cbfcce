/** The built-in basemap: land, borders, countries and towns, drawn in the browser without a tile server. */

import type * as L from 'leaflet';

import { clipLine, clipRing } from '../../../src/web/basemap/clip.ts';
import type { Square } from '../../../src/web/basemap/clip.ts';
import type { World, WorldFile } from '../../../src/web/basemap/world.ts';
import { decodeWorld } from '../../../src/web/basemap/world.ts';
import { CanvasLayer, wrapColumn } from './canvas-layer.ts';
import { drawCountryNames } from './country-names.ts';
import { drawTowns, loadTowns } from './towns.ts';
import type { Town } from './towns.ts';
import largeTownsUrl from 'towns:large';
import smallTownsUrl from 'towns:small';
import coarseUrl from 'world:110m';
import middleUrl from 'world:50m';
import fineUrl from 'world:10m';

/** Files of outlines and the zoom from which each is used, finest first. */
const DETAILS = [
  { fromZoom: 7, url: fineUrl },
  { fromZoom: 4, url: middleUrl },
  { fromZoom: 0, url: coarseUrl },
];
/** Files of towns and the zoom from which each is used, smallest towns first. */
const TOWNS = [
  { fromZoom: 6, url: smallTownsUrl },
  { fromZoom: 3, url: largeTownsUrl },
];
/** Pixels around a tile that are drawn too, so that no line ends at its edge. */
const MARGIN = 4;

/** Copies of the world, as offsets to the east. */
const WORLD_OFFSETS = [-1, 0, 1];

interface Colors {
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly text: string;
}

export class BasemapLayer extends CanvasLayer {
  #colors = readColors();
  readonly #worlds = new Map<string, World>();
  readonly #towns = new Map<string, readonly Town[]>();
  readonly #loading = new Set<string>();

  override onAdd(map: L.Map): this {
    this.#load(coarseUrl, this.#worlds, loadWorld);
    return super.onAdd(map);
  }

  override recolor(): void {
    this.#colors = readColors();
    this.redraw();
  }

  protected override createTile(coords: L.Coords): HTMLElement {
    const tile = this.createCanvas(coords.z);
    const context = tile.getContext('2d');
    if (context !== null) this.#draw(context, coords, this.getTileSize().x);
    return tile;
  }

  #draw(context: CanvasRenderingContext2D, coords: L.Coords, size: number): void {
    const world = this.#bestFor(coords.z, DETAILS, this.#worlds, loadWorld);
    const { water, land, border, text } = this.#colors;
    context.fillStyle = water;
    context.fillRect(0, 0, size, size);
    if (world === null) return;
    const tiles = 2 ** coords.z;
    const column = wrapColumn(coords);
    const margin = MARGIN / size / tiles;
    const square: Square = {
      minX: column / tiles - margin,
      minY: coords.y / tiles - margin,
      maxX: (column + 1) / tiles + margin,
      maxY: (coords.y + 1) / tiles + margin,
    };
    const trace = (points: readonly number[] | Float64Array, turn: number) => {
      for (let index = 0; index < points.length; index += 2) {
        const x = (((points[index] ?? 0) + turn) * tiles - column) * size;
        const y = ((points[index + 1] ?? 0) * tiles - coords.y) * size;
        if (index === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
    };
    context.lineWidth = 1;
    context.lineJoin = 'round';
    context.strokeStyle = border;
    context.fillStyle = land;

    context.beginPath();
    // An outline that crosses the antimeridian extends beyond the edge of the world, and is drawn at both edges.
    for (const turn of WORLD_OFFSETS) {
      const turned = { ...square, minX: square.minX - turn, maxX: square.maxX - turn };
      for (const ring of world.land) {
        if (!meets(ring, turned)) continue;
        trace(clipRing(ring.points, turned), turn);
        context.closePath();
      }
    }
    context.fill('evenodd');
    context.stroke();
    // Antarctica's outline is closed beyond the edge of the world.
    if (coords.y === tiles - 1) context.fillRect(0, size - 1, size, 1);
    context.beginPath();
    for (const turn of WORLD_OFFSETS) {
      const turned = { ...square, minX: square.minX - turn, maxX: square.maxX - turn };
      for (const line of world.borders) {
        if (meets(line, turned)) for (const part of clipLine(line.points, turned)) trace(part, turn);
      }
    }
    context.stroke();
    const tile = { zoom: coords.z, column, row: coords.y, size };
    const ink = { text, halo: land };
    context.save();
    drawCountryNames(context, this.#worlds.get(coarseUrl)?.countries ?? [], tile, ink);
    context.restore();
    drawTowns(context, this.#bestFor(coords.z, TOWNS, this.#towns, loadTowns) ?? [], tile, ink);
  }

  /** The best data loaded so far for the zoom. Loads better data and redraws. */
  #bestFor<Data>(
    zoom: number,
    details: readonly { fromZoom: number; url: string }[],
    loaded: Map<string, Data>,
    load: (url: string) => Promise<Data>,
  ): Data | null {
    const suitable = details.filter(({ fromZoom }) => zoom >= fromZoom);
    const [best] = suitable;
    if (best !== undefined) this.#load(best.url, loaded, load);
    const loadedDetail = suitable.find(({ url }) => loaded.has(url));
    return loadedDetail === undefined ? null : (loaded.get(loadedDetail.url) ?? null);
  }

  #load<Data>(url: string, loaded: Map<string, Data>, load: (url: string) => Promise<Data>): void {
    if (loaded.has(url) || this.#loading.has(url)) return;
    this.#loading.add(url);
    load(url).then(
      (data) => {
        loaded.set(url, data);
        this.redraw();
      },
      // The map is usable without it. The next tile retries.
      () => this.#loading.delete(url),
    );
  }
}

function meets(outline: Square, square: Square): boolean {
  return (
    outline.maxX >= square.minX &&
    outline.minX <= square.maxX &&
    outline.maxY >= square.minY &&
    outline.minY <= square.maxY
  );
}

function readColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    water: read('--water'),
    land: read('--land'),
    border: read('--land-border'),
    text: read('--muted'),
  };
}

async function loadWorld(url: string): Promise<World> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Loading the basemap failed with status ${response.status}.`);
  return decodeWorld((await response.json()) as WorldFile);
}
