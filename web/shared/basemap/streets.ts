/** The streets of the operator's file on a map. This part of the page is loaded only where there is such a file. */

import type * as L from 'leaflet';
import { PMTiles } from 'pmtiles';

import { RangeSource } from './range-source.ts';
import { StreetsLayer } from './streets-layer.ts';

export class Streets {
  readonly #map: L.Map;
  readonly #url: string;
  #layer: StreetsLayer | null = null;
  #isRetrying = false;

  /** @param url of a PMTiles archive */
  constructor(map: L.Map, url: string) {
    this.#map = map;
    this.#url = url;
  }

  /**
   * Draws the file as it is now. When it is replaced, everything is drawn again, so that no two tiles on the map are of
   * different files. Where the file cannot be read, the basemap below stays, and the next move of the map retries.
   */
  async show(): Promise<void> {
    const source = new RangeSource(this.#url, () => void this.show());
    const archive = new PMTiles(source);
    const retry = () => {
      if (!source.isReplaced) this.#retryOnMove();
    };
    try {
      const header = await archive.getHeader();
      if (source.isReplaced) return;
      this.#layer?.remove();
      this.#layer = new StreetsLayer(archive, header, {
        isReplaced: () => source.isReplaced,
        onFailure: retry,
      });
      this.#layer.addTo(this.#map);
    } catch {
      retry();
    }
  }

  /** @returns when the tiles are drawn */
  async recolor(): Promise<void> {
    const layer = this.#layer;
    if (layer === null) return;
    const drawn = new Promise<void>((resolve) => {
      layer.once('load', () => resolve());
    });
    layer.recolor();
    if (layer.isLoading()) await drawn;
  }

  /** The archive is read from its start, because it remembers a failed read of a directory. */
  #retryOnMove(): void {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    this.#map.once('moveend', () => {
      this.#isRetrying = false;
      void this.show();
    });
  }
}
