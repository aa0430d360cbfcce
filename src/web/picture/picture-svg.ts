/** The preview picture of a map: its part of the world, with a dot for each cluster of locations. */

import { clipLine, clipRing } from '../basemap/clip.ts';
import type { Outline, World } from '../basemap/world.ts';
import { latitudeOfMercator, mercatorX, mercatorY } from '../basemap/world.ts';

/** Pixels. The usual size of link previews. */
export const PICTURE_SIZE = { width: 1200, height: 630 };

export interface Mark {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  /** `#rrggbb`; undefined for the accent. */
  readonly color?: string | undefined;
}

/** The center in the units of {@link World}, and the width of the world in pixels. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Degrees. East is less than west if the box crosses the antimeridian. */
export interface PictureBox {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** That of all pages, web/shared/theme.css. */
export const DEFAULT_ACCENT = '#0b6bcb';

/** Pixels around the dots. */
const PADDING = 80;
/** Maximum zoom, as in tile maps: the world is 256 pixels wide at zoom 0. */
const MAX_ZOOM = 7;

/** @param box box around all locations; null for the world */
export function frameOf(box: PictureBox | null): Frame {
  const { width, height } = PICTURE_SIZE;
  const { south, west, north, east } = box ?? { south: -55, west: -180, north: 72, east: 180 };
  const left = mercatorX(west);
  const right = mercatorX(east < west ? east + 360 : east);
  const [top, bottom] = [mercatorY(north), mercatorY(south)];
  const scale = Math.min(
    (width - 2 * PADDING) / Math.max(right - left, 1e-9),
    (height - 2 * PADDING) / Math.max(bottom - top, 1e-9),
    256 * 2 ** MAX_ZOOM,
  );
  // A world that is narrower than the picture would leave its sides empty.
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(scale, width) };
}

/** The equivalent zoom of a tile map. */
export function zoomOf({ scale }: Frame): number {
  return Math.max(0, Math.floor(Math.log2(scale / 256)));
}

/** The part of the world in the frame. */
export function boxOf({ x, y, scale }: Frame): PictureBox {
  const [halfWidth, halfHeight] = [PICTURE_SIZE.width / 2 / scale, PICTURE_SIZE.height / 2 / scale];
  const wrap = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180;
  const isWhole = 2 * halfWidth >= 1;
  return {
    south: latitudeOfMercator(y + halfHeight),
    north: latitudeOfMercator(y - halfHeight),
    west: isWhole ? -180 : wrap((x - halfWidth - 0.5) * 360),
    east: isWhole ? 180 : wrap((x + halfWidth - 0.5) * 360),
  };
}

/** @param accent color of the dots without one */
export function renderPictureSvg(
  world: World,
  frame: Frame,
  marks: readonly Mark[],
  accent = DEFAULT_ACCENT,
): string {
  const { width, height } = PICTURE_SIZE;
  const toX = (x: number) => (x - frame.x) * frame.scale + width / 2;
  const toY = (y: number) => (y - frame.y) * frame.scale + height / 2;
  const trace = (points: readonly number[] | Float64Array, turn: number) => {
    let path = '';
    for (let index = 0; index < points.length; index += 2) {
      const x = toX((points[index] ?? 0) + turn).toFixed(1);
      path += `${index === 0 ? 'M' : 'L'}${x} ${toY(points[index + 1] ?? 0).toFixed(1)}`;
    }
    return path;
  };
  const [reachX, reachY] = [(width / 2 + 8) / frame.scale, (height / 2 + 8) / frame.scale];
  const square = {
    minX: frame.x - reachX,
    maxX: frame.x + reachX,
    minY: frame.y - reachY,
    maxY: frame.y + reachY,
  };
  const land: string[] = [];
  const borders: string[] = [];
  for (const turn of [-1, 0, 1]) {
    const turned = { ...square, minX: square.minX - turn, maxX: square.maxX - turn };
    for (const ring of world.land) {
      if (meets(ring, turned)) land.push(`${trace(clipRing(ring.points, turned), turn)}Z`);
    }
    for (const line of world.borders) {
      if (meets(line, turned))
        borders.push(...clipLine(line.points, turned).map((part) => trace(part, turn)));
    }
  }
  const dots = marks
    .toSorted((a, b) => b.count - a.count)
    .map(({ latitude, longitude, count, color }) => {
      const x = mercatorX(longitude);
      const near = x + Math.round(frame.x - x);
      const radius = Math.min(34, 9 + 4 * Math.log2(count));
      const fill = color === undefined ? '' : ` fill="${color}"`;
      return `<circle cx="${toX(near).toFixed(1)}" cy="${toY(mercatorY(latitude)).toFixed(1)}" r="${radius.toFixed(1)}"${fill}/>`;
    });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="#dfe8f0"/>` +
    `<path d="${land.join('')}" fill="#f6f5f1" stroke="#c9cdd2" stroke-width="1.5" fill-rule="evenodd"/>` +
    `<path d="${borders.join('')}" fill="none" stroke="#c9cdd2" stroke-width="1.5"/>` +
    `<g fill="${accent}" fill-opacity="0.9" stroke="#ffffff" stroke-width="3">${dots.join('')}</g></svg>`
  );
}

function meets(outline: Omit<Outline, 'points'>, square: Omit<Outline, 'points'>): boolean {
  return (
    outline.maxX >= square.minX &&
    outline.minX <= square.maxX &&
    outline.maxY >= square.minY &&
    outline.minY <= square.maxY
  );
}
