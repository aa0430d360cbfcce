/** Leaflet drops a view that is asked for while a zoom is animated, such as the second of two quick clicks. */

import * as L from 'leaflet';

type ViewOptions = L.ZoomPanOptions;

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
    const wanted = Math.max(this.getMinZoom(), Math.min(this.getMaxZoom(), Math.round(zoom)));
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

  override setZoom(zoom: number, options?: ViewOptions): this {
    const ahead = this.#isZooming ? (this.#next?.zoom ?? this.#target) - this.getZoom() : 0;
    return super.setZoom(zoom + ahead, options);
  }
}
