/** Bytes of JSON that a value takes at least, when all of it is asked for. */

import { leastJsonBytes } from '../../domain/json/json-size.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';

export function sizeOfLocations(locations: readonly Pick<LocationRecord, 'properties'>[]): number {
  return locations.reduce((sum, { properties }) => sum + leastJsonBytes(properties), 0);
}

export function sizeOfMaps(maps: readonly Pick<MapRecord, 'name' | 'fields'>[]): number {
  return maps.reduce((sum, { name, fields }) => sum + leastJsonBytes(name) + leastJsonBytes(fields), 0);
}
