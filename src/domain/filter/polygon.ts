/** GeoJSON polygons (RFC 7946), planar in longitude and latitude: validation, and point in polygon. */

import { orient2d } from 'robust-predicates';

import { badUserInput } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import type { Box } from './box.ts';
import type { Point } from './distance.ts';

type Position = readonly [longitude: number, latitude: number];
/** Closed: the last position equals the first. */
type Ring = readonly Position[];

/** One or more polygons, each of an outer ring and its holes. */
export interface Area {
  readonly polygons: readonly (readonly Ring[])[];
}

const MAX_POSITIONS = 1_000;
const LEAST_POSITIONS = 4;

/**
 * @param label name in error messages, e.g. `filter.polygon`
 * @throws ServiceError BAD_USER_INPUT
 */
export function readArea(geometry: JsonObject, label: string): Area {
  const { type, coordinates } = geometry;
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    throw badUserInput(`${label}.type must be Polygon or MultiPolygon.`);
  }
  const at = `${label}.coordinates`;
  const polygons =
    type === 'Polygon'
      ? [readPolygon(coordinates, at)]
      : readList(coordinates, at, 1, 'polygons').map((polygon, index) =>
          readPolygon(polygon, `${at}[${index}]`),
        );
  const positions = polygons.flat(2).length;
  if (positions > MAX_POSITIONS) {
    throw badUserInput(`${label} has ${positions} positions; at most ${MAX_POSITIONS} are allowed.`);
  }
  return { polygons };
}

function readPolygon(value: JsonValue | undefined, at: string): readonly Ring[] {
  return readList(value, at, 1, 'rings').map((ring, index) => readRing(ring, `${at}[${index}]`));
}

function readRing(value: JsonValue, at: string): Ring {
  const ring = readList(value, at, LEAST_POSITIONS, 'positions').map((position, index) =>
    readPosition(position, `${at}[${index}]`),
  );
  const [first, last] = [ring[0], ring.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    throw badUserInput(`${at} must be closed: its last position must be its first.`);
  }
  return ring;
}

function readPosition(value: JsonValue, at: string): Position {
  const [longitude, latitude, ...more] = readList(value, at, 2, 'numbers');
  if (!isDegrees(longitude, 180) || !isDegrees(latitude, 90) || !more.every(isNumber)) {
    throw badUserInput(`${at} must be a longitude from -180 to 180 and a latitude from -90 to 90.`);
  }
  return [longitude, latitude];
}

function readList(
  value: JsonValue | undefined,
  at: string,
  least: number,
  what: string,
): readonly JsonValue[] {
  if (Array.isArray(value) && value.length >= least) return value as readonly JsonValue[];
  throw badUserInput(`${at} must be a list of at least ${least} ${what}.`);
}

function isDegrees(value: JsonValue | undefined, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit;
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number';
}

/** The bounding box of each polygon. */
export function boxesOfArea({ polygons }: Area): readonly Box[] {
  return polygons.map((rings) => {
    const longitudes = rings.flat().map(([longitude]) => longitude);
    const latitudes = rings.flat().map(([, latitude]) => latitude);
    return {
      south: Math.min(...latitudes),
      west: Math.min(...longitudes),
      north: Math.max(...latitudes),
      east: Math.max(...longitudes),
    };
  });
}

/** Includes all edges and vertices, also those of holes. */
export function areaContains({ polygons }: Area, point: Point): boolean {
  return polygons.some((rings) => polygonContains(rings, point));
}

/** Even-odd rule over all rings: a ray to the east crosses their edges an odd number of times. */
function polygonContains(rings: readonly Ring[], { longitude: x, latitude: y }: Point): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index += 1) {
      const [x1, y1] = ring[index - 1] ?? [0, 0];
      const [x2, y2] = ring[index] ?? [0, 0];
      if (y < Math.min(y1, y2) || y > Math.max(y1, y2)) continue;
      // Edges include their lower end only, so a ray through a vertex crosses one of two edges.
      const isCrossed = y1 > y !== y2 > y;
      if (x > Math.max(x1, x2)) continue;
      if (x < Math.min(x1, x2)) {
        if (isCrossed) isInside = !isInside;
        continue;
      }
      const side = sideOf([x1, y1], [x2, y2], [x, y]);
      if (side === 0) return true;
      if (isCrossed && side < 0 === y2 > y1) isInside = !isInside;
    }
  }
  return isInside;
}

/** Scales tiny differences so that their products neither underflow nor overflow. */
const SCALE = 2 ** 500;

/** Exact, zero on the edge. With rounded products, a point next to a long edge may seem to be on it. */
function sideOf([x1, y1]: Position, [x2, y2]: Position, [x, y]: Position): number {
  return orient2d(x1 * SCALE, y1 * SCALE, x2 * SCALE, y2 * SCALE, x * SCALE, y * SCALE);
}
