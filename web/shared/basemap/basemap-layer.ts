/** The basemap: land, borders and the names of towns, drawn in the browser, so that no tile server is asked. */

import * as L from 'leaflet';

import { clipLine, clipRing } from '../../../src/web/basemap/clip.ts';
import type { Square } from '../../../src/web/basemap/clip.ts';
import type { World, WorldFile } from '../../../src/web/basemap/world.ts';
import { decodeWorld } from '../../../src/web/basemap/world.ts';
import { drawCountryNames } from './country-names.ts';
import { drawTowns, loadTowns } from './towns.ts';
import type { Town } from './towns.ts';
import largeTownsUrl from 'towns:large';
import smallTownsUrl from 'towns:small';
import coarseUrl from 'world:110m';
import middleUrl from 'world:50m';
import fineUrl from 'world:10m';

/** Finer outlines are loaded from the zooms on where they are worth their bytes. The finest come first. */
const DETAILS = [
  { fromZoom: 7, url: fineUrl },
  { fromZoom: 4, url: middleUrl },
  { fromZoom: 0, url: coarseUrl },
];
/** Towns of more people are shown first. */
const TOWNS = [
  { fromZoom: 6, url: smallTownsUrl },
  { fromZoom: 3, url: largeTownsUrl },
];
/** Pixels around a tile in which lines are drawn too, so that none ends at its edge. */
const MARGIN = 4;

/** Of the world, to the east. */
const TURNS = [-1, 0, 1];

interface Colors {
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly text: string;
}

export class BasemapLayer extends L.GridLayer {
  #colors = readColors();
  readonly #worlds = new Map<string, World>();
  readonly #towns = new Map<string, readonly Town[]>();
  readonly #loading = new Set<string>();
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  readonly #onScheme = () => {
    this.#colors = readColors();
    this.redraw();
  };

  override onAdd(map: L.Map): this {
    this.#scheme.addEventListener('change', this.#onScheme);
    this.#need(coarseUrl, this.#worlds, loadWorld);
    return super.onAdd(map);
  }

  override onRemove(map: L.Map): this {
    this.#scheme.removeEventListener('change', this.#onScheme);
    return super.onRemove(map);
  }

  /** Leaflet's redraw takes the map's zoom as it is, which may be a fraction, for that of the tiles. */
  protected _clampZoom(zoom: number): number {
    return Math.round(zoom);
  }

  protected override createTile(coords: L.Coords): HTMLElement {
    const size = this.getTileSize();
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1) * this.#enlargement(coords.z);
    const tile = document.createElement('canvas');
    tile.width = Math.ceil(size.x * ratio);
    tile.height = Math.ceil(size.y * ratio);
    const context = tile.getContext('2d');
    if (context !== null) {
      context.scale(ratio, ratio);
      this.#draw(context, coords, size.x);
    }
    return tile;
  }

  /** The smallest zoom may be a fraction. Where Leaflet enlarges tiles for it, they are drawn finer. */
  #enlargement(zoom: number): number {
    const least = this._map.getMinZoom();
    return zoom === Math.round(least) ? Math.max(1, 2 ** (least - zoom)) : 1;
  }

  #draw(context: CanvasRenderingContext2D, coords: L.Coords, size: number): void {
    const world = this.#bestFor(coords.z, DETAILS, this.#worlds, loadWorld);
    const { water, land, border, text } = this.#colors;
    context.fillStyle = water;
    context.fillRect(0, 0, size, size);
    if (world === null) return;
    const tiles = 2 ** coords.z;
    const column = ((coords.x % tiles) + tiles) % tiles;
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
    // An outline that crosses the antimeridian goes on beyond the world's edge, and is drawn at both.
    for (const turn of TURNS) {
      const turned = { ...square, minX: square.minX - turn, maxX: square.maxX - turn };
      for (const ring of world.land) {
        if (!meets(ring, turned)) continue;
        trace(clipRing(ring.points, turned), turn);
        context.closePath();
      }
    }
    context.fill('evenodd');
    context.stroke();
    // Antarctica goes on beyond the world's edge, where its outline is closed.
    if (coords.y === tiles - 1) context.fillRect(0, size - 1, size, 1);
    context.beginPath();
    for (const turn of TURNS) {
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

  /** The best that is there already. What is missing is asked for, and drawn when it comes. */
  #bestFor<Data>(
    zoom: number,
    details: readonly { fromZoom: number; url: string }[],
    loaded: Map<string, Data>,
    load: (url: string) => Promise<Data>,
  ): Data | null {
    const fit = details.filter(({ fromZoom }) => zoom >= fromZoom);
    const [best] = fit;
    if (best !== undefined) this.#need(best.url, loaded, load);
    const there = fit.find(({ url }) => loaded.has(url));
    return there === undefined ? null : (loaded.get(there.url) ?? null);
  }

  #need<Data>(url: string, loaded: Map<string, Data>, load: (url: string) => Promise<Data>): void {
    if (loaded.has(url) || this.#loading.has(url)) return;
    this.#loading.add(url);
    load(url).then(
      (data) => {
        loaded.set(url, data);
        this.redraw();
      },
      // The map stays usable without it. It is asked for again with the next tile.
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
  if (!response.ok) throw new Error(`The basemap's file answered ${response.status}.`);
  return decodeWorld((await response.json()) as WorldFile);
}
