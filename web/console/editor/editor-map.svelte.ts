/** The map of the editor: it shows the results of the list and the pin of the location being edited. */

import type { Box } from '../../../src/web/basemap/box.ts';
import { FeatureLoader } from '../../shared/map/feature-loader.svelte.ts';
import type { MapView, Point } from '../../shared/map/map-view.ts';
import { messageOf } from '../common/messages.ts';
import type { LocationsStore } from '../list/locations-store.svelte.ts';

type MarkOf = Parameters<MapView['showMarks']>[0];

export class EditorMap {
  readonly #store: LocationsStore;
  readonly #loader = new FeatureLoader();
  #view: MapView | null = null;
  /** Boxes around the results; null until they are loaded. */
  #boxes: readonly Box[] | null = null;

  constructor(store: LocationsStore) {
    this.#store = store;
  }

  /** Why the view could not be loaded; null if it was. */
  get problem(): string | null {
    return this.#loader.error === null ? null : messageOf(this.#loader.error);
  }

  /** The part of the map in view; null before the map exists. */
  get box(): Box | null {
    return this.#view?.box ?? null;
  }

  get center(): Point | null {
    return this.#view === null ? null : pointOf(this.#view.view);
  }

  attach(view: MapView, markOf: MarkOf): void {
    this.#view = view;
    view.showMarks(markOf);
    this.fit();
    void this.load();
  }

  showMarks(markOf: MarkOf): void {
    this.#view?.showMarks(markOf);
  }

  /** Fits all results into the view. */
  fit(): void {
    if (this.#boxes !== null) this.#view?.showBoxes(this.#boxes);
  }

  /** Loads where the results are, and fits them into the view. */
  async refresh(): Promise<void> {
    this.#boxes = await this.#store.boxes();
    this.fit();
    await this.load();
  }

  /** Loads the features in view. */
  async load(): Promise<void> {
    const view = this.#view;
    if (view === null) return;
    await this.#loader.load(view, (signal) => this.#store.inView(view.box, view.view.zoom, signal));
  }

  /**
   * Shows the pin of the location being edited, or none.
   *
   * @param location null for a new location
   * @param isDragged whether the user placed the pin, so that the view stays
   */
  showPin(
    location: { readonly id: string; readonly name: string } | null,
    point: Point | null,
    isDragged = false,
  ): void {
    const { id, name } = location ?? { id: 'new', name: 'New location' };
    this.#view?.showOpen(point === null ? null : { id, name, ...pointOf(point) }, isDragged);
  }
}

function pointOf({ latitude, longitude }: Point): Point {
  return { latitude, longitude };
}
