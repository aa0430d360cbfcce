/** A layer of tiles that are drawn in the browser, in the colours of the page. */

import * as L from 'leaflet';

export abstract class CanvasLayer extends L.GridLayer {
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  readonly #onScheme = () => this.recolor();

  /** Draws all tiles again, in the current colours of the page. */
  abstract recolor(): void;

  override onAdd(map: L.Map): this {
    this.#scheme.addEventListener('change', this.#onScheme);
    return super.onAdd(map);
  }

  override onRemove(map: L.Map): this {
    this.#scheme.removeEventListener('change', this.#onScheme);
    return super.onRemove(map);
  }

  /** Leaflet's redraw would use the map's zoom, which may be fractional, as the zoom of the tiles. */
  protected _clampZoom(zoom: number): number {
    return Math.round(zoom);
  }

  /** The canvas of a tile. Its context has one unit per pixel of the tile. */
  protected createCanvas(zoom: number): HTMLCanvasElement {
    const size = this.getTileSize();
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1) * this.#enlargement(zoom);
    const tile = document.createElement('canvas');
    tile.width = Math.ceil(size.x * ratio);
    tile.height = Math.ceil(size.y * ratio);
    tile.getContext('2d')?.scale(ratio, ratio);
    return tile;
  }

  /** Leaflet enlarges tiles for a fractional minimum zoom, so they are drawn at a higher resolution. */
  #enlargement(zoom: number): number {
    const min = this._map.getMinZoom();
    return zoom === Math.round(min) ? Math.max(1, 2 ** (min - zoom)) : 1;
  }
}

/** The column of a tile on the world itself, for one on a copy of it. */
export function wrapColumn({ x, z }: L.Coords): number {
  const tiles = 2 ** z;
  return ((x % tiles) + tiles) % tiles;
}
