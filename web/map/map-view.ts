/** The map itself: the basemap or the operator's tiles, and what stands on it. */

import 'leaflet/dist/leaflet.css';

import * as L from 'leaflet';

import { BasemapLayer } from '../shared/basemap/basemap-layer.ts';
import type { Box } from '../../src/web/basemap/box.ts';
import { boxAround, longitudeNear, wrapLongitude } from '../../src/web/basemap/box.ts';
import type { MapConfig } from './config.ts';
import type { View } from './fragment.ts';
import type { Area, Framing } from './framing.ts';
import { frameOf, isInSight } from './framing.ts';
import type { Spot } from './marks.ts';
import type { CategoryMark } from './category-marks.ts';
import { clusterSize, joinNear, shortCount } from './marks.ts';
import { PatientMap } from './patient-map.ts';
import { pinIcon } from './pin.ts';
import type { Size } from './places.ts';
import { minZoomFor, WORLD_PIXELS } from './zoom.ts';

export interface MapEvents {
  /** The reader moved the map, or the page did. */
  onView(view: View): void;
  onOpen(locationId: string): void;
  /** Locations that no zoom can separate were asked for. */
  onPlace(box: Box): void;
  /** The pin of the open location was dragged. Without it that pin cannot be. */
  onDrag?(point: { latitude: number; longitude: number }): void;
  /** The map was clicked where nothing stands. */
  onClick?(point: { latitude: number; longitude: number }): void;
}

/** The mark of a location's category; null where it has none. */
type MarkOf = (locationId: string) => CategoryMark | null;

/** The zoom at which a single location is shown. The basemap has nothing to tell it by at a greater one. */
const CLOSE_ZOOM = { basemap: 9, tiles: 14 };
/** No map goes nearer by itself: there is nothing more to see. */
const NEAREST_ZOOM = { basemap: 11, tiles: 15 };
const MAX_ZOOM = 18;
/** Leaflet puts marks in the south above those in the north. This lifts all pins above all clusters. */
const BELOW_PINS = -10_000;

export class MapView {
  readonly #map: L.Map;
  readonly #events: MapEvents;
  readonly #marks = new Map<string, L.Marker>();
  readonly #closeZoom: number;
  readonly #nearestZoom: number;
  /** What to show as soon as the element has a size; null where nothing waits. */
  #waiting: readonly Box[] | null = null;
  #open: { id: string; marker: L.Marker } | null = null;
  #spots: readonly Spot[] = [];
  #markOf: MarkOf = () => null;

  constructor(element: HTMLElement, tiles: MapConfig['tiles'], view: View | null, events: MapEvents) {
    this.#events = events;
    const kind = tiles === null ? 'basemap' : 'tiles';
    this.#closeZoom = CLOSE_ZOOM[kind];
    this.#nearestZoom = NEAREST_ZOOM[kind];
    this.#map = new PatientMap(element, {
      zoomControl: false,
      attributionControl: false,
      worldCopyJump: true,
      minZoom: minZoomFor(sizeOf(element)),
      maxZoom: MAX_ZOOM,
      maxBounds: [
        [-85, Number.NEGATIVE_INFINITY],
        [85, Number.POSITIVE_INFINITY],
      ],
      maxBoundsViscosity: 1,
    });
    const layer = tiles === null ? new BasemapLayer() : L.tileLayer(tiles.url, { detectRetina: true });
    layer.addTo(this.#map);
    this.showView(view ?? { zoom: 1, latitude: 20, longitude: 0 });
    this.#map.on('moveend', () => {
      this.#showPoles();
      this.#draw();
      this.#events.onView(this.view);
    });
    this.#map.on('click', ({ latlng: { lat, lng } }) => {
      this.#events.onClick?.({ latitude: lat, longitude: wrapLongitude(lng) });
    });
    const isMetric = !/^en-US|^my|^en-LR/.test(navigator.language);
    L.control.scale({ metric: isMetric, imperial: !isMetric }).addTo(this.#map);
    new ResizeObserver(() => {
      this.#map.invalidateSize();
      const isWhole = this.#map.getZoom() === this.#map.getMinZoom();
      this.#map.setMinZoom(minZoomFor(sizeOf(element)));
      // What showed as much as could be goes on doing so.
      if (isWhole) this.#map.setZoom(this.#map.getMinZoom(), { animate: false });
      this.#showPoles();
      if (this.#waiting !== null && element.clientWidth > 0) this.showBoxes(this.#waiting);
    }).observe(element);
  }

  get view(): View {
    const { lat, lng } = this.#map.getCenter();
    return { zoom: this.#map.getZoom(), latitude: lat, longitude: wrapLongitude(lng) };
  }

  get box(): Box {
    const bounds = this.#map.getBounds();
    return {
      south: bounds.getSouth(),
      west: bounds.getWest(),
      north: bounds.getNorth(),
      east: bounds.getEast(),
    };
  }

  get size(): Size {
    const { x, y } = this.#map.getSize();
    return { width: x, height: y };
  }

  showView({ zoom, latitude, longitude }: View): void {
    this.#map.setView([latitude, longitude], zoom, { animate: false });
  }

  /** @param boxes around what is to be seen; none shows the world */
  showBoxes(boxes: readonly Box[]): void {
    const isHidden = this.#map.getContainer().clientWidth === 0;
    this.#waiting = isHidden ? boxes : null;
    if (isHidden) return;
    const all = boxAround(boxes);
    const isPoint = all !== null && all.south === all.north && all.west === all.east;
    const maxZoom = isPoint ? this.#closeZoom : this.#nearestZoom;
    this.showView(frameOf({ ...this.#room, boxes, minZoom: this.#map.getMinZoom(), maxZoom }));
  }

  /** The element, and what stands on it: all that says so by `data-covers`, and Leaflet's own. */
  get #room(): Pick<Framing, 'size' | 'covers'> {
    const element = this.#map.getContainer();
    const from = element.getBoundingClientRect();
    const covers = [...document.querySelectorAll('[data-covers], .leaflet-control')].map((cover): Area => {
      const { left, top, right, bottom } = cover.getBoundingClientRect();
      return {
        left: Math.max(0, left - from.left),
        top: Math.max(0, top - from.top),
        right: Math.min(from.width, right - from.left),
        bottom: Math.min(from.height, bottom - from.top),
      };
    });
    // Some stand beside it.
    return { size: this.size, covers: covers.filter((one) => one.left < one.right && one.top < one.bottom) };
  }

  /** Goes where the boxes are seen, on the copy of the world that is in view. */
  #moveTo(boxes: readonly Box[], minZoom: number, maxZoom: number): void {
    const { zoom, latitude, longitude } = frameOf({ ...this.#room, boxes, minZoom, maxZoom });
    this.#map.setView(this.#near({ latitude, longitude }), zoom);
  }

  /** Where the map shows more than the world from pole to pole, the rest is in the colours of the seas around them. */
  #showPoles(): void {
    const isBeyond = WORLD_PIXELS * 2 ** this.#map.getZoom() < this.size.height;
    this.#map.getContainer().classList.toggle('map-beyond', isBeyond);
  }

  zoomBy(steps: number): void {
    this.#map.setZoom(this.#map.getZoom() + steps);
  }

  showSpots(spots: readonly Spot[]): void {
    this.#spots = spots;
    this.#draw();
  }

  /** Gives each pin the mark of its location's category. */
  showMarks(markOf: MarkOf): void {
    this.#markOf = markOf;
    for (const [key, marker] of this.#marks) {
      marker.remove();
      this.#marks.delete(key);
    }
    this.#draw();
  }

  /**
   * Marks the location that is open; null where none is.
   *
   * @param isKept leaves the view as it is, where the reader has put the location into it
   */
  showOpen(
    location: { id: string; name: string; latitude: number; longitude: number } | null,
    isKept = false,
  ): void {
    this.#open?.marker.remove();
    this.#open = null;
    if (location !== null) {
      const point = this.#near(location);
      const marker = L.marker(point, {
        icon: pinIcon('pin pin-open', this.#markOf(location.id)),
        zIndexOffset: 10_000,
        keyboard: false,
        interactive: this.#events.onDrag !== undefined,
        draggable: this.#events.onDrag !== undefined,
        title: location.name,
      });
      marker.on('dragend', () => {
        const { lat, lng } = marker.getLatLng();
        this.#events.onDrag?.({ latitude: lat, longitude: wrapLongitude(lng) });
      });
      this.#open = { id: location.id, marker: marker.addTo(this.#map) };
      const zoom = this.#map.getZoom();
      const isFar = !isKept && zoom < Math.min(this.#closeZoom, 5);
      const bounds = this.#map.getBounds().pad(isKept ? 0 : -0.1);
      const isOutside = !bounds.contains(point);
      const isCovered = !isKept && !isInSight(location, this.view, this.#room);
      const wanted = isFar || isOutside ? Math.max(zoom, this.#closeZoom) : zoom;
      if (isFar || isOutside || isCovered) this.#moveTo([boxOf(location)], wanted, wanted);
    }
    this.#draw();
  }

  /** Replaces the marks by those of now; a mark that stays is not touched, so that it keeps the focus. */
  #draw(): void {
    const zoom = this.#map.getZoom();
    const at = (spot: Spot) => this.#near(spot);
    const joined = joinNear(this.#spots, (spot) => this.#map.project(at(spot), zoom));
    const old = new Set(this.#marks.keys());
    for (const spot of joined) {
      if (spot.location !== null && spot.location.id === this.#open?.id) continue;
      const point = at(spot);
      const key = `${spot.location?.id ?? spot.count}@${point.lat},${point.lng}`;
      if (!old.delete(key)) this.#marks.set(key, this.#mark(spot, point).addTo(this.#map));
    }
    for (const key of old) {
      this.#marks.get(key)?.remove();
      this.#marks.delete(key);
    }
  }

  #mark(spot: Spot, point: L.LatLng): L.Marker {
    const { location } = spot;
    const name = location?.name ?? `${spot.count.toLocaleString()} locations`;
    const marker = L.marker(point, {
      icon: location === null ? clusterIcon(spot.count) : pinIcon('pin', this.#markOf(location.id)),
      title: name,
      riseOnHover: true,
      zIndexOffset: location === null ? BELOW_PINS : 0,
    });
    const activate = () => (location === null ? this.#enter(spot) : this.#events.onOpen(location.id));
    marker.on('click', activate);
    marker.on('add', () => {
      const element = marker.getElement();
      element?.setAttribute('aria-label', name);
      element?.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        activate();
      });
    });
    return marker;
  }

  /** Goes into a cluster, as long as there is anything to tell apart. */
  #enter({ box }: Spot): void {
    const isPoint = box.north - box.south < 1e-6 && box.east - box.west < 1e-6;
    const zoom = this.#map.getZoom();
    if (isPoint || zoom >= MAX_ZOOM) return this.#events.onPlace(box);
    // The least zoom may be a fraction.
    const next = Math.min(MAX_ZOOM, Math.floor(zoom) + 1);
    this.#moveTo([box], next, Math.max(next, this.#nearestZoom));
  }

  /** On that copy of the world that is in the middle of the view. */
  #near({ latitude, longitude }: { latitude: number; longitude: number }): L.LatLng {
    return L.latLng(latitude, longitudeNear(longitude, this.#map.getCenter().lng));
  }
}

function boxOf({ latitude, longitude }: { latitude: number; longitude: number }): Box {
  return { south: latitude, west: longitude, north: latitude, east: longitude };
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): Size {
  return { width: clientWidth, height: clientHeight };
}

function clusterIcon(count: number): L.DivIcon {
  const size = clusterSize(count);
  const text = document.createElement('span');
  text.textContent = shortCount(count, undefined);
  return L.divIcon({ className: 'cluster', html: text, iconSize: [size, size] });
}
