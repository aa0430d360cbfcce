/** Fits the map to locations, clear of what overlays it: the legend, the buttons, the list on a phone. */

import type { Box } from '../../../src/web/basemap/box.ts';
import { boxAround, longitudeNear } from '../../../src/web/basemap/box.ts';
import { latitudeOfMercator, mercatorX, mercatorY } from '../../../src/web/basemap/world.ts';

/** The center of the map and its zoom. */
export interface View {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of the world's width at zoom 0. */
export const WORLD_PIXELS = 256;
/** The world is at least this high in a wide, low element. */
const MIN_WORLD_PIXELS = 512;

/** Pixels, from the upper left corner of the map's element. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Framing {
  /** Boxes of the API around the locations; empty for the world. */
  readonly boxes: readonly Box[];
  readonly size: Size;
  readonly overlays: readonly Area[];
  /** May be fractional; all higher zooms are integers. */
  readonly minZoom: number;
  readonly maxZoom: number;
}

const WORLD: Box = { south: -50, west: -150, north: 70, east: 170 };
/** Pixels between the boxes and the edges of the free area. A pin extends above its point. */
const MARGIN = { side: 30, above: 40, below: 30 };
/** Pixels around a point that its marker occupies. */
const MARKER = { side: 20, above: 38, below: 20 };
/** Zoom levels that the view may give up to avoid overlays. Beyond that, readers had better fold the legend. */
const MAX_ZOOM_LOSS = 1;
/** Tolerance in zoom levels for rounding up, provided that no marker is cut off. */
const ZOOM_TOLERANCE = 0.01;

/** The view with the fewest markers under overlays and, among those, the highest zoom. */
export function frameOf({ boxes, size, overlays, minZoom, maxZoom }: Framing): View {
  const all = squareOf(boxAround(boxes) ?? WORLD);
  const parts = boxes.map((box) => squareOf(box, (all.left + all.right) / 2));
  const candidateOf = (area: Area) => {
    const scale = Math.min(
      Math.max(1, area.right - area.left - 2 * MARGIN.side) / (all.right - all.left),
      Math.max(1, area.bottom - area.top - MARGIN.above - MARGIN.below) / (all.bottom - all.top),
    );
    const fit = Math.log2(scale / WORLD_PIXELS);
    const roundedUp = candidateAt(area, Math.floor(fit + ZOOM_TOLERANCE));
    return roundedUp.cut === 0 ? roundedUp : candidateAt(area, Math.floor(fit));
  };
  const candidateAt = (area: Area, fit: number) => {
    const zoom = Math.max(minZoom, Math.min(maxZoom, fit));
    const view = viewOf(all, area, zoom, size);
    const markers = parts.map((part) => markerArea(part, view, size));
    return {
      view,
      cut: markers.filter((marker) => !isWithin(marker, size)).length,
      covered: markers.filter((marker) => overlays.some((overlay) => intersect(overlay, marker))).length,
    };
  };
  const whole = candidateOf({ left: 0, top: 0, right: size.width, bottom: size.height });
  let best = whole;
  for (const area of whole.covered === 0 ? [] : areasBetween(size, overlays)) {
    const candidate = candidateOf(area);
    if (candidate.view.zoom < whole.view.zoom - MAX_ZOOM_LOSS || candidate.cut > whole.cut) continue;
    const isBetter =
      candidate.covered === best.covered
        ? candidate.view.zoom > best.view.zoom
        : candidate.covered < best.covered;
    if (isBetter) best = candidate;
  }
  const { zoom, x, y } = best.view;
  return { zoom, latitude: latitudeOfMercator(y), longitude: (x - 0.5) * 360 };
}

/** Whether the whole marker of a point is in the view and under no overlay. */
export function isVisible(
  point: { readonly latitude: number; readonly longitude: number },
  { zoom, latitude, longitude }: View,
  { size, overlays }: Pick<Framing, 'size' | 'overlays'>,
): boolean {
  const middle = { zoom, x: mercatorX(longitude), y: mercatorY(latitude) };
  const box = {
    south: point.latitude,
    west: point.longitude,
    north: point.latitude,
    east: point.longitude,
  };
  const marker = markerArea(squareOf(box, middle.x), middle, size);
  return isWithin(marker, size) && !overlays.some((overlay) => intersect(overlay, marker));
}

/** A box in Web Mercator units: the world is a square of size 1. */
type Square = Area;

/** The center of the view in Web Mercator units. */
interface Middle {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** @param near x of a point; the result is on the copy of the world nearest to it */
function squareOf({ south, west, north, east }: Box, near?: number): Square {
  const width = (east < west ? east + 360 - west : east - west) / 360;
  const longitude = west + width * 180;
  const middle = mercatorX(near === undefined ? longitude : longitudeNear(longitude, (near - 0.5) * 360));
  return {
    left: middle - width / 2,
    top: mercatorY(north),
    right: middle + width / 2,
    bottom: mercatorY(south),
  };
}

/** All rectangles bounded by overlays and the edges of the map, largest first. */
function areasBetween({ width, height }: Size, overlays: readonly Area[]): readonly Area[] {
  const areas: Area[] = [];
  for (const left of [0, ...overlays.map((overlay) => overlay.right)]) {
    for (const right of [width, ...overlays.map((overlay) => overlay.left)]) {
      for (const top of [0, ...overlays.map((overlay) => overlay.bottom)]) {
        for (const bottom of [height, ...overlays.map((overlay) => overlay.top)]) {
          if (left < right && top < bottom) areas.push({ left, top, right, bottom });
        }
      }
    }
  }
  const pixelsOf = ({ left, top, right, bottom }: Area) => (right - left) * (bottom - top);
  return areas.toSorted((a, b) => pixelsOf(b) - pixelsOf(a));
}

/** The view with the square centered in the area, limited to the extent of the map. */
function viewOf(square: Square, area: Area, zoom: number, { width, height }: Size): Middle {
  const world = WORLD_PIXELS * 2 ** zoom;
  const right = (area.left + area.right - width) / 2;
  const down = (area.top + MARGIN.above + area.bottom - MARGIN.below - height) / 2;
  // The map ends at the poles, and is centered where it fits as a whole.
  const most = Math.max(0, 0.5 - height / 2 / world);
  const y = (square.top + square.bottom) / 2 - down / world;
  return {
    zoom,
    x: (square.left + square.right) / 2 - right / world,
    y: Math.max(0.5 - most, Math.min(0.5 + most, y)),
  };
}

/** The area that the markers within the square occupy, in pixels of the map. */
function markerArea(square: Square, { zoom, x, y }: Middle, { width, height }: Size): Area {
  const world = WORLD_PIXELS * 2 ** zoom;
  return {
    left: (square.left - x) * world + width / 2 - MARKER.side,
    top: (square.top - y) * world + height / 2 - MARKER.above,
    right: (square.right - x) * world + width / 2 + MARKER.side,
    bottom: (square.bottom - y) * world + height / 2 + MARKER.below,
  };
}

function isWithin({ left, top, right, bottom }: Area, { width, height }: Size): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height;
}

function intersect(one: Area, other: Area): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

/**
 * The zoom at which the world fills the element: its width where it is tall, its height where it is wide. May be
 * fractional; 0 for an element of size 0.
 */
export function minZoomFor({ width, height }: Size): number {
  const world = Math.min(width, Math.max(height, MIN_WORLD_PIXELS));
  return Math.max(0, Math.log2(world / WORLD_PIXELS));
}
