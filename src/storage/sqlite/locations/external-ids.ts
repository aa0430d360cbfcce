/** Locations by their external ids. A unique index enforces one location per map and external id. */

import type { LocationRecord } from '../../../domain/location.ts';
import type { Reader } from '../engine/statements.ts';
import { textOf } from '../engine/statements.ts';
import { getLocation, MAP_NUMBER } from './location-records.ts';

export function findByExternalId(reader: Reader, mapId: string, externalId: string): LocationRecord | null {
  return getLocation(reader, mapId, externalId, 'external_id');
}

/** The id of the map's location with that external id; null where none has it. */
export function findIdOfExternalId(reader: Reader, mapId: string, externalId: string): string | null {
  const row = reader.get(
    `SELECT id FROM locations WHERE external_id = ? AND map_number = ${MAP_NUMBER}`,
    externalId,
    mapId,
  );
  return row === undefined ? null : textOf(row, 'id');
}
