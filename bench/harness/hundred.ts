/** Boxes and circles that hold exactly 100 locations of a map, each about another of its locations. */

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

/** How far locations are from a middle, and the box that surely holds all that are no farther than that. */
interface Metric {
  distance(from: Point, to: Point): number;
  boxAround(middle: Point, distance: number): Box;
  /** To begin with; there are more than 100 within a few times that. */
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
  boxAround(middle, distance) {
    const height = distance / DEGREE;
    const farthest = Math.min(85, Math.abs(middle.latitude) + height);
    return around(middle, height, (1.01 * height) / Math.cos(toRadians(farthest)));
  },
};

const DEGREES: Metric = {
  first: 0.2,
  distance: (from, to) =>
    Math.max(Math.abs(to.latitude - from.latitude), Math.abs(to.longitude - from.longitude)),
  boxAround: (middle, distance) => around(middle, distance, distance),
};

function around({ latitude, longitude }: Point, height: number, width: number): Box {
  return {
    south: latitude - height,
    west: longitude - width,
    north: latitude + height,
    east: longitude + width,
  };
}

/**
 * They may repeat within a round, but their responses are ten times the size of the server's cache, which no longer holds them
 * by then.
 */
export const DISTINCT = 5_000;

/** Squares in degrees. */
export function boxesOf(store: SqliteStore, count: number): Box[] {
  return spheresOf(store, count, DEGREES).map(({ middle, distance }) => DEGREES.boxAround(middle, distance));
}

export function circlesOf(store: SqliteStore, count: number): Circle[] {
  return spheresOf(store, count, METRES).map(({ middle, distance }) => ({ ...middle, radius: distance }));
}

/** Points of distinct locations of the map, the same in every run. */
export function pointsOf(store: SqliteStore, count: number): Point[] {
  return withPlaces(store, (database) => {
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
  readonly middle: Point;
  readonly distance: number;
}

function spheresOf(store: SqliteStore, count: number, metric: Metric): Sphere[] {
  return withPlaces(store, (database) => {
    const within = database.prepare(
      `SELECT latitude, longitude FROM by_point JOIN places USING (number)
       WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?`,
    );
    const pointsIn = ({ south, north, west, east }: Box) =>
      within.all(south, north, west, east) as unknown as Point[];
    const spheres: Sphere[] = [];
    for (const middle of randomPoints(database)) {
      if (spheres.length === count) break;
      const sphere = sphereAround(middle, metric, pointsIn);
      if (sphere !== null) spheres.push(sphere);
    }
    return spheres;
  });
}

function withPlaces<T>(store: SqliteStore, work: (database: Database) => T): T {
  const database = new DatabaseSync(indexedMapOf(store), { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function* randomPoints(database: Database): Generator<Point, void, undefined> {
  const size = Number(database.prepare('SELECT COUNT(*) AS size FROM places').get()?.size);
  const pointAt = database.prepare('SELECT latitude, longitude FROM places WHERE number = ?');
  const random = createRandom(1);
  const seen = new Set<number>();
  while (seen.size < size) {
    const number = 1 + Math.floor(random() * size);
    const place = seen.has(number) ? undefined : pointAt.get(number);
    seen.add(number);
    if (place !== undefined) yield { latitude: Number(place.latitude), longitude: Number(place.longitude) };
  }
}

/** @returns null where several are equally far, or the poles or the antimeridian are too near */
function sphereAround(middle: Point, metric: Metric, pointsIn: (box: Box) => Point[]): Sphere | null {
  for (let distance = metric.first; ; distance *= 2) {
    const box = metric.boxAround(middle, distance);
    if (Math.max(-box.south, box.north) > 90 || Math.max(-box.west, box.east) > 180) return null;
    const distances = pointsIn(box)
      .map((point) => metric.distance(middle, point))
      .filter((each) => each <= distance)
      .sort((a, b) => a - b);
    const [last, next] = distances.slice(HITS - 1);
    if (last === undefined || next === undefined) continue;
    // Halfway to the next one, so that no rounding matters.
    return next - last < 1e-6 ? null : { middle, distance: (last + next) / 2 };
  }
}
