/** The map of the editor: it shows the results of the list and the pin of the location being edited. */

import { tick } from 'svelte';

import { boxOf } from '../../../src/domain/filter/box.ts';
import type { Box } from '../../../src/web/basemap/box.ts';
import { FeatureLoader } from '../../shared/map/feature-loader.svelte.ts';
import type { MarkedLocation } from '../../shared/map/map-features.ts';
import type { MapView, Point } from '../../shared/map/map-view.ts';
import { messageOf, t } from '../common/messages.ts';
import type { LocationsStore } from '../list/locations-store.svelte.ts';
import type { ReviewedPoint } from '../review/review-state.svelte.ts';

type MarkOf = Parameters<MapView['showMarks']>[0];

export class EditorMap {
  readonly #store: LocationsStore;
  readonly #loader = new FeatureLoader();
  #view: MapView | null = null;
  #markOf: MarkOf = () => null;
  #isStyled = false;
  /** Boxes around the results; null until they are loaded. */
  #boxes: readonly Box[] | null = null;
  /** Shown in place of the results; null if there is no review. */
  #reviewed: ReviewedPoint | null = null;

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

  attach(view: MapView): void {
    this.#view = view;
    view.showMarks(this.#markOf);
    this.fit();
    void this.load();
  }

  /** @param isStyled whether the marks depend on the properties of the locations in view */
  showMarks(markOf: MarkOf, isStyled: boolean): void {
    const isOther = isStyled !== this.#isStyled;
    this.#markOf = markOf;
    this.#isStyled = isStyled;
    this.#view?.showMarks(markOf);
    if (isOther) void this.load();
  }

  /** Fits all results, or the location under review and its candidates, into the view. */
  fit(): void {
    if (this.#reviewed !== null) {
      const { point, candidates } = this.#reviewed;
      this.#view?.showBoxes([point, ...candidates].map(boxOf));
    } else if (this.#boxes !== null) this.#view?.showBoxes(this.#boxes);
  }

  /**
   * Loads where the results are, and fits them into the view.
   *
   * @param listed resolves when the list is loaded: the view has to avoid its legend
   */
  async refresh(listed: Promise<void> = Promise.resolve()): Promise<void> {
    [this.#boxes] = await Promise.all([this.#store.boxes(), listed]);
    await tick();
    this.fit();
    await this.load();
  }

  /** Loads the features in view. */
  async load(): Promise<void> {
    const view = this.#view;
    if (view === null || this.#reviewed !== null) return;
    const request = { box: view.box, zoom: view.view.zoom, isStyled: this.#isStyled };
    await this.#loader.load(view, (signal) => this.#store.inView(request, signal));
  }

  /**
   * Shows the pin of the location being edited, or none.
   *
   * @param location null for a new location
   * @param isDragged whether the user placed the pin, so that the view stays
   */
  showPin(location: MarkedLocation | null, point: Point | null, isDragged = false): void {
    this.#view?.showCandidates([], () => undefined);
    const { id, name, properties } = location ?? { id: 'new', name: t('form.new') };
    this.#view?.showOpen(point === null ? null : { id, name, properties, ...pointOf(point) }, isDragged);
  }

  /** Shows where the open location was before a change, and after it, in place of its pin. */
  showChange(points: readonly [before: Point, after: Point]): void {
    this.showPin(null, null);
    this.#view?.showCandidates(points, () => undefined);
    this.#view?.showBoxes(points.map(boxOf));
  }

  /** Shows one location in place of the results. @param reviewed null to show the results again */
  showReview(reviewed: ReviewedPoint | null): void {
    const before = this.#reviewed;
    if (reviewed === null && before === null) return;
    this.#reviewed = reviewed;
    if (reviewed === null) {
      this.showPin(null, null);
      this.#view?.showCandidates([], () => undefined);
      this.fit();
      void this.load();
      return;
    }
    // Also cancels the load of the results.
    if (before === null && this.#view !== null) void this.#loader.load(this.#view, () => Promise.resolve([]));
    if (!reviewed.isMoved) this.fit();
    this.showPin(reviewed.location, reviewed.point, true);
    this.#view?.showCandidates(reviewed.candidates, reviewed.onchoose);
  }
}

function pointOf({ latitude, longitude }: Point): Point {
  return { latitude, longitude };
}
