/**
 * A Leaflet map with two changes. It queues a view set during a zoom animation, which Leaflet drops (the second of two
 * quick clicks). And it allows a fractional minimum zoom beside integer zooms.
 */

import * as L from 'leaflet';

type ViewOptions = L.ZoomPanOptions;

/** Precision of the zoom in a page's URL. */
const ZOOM_PRECISION = 0.01;

export class QueuedViewMap extends L.Map {
  #isZooming = false;
  /** Zoom at the end of the current animation. */
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
    // An animation starts with the next frame, so the zoom is still the old one.
    this.#isZooming = this.getZoom() !== wanted;
    this.#target = wanted;
    return this;
  }

  /** Overrides Leaflet's method, which would round the minimum zoom up. */
  protected _limitZoom(zoom: number): number {
    const min = this.getMinZoom();
    if (zoom - min < ZOOM_PRECISION) return min;
    return Math.max(min, Math.min(this.getMaxZoom(), Math.round(zoom)));
  }

  /** Without animation, which would continue after the next `setView` and shift that view. */
  override panInsideBounds(bounds: L.LatLngBoundsExpression, options?: L.PanOptions): this {
    return super.panInsideBounds(bounds, { ...options, animate: false });
  }

  /** Steps add up during an animation. */
  override setZoom(zoom: number, options?: ViewOptions): this {
    const ahead = this.#isZooming ? (this.#next?.zoom ?? this.#target) - this.getZoom() : 0;
    return super.setZoom(zoom + ahead, options);
  }
}
