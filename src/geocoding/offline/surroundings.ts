import type { Town } from './gazetteer.ts';

/** What a town is to the one named after it: a town of its province, or a district of it. */

/** Where the town after which a larger one is named is its district, not its province: `Wembley, London`. */
const NO_PROVINCES: ReadonlySet<string> = new Set(['GB', 'FR', 'US', 'CA', 'AU']);

/** Where a postcode before a town's district is the rule: `06570 Çankaya/Ankara`. */
const DISTRICT_FIRST: ReadonlySet<string> = new Set(['TR']);

/** Where the neighbours of a city are towns of their own: `Sant Cugat del Vallès, Barcelona`. */
const TOWNS_APART: ReadonlySet<string> = new Set(['ES', 'IT', 'PT', 'NL', 'BE', 'CH']);

/** Kilometres, on a sphere; good enough to tell a suburb. */
export function distance(left: Town, right: Town): number {
  const radians = Math.PI / 180;
  const y = (right.latitude - left.latitude) * radians;
  const x =
    (right.longitude - left.longitude) * radians * Math.cos(((left.latitude + right.latitude) / 2) * radians);
  return 6371 * Math.hypot(x, y);
}

/** A town so near to a much larger one, named after it, that the larger one is meant. */
export function isDistrict(town: Town, city: Town, country: string, postcode: boolean): boolean {
  if (TOWNS_APART.has(country)) return false;
  if (DISTRICT_FIRST.has(country)) return city.population >= 1_000_000 && city.population > town.population;
  return !postcode && city.population >= 300_000 && city.population >= 5 * town.population;
}

/** Whether a town's province may follow it under the name of its seat: `Alcalá de Henares, Madrid`. */
export function hasProvinces(country: string): boolean {
  return !NO_PROVINCES.has(country);
}
