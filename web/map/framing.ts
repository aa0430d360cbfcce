/** The view that shows locations beside what stands on the map: the legend, the buttons, and what else covers it. */

import type { Box } from '../../src/web/basemap/box.ts';
import { boxAround, longitudeNear } from '../../src/web/basemap/box.ts';
import { latitudeOfMercator, mercatorX, mercatorY } from '../../src/web/basemap/world.ts';
import type { View } from './fragment.ts';
import type { Size } from './places.ts';
import { WORLD_PIXELS } from './zoom.ts';

/** Pixels, from the upper left corner of the map's element. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Framing {
  /** Around what is to be seen, as the API gives boxes; none stands for the world. */
  readonly boxes: readonly Box[];
  readonly size: Size;
  /** What stands on the map. */
  readonly covers: readonly Area[];
  /** May be a fraction. All greater zooms are whole. */
  readonly minZoom: number;
  readonly maxZoom: number;
}

const WORLD: Box = { south: -50, west: -150, north: 70, east: 170 };
/** Pixels between what is shown and the edges of its area. A pin stands above its point. */
const MARGIN = { side: 30, above: 40, below: 30 };
/** Pixels that a mark needs around its point. */
const MARK = { side: 20, above: 38, below: 20 };
/** How much smaller the map may become so that nothing is covered. More, and it is better to fold the legend. */
const MAX_STEPS = 1;
/** Of a zoom, where the fit is missed by so little and yet no mark is cut. */
const NEARLY = 0.01;

/** Nothing is covered where that is possible. Then the zoom is the greatest that there is, and the most of the map is used. */
export function frameOf({ boxes, size, covers, minZoom, maxZoom }: Framing): View {
  const all = squareOf(boxAround(boxes) ?? WORLD);
  const parts = boxes.map((box) => squareOf(box, (all.left + all.right) / 2));
  const candidateOf = (area: Area) => {
    const scale = Math.min(
      Math.max(1, area.right - area.left - 2 * MARGIN.side) / (all.right - all.left),
      Math.max(1, area.bottom - area.top - MARGIN.above - MARGIN.below) / (all.bottom - all.top),
    );
    const fit = Math.log2(scale / WORLD_PIXELS);
    const near = candidateAt(area, Math.floor(fit + NEARLY));
    return near.cut === 0 ? near : candidateAt(area, Math.floor(fit));
  };
  const candidateAt = (area: Area, fit: number) => {
    const zoom = Math.max(minZoom, Math.min(maxZoom, fit));
    const view = viewOf(all, area, zoom, size);
    const marks = parts.map((part) => marksOf(part, view, size));
    const cut = marks.filter((mark) => !isWithin(mark, size)).length;
    return {
      view,
      cut,
      covered: marks.filter((mark) => covers.some((cover) => areMeeting(cover, mark))).length,
    };
  };
  const whole = candidateOf({ left: 0, top: 0, right: size.width, bottom: size.height });
  let best = whole;
  for (const area of whole.covered === 0 ? [] : areasBetween(size, covers)) {
    const candidate = candidateOf(area);
    if (candidate.view.zoom < whole.view.zoom - MAX_STEPS || candidate.cut > whole.cut) continue;
    const isBetter =
      candidate.covered === best.covered
        ? candidate.view.zoom > best.view.zoom
        : candidate.covered < best.covered;
    if (isBetter) best = candidate;
  }
  const { zoom, x, y } = best.view;
  return { zoom, latitude: latitudeOfMercator(y), longitude: (x - 0.5) * 360 };
}

/** Whether a mark at the point can be seen as a whole in the view. */
export function isInSight(
  point: { readonly latitude: number; readonly longitude: number },
  { zoom, latitude, longitude }: View,
  { size, covers }: Pick<Framing, 'size' | 'covers'>,
): boolean {
  const middle = { zoom, x: mercatorX(longitude), y: mercatorY(latitude) };
  const box = {
    south: point.latitude,
    west: point.longitude,
    north: point.latitude,
    east: point.longitude,
  };
  const mark = marksOf(squareOf(box, middle.x), middle, size);
  return isWithin(mark, size) && !covers.some((cover) => areMeeting(cover, mark));
}

/** A box in units of the world's square. */
type Square = Area;

/** The middle of the view in units of the world's square. */
interface Middle {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** @param near an x: it is on that copy of the world where its middle is the nearest to it */
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

/** The areas between what covers the map and its edges, the largest first. */
function areasBetween({ width, height }: Size, covers: readonly Area[]): readonly Area[] {
  const areas: Area[] = [];
  for (const left of [0, ...covers.map((cover) => cover.right)]) {
    for (const right of [width, ...covers.map((cover) => cover.left)]) {
      for (const top of [0, ...covers.map((cover) => cover.bottom)]) {
        for (const bottom of [height, ...covers.map((cover) => cover.top)]) {
          if (left < right && top < bottom) areas.push({ left, top, right, bottom });
        }
      }
    }
  }
  const pixelsOf = ({ left, top, right, bottom }: Area) => (right - left) * (bottom - top);
  return areas.toSorted((a, b) => pixelsOf(b) - pixelsOf(a));
}

/** With the square in the middle of the area, as far as the map goes. */
function viewOf(square: Square, area: Area, zoom: number, { width, height }: Size): Middle {
  const world = WORLD_PIXELS * 2 ** zoom;
  const right = (area.left + area.right - width) / 2;
  const down = (area.top + MARGIN.above + area.bottom - MARGIN.below - height) / 2;
  // The map ends at the poles. Where all of it is in view, it stands in the middle.
  const most = Math.max(0, 0.5 - height / 2 / world);
  const y = (square.top + square.bottom) / 2 - down / world;
  return {
    zoom,
    x: (square.left + square.right) / 2 - right / world,
    y: Math.max(0.5 - most, Math.min(0.5 + most, y)),
  };
}

/** The room that marks within the square take, in pixels of the map. */
function marksOf(square: Square, { zoom, x, y }: Middle, { width, height }: Size): Area {
  const world = WORLD_PIXELS * 2 ** zoom;
  return {
    left: (square.left - x) * world + width / 2 - MARK.side,
    top: (square.top - y) * world + height / 2 - MARK.above,
    right: (square.right - x) * world + width / 2 + MARK.side,
    bottom: (square.bottom - y) * world + height / 2 + MARK.below,
  };
}

function isWithin({ left, top, right, bottom }: Area, { width, height }: Size): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height;
}

function areMeeting(one: Area, other: Area): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}
