/** The interactive map: the basemap or the operator's tiles, with pins and clusters on it. */

import 'leaflet/dist/leaflet.css';

import * as L from 'leaflet';

import type { Box } from '../../../src/web/basemap/box.ts';
import { boxAround, longitudeNear, wrapLongitude } from '../../../src/web/basemap/box.ts';
import { BasemapLayer } from '../basemap/basemap-layer.ts';
import type { Streets } from '../basemap/streets.ts';
import { usesMiles } from '../i18n/languages.ts';
import { formatNumber, isRightToLeft } from '../i18n/translate.ts';
import type { Tiles } from '../page-config.ts';
import type { CategoryMark } from './category-marks.ts';
import type { Area, Framing, Size, View } from './framing.ts';
import { frameOf, isVisible, minZoomFor, WORLD_PIXELS } from './framing.ts';
import type { MapFeature, MarkedLocation } from './map-features.ts';
import { mergeOverlapping } from './map-features.ts';
import { clusterIcon, clusterName, numberIcon, pinIcon } from './marker-icons.ts';
import { QueuedViewMap } from './queued-view-map.ts';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface MapEvents {
  /** The view has changed. */
  onView(view: View): void;
  onOpen(locationId: string): void;
  /** The user activated a cluster that no zoom can split. */
  onSamePoint(box: Box): void;
  /** The user dragged the pin of the open location. Without a handler, the pin cannot be dragged. */
  onDrag?(point: Point): void;
  /** The user clicked the map, not a marker. */
  onClick?(point: Point): void;
}

/** The mark of a location's category, or null. */
type MarkOf = (location: Pick<MarkedLocation, 'id' | 'properties'>) => CategoryMark | null;

/**
 * Zooms that the page itself chooses: for a single location, and the maximum. The basemap has no more detail beyond the
 * first.
 */
const OWN_ZOOMS = { basemap: { close: 9, max: 11 }, tiles: { close: 14, max: 15 } };
const MAX_ZOOM = 18;
/** Leaflet draws southern markers above northern ones. This offset keeps all clusters below all pins. */
const CLUSTER_Z_OFFSET = -10_000;

/** Leaflet's units. */
const UNITS: Readonly<Record<string, string>> = { m: 'meter', km: 'kilometer', ft: 'foot', mi: 'mile' };

/** A scale with numbers and units in the reader's language. */
class LocalScale extends L.Control.Scale {
  /** Called by Leaflet. @param text such as `50 km` */
  protected _updateScale(scale: HTMLElement, text: string, ratio: number): void {
    const [value = '', unit = ''] = text.split(' ');
    scale.style.width = `${Math.round((this.options.maxWidth ?? 100) * ratio)}px`;
    scale.textContent = formatNumber(Number(value), {
      style: 'unit',
      unit: UNITS[unit] ?? 'meter',
      useGrouping: false,
    });
  }
}

export class MapView {
  readonly #map: L.Map;
  readonly #events: MapEvents;
  readonly #markers = new Map<string, L.Marker>();
  readonly #tiles: Tiles | null;
  readonly #basemap: BasemapLayer | null;
  #streets: Streets | null = null;
  /** Boxes to show when the element gets a size, or null. */
  #pendingBoxes: readonly Box[] | null = null;
  #open: { id: string; marker: L.Marker } | null = null;
  #candidates: readonly L.Marker[] = [];
  #position: L.Marker | null = null;
  #features: readonly MapFeature[] = [];
  #markOf: MarkOf = () => null;
  /** Of locations in a printed list. */
  #numbers: ReadonlyMap<string, number> = new Map();

  constructor(element: HTMLElement, tiles: Tiles | null, view: View | null, events: MapEvents) {
    this.#events = events;
    this.#tiles = tiles;
    this.#map = new QueuedViewMap(element, {
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
    if (tiles?.kind === 'server') L.tileLayer(tiles.url, { detectRetina: true }).addTo(this.#map);
    this.#basemap = tiles?.kind === 'server' ? null : new BasemapLayer().addTo(this.#map);
    if (tiles?.kind === 'file') void this.#showStreets(tiles.url);
    this.showView(view ?? { zoom: 1, latitude: 20, longitude: 0 });
    this.#map.on('moveend', () => {
      this.#colorPoles();
      this.#draw();
      this.#events.onView(this.view);
    });
    this.#map.on('click', ({ latlng: { lat, lng } }) => {
      this.#events.onClick?.({ latitude: lat, longitude: wrapLongitude(lng) });
    });
    const isMetric = !usesMiles(navigator.language);
    const position = isRightToLeft() ? 'bottomright' : 'bottomleft';
    new LocalScale({ metric: isMetric, imperial: !isMetric, position }).addTo(this.#map);
    new ResizeObserver(() => {
      this.#map.invalidateSize();
      const isAtMinZoom = this.#map.getZoom() === this.#map.getMinZoom();
      this.#map.setMinZoom(minZoomFor(sizeOf(element)));
      if (isAtMinZoom) this.#map.setZoom(this.#map.getMinZoom(), { animate: false });
      this.#colorPoles();
      if (this.#pendingBoxes !== null && element.clientWidth > 0) this.showBoxes(this.#pendingBoxes);
    }).observe(element);
  }

  /** Without the script that draws them, the built-in basemap stays. */
  async #showStreets(url: string): Promise<void> {
    const module = await import('../basemap/streets.ts').catch(() => null);
    if (module === null) return;
    this.#streets = new module.Streets(this.#map, url);
    await this.#streets.show();
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

  /** @param boxes boxes to fit into the view; empty for the world */
  showBoxes(boxes: readonly Box[]): void {
    const isHidden = this.#map.getContainer().clientWidth === 0;
    this.#pendingBoxes = isHidden ? boxes : null;
    if (isHidden) return;
    const all = boxAround(boxes);
    const isPoint = all !== null && all.south === all.north && all.west === all.east;
    const zooms = this.#ownZoomsAt(all);
    const maxZoom = isPoint ? zooms.close : zooms.max;
    this.showView(frameOf({ ...this.#layout, boxes, minZoom: this.#map.getMinZoom(), maxZoom }));
  }

  /** The size of the map and what overlays it: elements with `data-overlay` and Leaflet's controls. */
  get #layout(): Pick<Framing, 'size' | 'overlays'> {
    const element = this.#map.getContainer();
    const from = element.getBoundingClientRect();
    const overlays = [...document.querySelectorAll('[data-overlay], .leaflet-control')].map(
      (overlay): Area => {
        const { left, top, right, bottom } = overlay.getBoundingClientRect();
        return {
          left: Math.max(0, left - from.left),
          top: Math.max(0, top - from.top),
          right: Math.min(from.width, right - from.left),
          bottom: Math.min(from.height, bottom - from.top),
        };
      },
    );
    // On a wide screen the list is next to the map, not on it.
    return {
      size: this.size,
      overlays: overlays.filter((one) => one.left < one.right && one.top < one.bottom),
    };
  }

  /** Moves to the boxes on the copy of the world that is in view. */
  #moveTo(boxes: readonly Box[], minZoom: number, maxZoom: number): void {
    const { zoom, latitude, longitude } = frameOf({ ...this.#layout, boxes, minZoom, maxZoom });
    this.#map.setView(this.#near({ latitude, longitude }), zoom);
  }

  /** Colors the space beyond the poles like the areas around them. */
  #colorPoles(): void {
    const isBeyond = WORLD_PIXELS * 2 ** this.#map.getZoom() < this.size.height;
    this.#map.getContainer().classList.toggle('map-beyond', isBeyond);
  }

  zoomBy(steps: number): void {
    this.#map.setZoom(this.#map.getZoom() + steps);
  }

  showFeatures(features: readonly MapFeature[]): void {
    this.#features = features;
    this.#draw();
  }

  /** Draws the mark of its category in each pin. */
  showMarks(markOf: MarkOf): void {
    this.#markOf = markOf;
    this.#drawAnew();
  }

  /** Shows the numbers of locations in their pins. @param numbers by the location's id */
  showNumbers(numbers: ReadonlyMap<string, number>): void {
    this.#numbers = numbers;
    this.#drawAnew();
  }

  /** Draws the basemap at once and the streets soon, in the current colours of the page. */
  async recolor(): Promise<void> {
    this.#basemap?.recolor();
    await this.#streets?.recolor();
  }

  #drawAnew(): void {
    for (const [key, marker] of this.#markers) {
      marker.remove();
      this.#markers.delete(key);
    }
    this.#draw();
  }

  /**
   * Highlights the open location, or none.
   *
   * @param isKept keeps the view, because the user placed the pin in it
   */
  showOpen(location: (Point & MarkedLocation) | null, isKept = false): void {
    this.#open?.marker.remove();
    this.#open = null;
    if (location !== null) {
      const point = this.#near(location);
      const marker = L.marker(point, {
        icon: pinIcon('pin pin-open', this.#markOf(location)),
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
      const { close } = this.#ownZoomsAt(boxOf(location));
      const isFar = !isKept && zoom < Math.min(close, 5);
      const bounds = this.#map.getBounds().pad(isKept ? 0 : -0.1);
      const isOutside = !bounds.contains(point);
      const overlap = !isKept && !isVisible(location, this.view, this.#layout);
      const wanted = isFar || isOutside ? Math.max(zoom, close) : zoom;
      if (isFar || isOutside || overlap) this.#moveTo([boxOf(location)], wanted, wanted);
    }
    this.#draw();
  }

  /** Marks where the reader is, or nothing. */
  showPosition(point: Point | null, title: string): void {
    this.#position?.remove();
    this.#position = null;
    if (point === null) return;
    const icon = L.divIcon({ className: 'position', iconSize: [18, 18] });
    const options = { icon, title, keyboard: false, interactive: false, zIndexOffset: CLUSTER_Z_OFFSET };
    this.#position = L.marker(this.#near(point), options).addTo(this.#map);
  }

  /** Shows points with their numbers, from 1. @param onChoose called with the index of a clicked point */
  showCandidates(points: readonly Point[], onChoose: (index: number) => void): void {
    for (const marker of this.#candidates) marker.remove();
    this.#candidates = points.map((point, index) => {
      const icon = numberIcon(index + 1);
      const marker = L.marker(this.#near(point), { icon, keyboard: false, zIndexOffset: 5_000 });
      return marker.on('click', () => onChoose(index)).addTo(this.#map);
    });
  }

  /** Updates the markers. Unchanged markers are kept, so that they keep the focus. */
  #draw(): void {
    const zoom = this.#map.getZoom();
    const merged = mergeOverlapping(this.#features, (one) => this.#map.project(this.#near(one), zoom));
    const obsolete = new Set(this.#markers.keys());
    for (const feature of merged) {
      if (feature.location !== null && feature.location.id === this.#open?.id) continue;
      const point = this.#near(feature);
      const key = `${feature.location?.id ?? feature.count}@${point.lat},${point.lng}`;
      if (!obsolete.delete(key)) this.#markers.set(key, this.#markerOf(feature, point).addTo(this.#map));
    }
    for (const key of obsolete) {
      this.#markers.get(key)?.remove();
      this.#markers.delete(key);
    }
  }

  #markerOf(feature: MapFeature, point: L.LatLng): L.Marker {
    const { location } = feature;
    const name = location?.name ?? clusterName(feature.count);
    const marker = L.marker(point, {
      icon: this.#iconOf(feature),
      title: name,
      riseOnHover: true,
      zIndexOffset: location === null ? CLUSTER_Z_OFFSET : 0,
    });
    const activate = () => (location === null ? this.#zoomInto(feature) : this.#events.onOpen(location.id));
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

  #iconOf({ location, count }: MapFeature): L.DivIcon {
    if (location === null) return clusterIcon(count);
    const number = this.#numbers.get(location.id);
    return number === undefined ? pinIcon('pin', this.#markOf(location)) : numberIcon(number);
  }

  /** Zooms into a cluster until it cannot be split. */
  #zoomInto({ box }: MapFeature): void {
    const isPoint = box.north - box.south < 1e-6 && box.east - box.west < 1e-6;
    const zoom = this.#map.getZoom();
    if (isPoint || zoom >= MAX_ZOOM) return this.#events.onSamePoint(box);
    // The minimum zoom may be fractional.
    const next = Math.min(MAX_ZOOM, Math.floor(zoom) + 1);
    this.#moveTo([box], next, Math.max(next, this.#ownZoomsAt(box).max));
  }

  /** Streets of a file are detail only within its bounds. */
  #ownZoomsAt(box: Box | null): (typeof OWN_ZOOMS)['tiles'] {
    if (this.#tiles === null) return OWN_ZOOMS.basemap;
    if (this.#tiles.kind === 'server') return OWN_ZOOMS.tiles;
    const { bounds } = this.#tiles;
    return box !== null && contains(bounds, box) ? OWN_ZOOMS.tiles : OWN_ZOOMS.basemap;
  }

  /** The point on the copy of the world at the center of the view. */
  #near({ latitude, longitude }: Point): L.LatLng {
    return L.latLng(latitude, longitudeNear(longitude, this.#map.getCenter().lng));
  }
}

function contains(outer: Box, inner: Box): boolean {
  const east = wrapLongitude(inner.east);
  return (
    outer.south <= inner.south && inner.north <= outer.north && outer.west <= inner.west && east <= outer.east
  );
}

function boxOf({ latitude, longitude }: Point): Box {
  return { south: latitude, west: longitude, north: latitude, east: longitude };
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): Size {
  return { width: clientWidth, height: clientHeight };
}
