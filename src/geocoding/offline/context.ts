import type { Town } from './gazetteer.ts';

/** How a town relates to the one written after it: a town in its province, or a district of it. */

/**
 * Countries where the larger town written after a town contains it as a district, not as a province: `Wembley, London`.
 */
const NO_PROVINCES: ReadonlySet<string> = new Set(['GB', 'FR', 'US', 'CA', 'AU']);

/** Countries that write a postcode before a town's district: `06570 Çankaya/Ankara`. */
const DISTRICT_FIRST: ReadonlySet<string> = new Set(['TR']);

/** Countries where the neighbours of a city are towns of their own: `Sant Cugat del Vallès, Barcelona`. */
const TOWNS_APART: ReadonlySet<string> = new Set(['ES', 'IT', 'PT', 'NL', 'BE', 'CH']);

/** Kilometres, on a sphere, which is exact enough to tell a suburb. */
export function distance(left: Town, right: Town): number {
  const radians = Math.PI / 180;
  const y = (right.latitude - left.latitude) * radians;
  const x =
    (right.longitude - left.longitude) * radians * Math.cos(((left.latitude + right.latitude) / 2) * radians);
  return 6371 * Math.hypot(x, y);
}

/** True when the town is so close to the much larger one written after it that the larger one is meant. */
export function isDistrict(town: Town, city: Town, country: string, postcode: boolean): boolean {
  if (TOWNS_APART.has(country)) return false;
  if (DISTRICT_FIRST.has(country)) return city.population >= 1_000_000 && city.population > town.population;
  return !postcode && city.population >= 300_000 && city.population >= 5 * town.population;
}

/** True when a town's province, under the name of its seat, may follow it: `Alcalá de Henares, Madrid`. */
export function hasProvinces(country: string): boolean {
  return !NO_PROVINCES.has(country);
}
