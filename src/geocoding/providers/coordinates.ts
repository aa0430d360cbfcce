/** Points as providers give them: checked, but never rounded. */

export interface Point {
  /** Degrees, -90 to 90, WGS 84. */
  readonly latitude: number;
  /** Degrees, -180 to 180, WGS 84. */
  readonly longitude: number;
}

/** The point, with 0 instead of -0 (they differ in JSON and in texts); null when it is not on Earth. */
export function toPoint(latitude: number, longitude: number): Point | null {
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude: latitude + 0, longitude: longitude + 0 } : null;
}

const DECIMAL = /^-?[0-9]{1,3}(\.[0-9]{1,30})?$/;

/** Reads degrees written as a text, e.g. `-0.1276474`; NaN for anything else. */
export function parseDegrees(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
