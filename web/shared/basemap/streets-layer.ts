/** Vector tiles of a PMTiles archive, drawn within its bounds. */

import { namedFlavor } from '@protomaps/basemaps';
import type * as L from 'leaflet';
import type { Header, PMTiles } from 'pmtiles';
import type { PreparedTile } from 'protomaps-leaflet';
import { labelRules, Labelers, paint, paintRules, PmtilesSource, TileCache, View } from 'protomaps-leaflet';

import { mercatorX, mercatorY } from '../../../src/web/basemap/world.ts';
import { CanvasLayer, wrapColumn } from './canvas-layer.ts';

/** The style is made for tiles of 512 pixels: a tile of a zoom is drawn at the next zoom. */
const LEVEL_DIFFERENCE = 1;
const TILE_PIXELS = 256;
/** Pixels around a tile from which labels and wide lines extend into it. */
const MARGIN = 16;
/** Tiles of the archive whose labels are kept apart from each other. */
const LABELED_TILES = 16;

interface Rectangle {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export interface StreetsOptions {
  /** Whether the archive is not the server's any more: nothing more of it is drawn. */
  readonly isReplaced: () => boolean;
  readonly onFailure: () => void;
}

export class StreetsLayer extends CanvasLayer {
  readonly #view: View;
  readonly #minZoom: number;
  /** In the unit square of the world. */
  readonly #bounds: Rectangle;
  readonly #options: StreetsOptions;
  #style = this.#makeStyle();

  constructor(archive: PMTiles, header: Header, options: StreetsOptions) {
    super({ zIndex: 2 });
    // Requests of another zoom are not cancelled: their tiles are of use when the reader zooms back.
    const cache = new TileCache(new PmtilesSource(archive, false), TILE_PIXELS << LEVEL_DIFFERENCE);
    this.#view = new View(cache, header.maxZoom, LEVEL_DIFFERENCE);
    this.#minZoom = header.minZoom === 0 ? 0 : header.minZoom + LEVEL_DIFFERENCE;
    this.#bounds = {
      minX: mercatorX(header.minLon),
      minY: mercatorY(header.maxLat),
      maxX: mercatorX(header.maxLon),
      maxY: mercatorY(header.minLat),
    };
    this.#options = options;
  }

  override recolor(): void {
    this.#style = this.#makeStyle();
    this.redraw();
  }

  protected override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const tile = this.createCanvas(coords.z);
    tile.lang = this.#style.language;
    this.#draw(tile, coords).then(
      () => done(undefined, tile),
      () => {
        this.#options.onFailure();
        done(undefined, tile);
      },
    );
    return tile;
  }

  async #draw(tile: HTMLCanvasElement, coords: L.Coords): Promise<void> {
    const shown = { x: wrapColumn(coords), y: coords.y, z: coords.z };
    const area = this.#areaOf(shown);
    if (area === null) return;
    const style = this.#style;
    const prepared = await this.#view.getDisplayTile(shown);
    // Without data, the basemap below stays.
    if (prepared.data.size === 0 || style !== this.#style || this.#options.isReplaced()) return;
    const tiles = new Map([['', [prepared]]]);
    style.labelers.add(shown.z, tiles);
    this.#paint(tile, { ...shown, area }, tiles);
  }

  #paint(
    tile: HTMLCanvasElement,
    { x, y, z, area }: { x: number; y: number; z: number; area: Rectangle },
    tiles: Map<string, PreparedTile[]>,
  ): void {
    const context = tile.getContext('2d');
    const origin = tiles.get('')?.[0]?.origin.clone();
    if (context === null || origin === undefined) return;
    const { background, paints, labelers } = this.#style;
    origin.x = x * TILE_PIXELS;
    origin.y = y * TILE_PIXELS;
    const box = {
      minX: origin.x - MARGIN,
      minY: origin.y - MARGIN,
      maxX: origin.x + TILE_PIXELS + MARGIN,
      maxY: origin.y + TILE_PIXELS + MARGIN,
    };
    context.save();
    context.clearRect(0, 0, TILE_PIXELS, TILE_PIXELS);
    context.beginPath();
    context.rect(area.minX, area.minY, area.maxX - area.minX, area.maxY - area.minY);
    context.clip();
    context.fillStyle = background;
    context.fillRect(0, 0, TILE_PIXELS, TILE_PIXELS);
    paint(context, z, tiles, labelers.getIndex(z) ?? null, paints, box, origin, false);
    context.restore();
  }

  /** The part of the tile within the bounds, in its pixels; null for none, and below the minimum zoom. */
  #areaOf({ x, y, z }: { x: number; y: number; z: number }): Rectangle | null {
    if (z < this.#minZoom) return null;
    const pixel = (share: number, index: number) =>
      Math.max(0, Math.min(TILE_PIXELS, (share * 2 ** z - index) * TILE_PIXELS));
    const { minX, minY, maxX, maxY } = this.#bounds;
    const area = { minX: pixel(minX, x), minY: pixel(minY, y), maxX: pixel(maxX, x), maxY: pixel(maxY, y) };
    return area.minX < area.maxX && area.minY < area.maxY ? area : null;
  }

  #makeStyle() {
    const flavor = namedFlavor(isDark() ? 'dark' : 'light');
    const { lang } = document.documentElement;
    const language = lang === '' ? 'en' : lang.replace(/-.*/, '');
    const scratch = document.createElement('canvas').getContext('2d');
    if (scratch === null) throw new Error('The browser cannot draw.');
    // A label that gives way to another may be on tiles that are drawn already.
    const labelers = new Labelers(scratch, labelRules(flavor, language), LABELED_TILES, (changed) =>
      this.#drawAgain(changed),
    );
    return { language, background: flavor.background, paints: paintRules(flavor), labelers };
  }

  /** @param changed tiles as `x:y:z` */
  #drawAgain(changed: ReadonlySet<string>): void {
    for (const { el, coords } of Object.values(this._tiles)) {
      if (!(el instanceof HTMLCanvasElement) || !changed.has(`${wrapColumn(coords)}:${coords.y}:${coords.z}`))
        continue;
      // A failure was reported when the tile was drawn first.
      this.#draw(el, coords).catch(() => {});
    }
  }
}

/** Whether the page is dark, by the choice of its owner or else of its reader. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  if (colorScheme === 'dark' || colorScheme === 'light') return colorScheme === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
