/** Outlines of the world in Web Mercator units: x eastwards and y southwards, both from 0 to 1. */

export interface Outline {
  /** x, y, x, y … */
  readonly points: Float64Array;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export interface World {
  /** Closed rings. */
  readonly land: readonly Outline[];
  readonly borders: readonly Outline[];
  /** Empty in the finer files. */
  readonly countries: readonly CountryName[];
}

export interface CountryName {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly x: number;
  readonly y: number;
  readonly fromZoom: number;
}

/** The format of scripts/world.mjs: steps from point to point, in units of `degrees`. */
export interface WorldFile {
  readonly degrees: number;
  readonly land: readonly (readonly number[])[];
  readonly borders: readonly (readonly number[])[];
  readonly countries?: readonly (readonly [
    code: string,
    longitude: number,
    latitude: number,
    fromZoom: number,
  ])[];
}

export function decodeWorld({ degrees, land, borders, countries = [] }: WorldFile): World {
  const decode = (steps: readonly number[]) => decodeOutline(steps, degrees);
  return {
    land: land.map(decode),
    borders: borders.map(decode),
    countries: countries.map(([code, longitude, latitude, fromZoom]) => ({
      code,
      x: mercatorX(longitude),
      y: mercatorY(latitude),
      fromZoom,
    })),
  };
}

function decodeOutline(steps: readonly number[], degrees: number): Outline {
  const points = new Float64Array(steps.length);
  let [longitude, latitude] = [0, 0];
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < steps.length; index += 2) {
    longitude += (steps[index] ?? 0) * degrees;
    latitude += (steps[index + 1] ?? 0) * degrees;
    const x = mercatorX(longitude);
    const y = mercatorY(latitude);
    points[index] = x;
    points[index + 1] = y;
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  return { points, minX, minY, maxX, maxY };
}

export function mercatorX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** The limit of Web Mercator. */
const MAX_LATITUDE = 85.05112878;

export function mercatorY(latitude: number): number {
  const radians = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180;
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + radians / 2)) / (2 * Math.PI);
}

/** @param y clamped to 0..1 */
export function latitudeOfMercator(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * Math.max(0, Math.min(1, y))))) * 180) / Math.PI;
}
