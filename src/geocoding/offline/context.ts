/** How a town relates to the one after it in the address: a town in its province, or a district of it. */

import type { AreaName, Town } from './gazetteer.ts';

/** Countries where a larger town after a smaller one is its city, never its province: `Wembley, London`. */
const NO_PROVINCES: ReadonlySet<string> = new Set(['GB', 'FR', 'US', 'CA', 'AU']);

/** Countries with a postcode before a town's district: `06570 Çankaya/Ankara`. */
const DISTRICT_FIRST: ReadonlySet<string> = new Set(['TR']);

/** Countries where the suburbs of a city are separate towns: `Sant Cugat del Vallès, Barcelona`. */
const TOWNS_APART: ReadonlySet<string> = new Set(['ES', 'IT', 'PT', 'NL', 'BE', 'CH']);

/** Kilometres, on a sphere: exact enough to recognise a suburb. */
export function distance(left: Town, right: Town): number {
  const radians = Math.PI / 180;
  const y = (right.latitude - left.latitude) * radians;
  const x =
    (right.longitude - left.longitude) * radians * Math.cos(((left.latitude + right.latitude) / 2) * radians);
  return 6371 * Math.hypot(x, y);
}

/** True if the much larger city after the town is meant. The caller compares the distance. */
export function isDistrict(town: Town, city: Town, country: string, postcode: boolean): boolean {
  if (TOWNS_APART.has(country)) return false;
  if (DISTRICT_FIRST.has(country)) return city.population >= 1_000_000 && city.population > town.population;
  return !postcode && city.population >= 300_000 && city.population >= 5 * town.population;
}

/** True if a town may be followed by its province, which is named after its seat: `Alcalá de Henares, Madrid`. */
export function hasProvinces(country: string): boolean {
  return !NO_PROVINCES.has(country);
}

/** True if the town is in the country or region. */
export function contains(area: AreaName, town: Pick<Town, 'country' | 'admin1' | 'admin2'>): boolean {
  if (area.country !== town.country) return false;
  if (area.admin1 !== 0 && area.admin1 !== town.admin1) return false;
  return area.admin2 === 0 || area.admin2 === town.admin2;
}
