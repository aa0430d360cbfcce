/** Boxes and circles that contain exactly 100 locations of a map, each around a different location. */

import { DatabaseSync } from '@photostructure/sqlite';

import { createRandom } from './random.ts';
import type { SqliteStore } from './filled-store.ts';
import { indexedMapOf } from './indexed-map.ts';

export const HITS = 100;

export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export interface Circle extends Point {
  /** Metres. */
  readonly radius: number;
}

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A distance, and the box that contains all points within a distance. */
interface Metric {
  distance(from: Point, to: Point): number;
  boxAround(center: Point, distance: number): Box;
  /** The distance to try first; a few doublings include more than 100 locations. */
  readonly first: number;
}

const DEGREE = 111_195;
const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

const METRES: Metric = {
  first: 20_000,
  distance(from, to) {
    const sine = (degrees: number) => Math.sin(toRadians(degrees) / 2) ** 2;
    const h =
      sine(to.latitude - from.latitude) +
      Math.cos(toRadians(from.latitude)) *
        Math.cos(toRadians(to.latitude)) *
        sine(to.longitude - from.longitude);
    return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
  },
  boxAround(center, distance) {
    const height = distance / DEGREE;
    const farthest = Math.min(85, Math.abs(center.latitude) + height);
    return around(center, height, (1.01 * height) / Math.cos(toRadians(farthest)));
  },
};

const DEGREES: Metric = {
  first: 0.2,
  distance: (from, to) =>
    Math.max(Math.abs(to.latitude - from.latitude), Math.abs(to.longitude - from.longitude)),
  boxAround: (center, distance) => around(center, distance, distance),
};

function around({ latitude, longitude }: Point, height: number, width: number): Box {
  return {
    south: latitude - height,
    west: longitude - width,
    north: latitude + height,
    east: longitude + width,
  };
}

/** They may repeat within a round. By then, the server's response cache, a tenth of their size, has evicted them. */
export const DISTINCT = 5_000;

/** Squares, in degrees. */
export function boxesOf(store: SqliteStore, count: number): Box[] {
  return spheresOf(store, count, DEGREES).map(({ center, distance }) => DEGREES.boxAround(center, distance));
}

export function circlesOf(store: SqliteStore, count: number): Circle[] {
  return spheresOf(store, count, METRES).map(({ center, distance }) => ({ ...center, radius: distance }));
}

/** The points of distinct locations, the same in every run. */
export function pointsOf(store: SqliteStore, count: number): Point[] {
  return withIndexedMap(store, (database) => {
    const points: Point[] = [];
    for (const point of randomPoints(database)) {
      if (points.length === count) break;
      points.push(point);
    }
    return points;
  });
}

type Database = InstanceType<typeof DatabaseSync>;

interface Sphere {
  readonly center: Point;
  readonly distance: number;
}

function spheresOf(store: SqliteStore, count: number, metric: Metric): Sphere[] {
  return withIndexedMap(store, (database) => {
    const within = database.prepare(
      `SELECT latitude, longitude FROM by_point JOIN locations USING (number)
       WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?`,
    );
    const pointsIn = ({ south, north, west, east }: Box) =>
      within.all(south, north, west, east) as unknown as Point[];
    const spheres: Sphere[] = [];
    for (const center of randomPoints(database)) {
      if (spheres.length === count) break;
      const sphere = sphereAround(center, metric, pointsIn);
      if (sphere !== null) spheres.push(sphere);
    }
    return spheres;
  });
}

function withIndexedMap<T>(store: SqliteStore, work: (database: Database) => T): T {
  const database = new DatabaseSync(indexedMapOf(store), { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function* randomPoints(database: Database): Generator<Point, void, undefined> {
  const size = Number(database.prepare('SELECT COUNT(*) AS size FROM locations').get()?.size);
  const pointAt = database.prepare('SELECT latitude, longitude FROM locations WHERE number = ?');
  const random = createRandom(1);
  const seen = new Set<number>();
  while (seen.size < size) {
    const number = 1 + Math.floor(random() * size);
    const point = seen.has(number) ? undefined : pointAt.get(number);
    seen.add(number);
    if (point !== undefined) yield { latitude: Number(point.latitude), longitude: Number(point.longitude) };
  }
}

/** @returns null near a pole or the antimeridian, or where the next location is equally far */
function sphereAround(center: Point, metric: Metric, pointsIn: (box: Box) => Point[]): Sphere | null {
  for (let distance = metric.first; ; distance *= 2) {
    const box = metric.boxAround(center, distance);
    if (Math.max(-box.south, box.north) > 90 || Math.max(-box.west, box.east) > 180) return null;
    const distances = pointsIn(box)
      .map((point) => metric.distance(center, point))
      .filter((each) => each <= distance)
      .sort((a, b) => a - b);
    const [last, next] = distances.slice(HITS - 1);
    if (last === undefined || next === undefined) continue;
    // Halfway to the next location, so that rounding does not matter.
    return next - last < 1e-6 ? null : { center, distance: (last + next) / 2 };
  }
}
