/**
 * Leaflet drops a view that is asked for while a zoom is animated, such as the second of two quick clicks. And it knows no
 * zoom between whole ones, such as the least may be here.
 */

import * as L from 'leaflet';

type ViewOptions = L.ZoomPanOptions;

/** An address says a zoom to a hundredth. */
const SAME_ZOOM = 0.01;

/** Goes there when the animation has ended. Steps of the zoom add up meanwhile. */
export class PatientMap extends L.Map {
  #isZooming = false;
  /** Of the animation under way. */
  #target = 0;
  #next: { center: L.LatLngExpression; zoom: number; options: ViewOptions | undefined } | null = null;

  constructor(element: HTMLElement, options: L.MapOptions) {
    super(element, options);
    this.on('zoomend', () => {
      this.#isZooming = false;
      const next = this.#next;
      this.#next = null;
      if (next !== null) this.setView(next.center, next.zoom, next.options);
    });
  }

  override setView(center: L.LatLngExpression, zoom = this.getZoom(), options?: ViewOptions): this {
    const wanted = this._limitZoom(zoom);
    if (this.#isZooming) {
      this.#next = { center, zoom: wanted, options };
      return this;
    }
    super.setView(center, wanted, options);
    // What is animated begins with the next frame.
    this.#isZooming = this.getZoom() !== wanted;
    this.#target = wanted;
    return this;
  }

  /** Leaflet's own, by which it comes to a zoom that there is, would round the least one up. */
  protected _limitZoom(zoom: number): number {
    const least = this.getMinZoom();
    if (zoom - least < SAME_ZOOM) return least;
    return Math.max(least, Math.min(this.getMaxZoom(), Math.round(zoom)));
  }

  /** At once: what is animated would go on after the next view that is asked for, and move that one. */
  override panInsideBounds(bounds: L.LatLngBoundsExpression, options?: L.PanOptions): this {
    return super.panInsideBounds(bounds, { ...options, animate: false });
  }

  override setZoom(zoom: number, options?: ViewOptions): this {
    const ahead = this.#isZooming ? (this.#next?.zoom ?? this.#target) - this.getZoom() : 0;
    return super.setZoom(zoom + ahead, options);
  }
}
