/** The groups of each map's locations by geocoding: their counts, and their parts of the list. */

import type { GeocodingCount } from '../../../domain/filter/geocoding-groups.ts';
import { keyOfGroup } from '../../../domain/filter/geocoding-groups.ts';
import type { GeocodingGroup } from '../../../domain/filter/geocoding-test.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SqlValue } from '../engine/driver.ts';
import type { Reader, Writer } from '../engine/statements.ts';
import { numberOf } from '../engine/statements.ts';
import type { IndexChange, IndexedLocation } from '../locations/location-records.ts';
import { toGeocodingGroup } from '../locations/location-records.ts';
import { rangeCondition } from '../locations/list.ts';

/** In the order of the primary key of `geocoding_counts` and of the index `locations_by_geocoding`. */
const COLUMNS = 'is_checked, "precision", is_ambiguous, provider';

function valuesOf({ isChecked, precision, isAmbiguous, provider }: GeocodingGroup): readonly SqlValue[] {
  return [Number(isChecked), precision, Number(isAmbiguous), provider];
}

/** All groups of a map that have locations. */
export function readGroups(reader: Pick<Reader, 'all'>, mapNumber: number): readonly GeocodingCount[] {
  return reader
    .all(`SELECT ${COLUMNS}, count FROM geocoding_counts WHERE map_number = ?`, mapNumber)
    .map((row) => ({ ...toGeocodingGroup(row), count: numberOf(row, 'count') }));
}

/** @param changes already written; one per location */
export function writeGeocodingCounts(writer: Writer, changes: readonly IndexChange[]): void {
  const sums = new Map<string, { readonly location: IndexedLocation; added: number }>();
  const add = (location: IndexedLocation, added: number) => {
    const key = `${location.mapNumber} ${keyOfGroup(location.geocoding)}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { location, added });
    else sum.added += added;
  };
  for (const { before, after } of changes) {
    if (before !== null) add(before, -1);
    if (after !== null) add(after, 1);
  }
  for (const { location, added } of sums.values()) if (added !== 0) changeCount(writer, location, added);
}

function changeCount(writer: Writer, { mapNumber, geocoding }: IndexedLocation, added: number): void {
  const key = [mapNumber, ...valuesOf(geocoding)];
  writer.run(
    `INSERT INTO geocoding_counts (map_number, ${COLUMNS}, count) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    ...key,
    added,
  );
  if (added > 0) return;
  writer.run(
    `DELETE FROM geocoding_counts WHERE (map_number, ${COLUMNS}) = (?, ?, ?, ?, ?) AND count = 0`,
    ...key,
  );
}

/** Number of stored counts that differ from the map's locations. */
export function countWrongGroups(reader: Pick<Reader, 'get'>, mapNumber: number): number {
  const row = reader.get(
    `WITH present AS MATERIALIZED (SELECT ${COLUMNS}, count(*) AS count FROM locations
         WHERE map_number = ?1 GROUP BY ${COLUMNS}),
       kept AS MATERIALIZED (SELECT ${COLUMNS}, count FROM geocoding_counts WHERE map_number = ?1)
     SELECT (SELECT count(*) FROM (SELECT * FROM present EXCEPT SELECT * FROM kept))
       + (SELECT count(*) FROM (SELECT ${COLUMNS} FROM kept EXCEPT SELECT ${COLUMNS} FROM present)) AS wrong`,
    mapNumber,
  );
  return numberOf(row ?? {}, 'wrong');
}

/** More groups are not merged: the whole list is read. */
export const MAX_MERGED = 50;

/**
 * SQL: the row numbers of these groups in list order, as column `at_number`. Each group is read only as far as the limit
 * needs.
 *
 * @param groups at least one
 */
export function groupsInOrder(
  mapNumber: number,
  groups: readonly GeocodingGroup[],
  { limit, fromEnd, ...range }: PageRequest<SortKey>,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const condition = rangeCondition(range);
  const one = `SELECT number AS at_number, order_key AS at_key, sequence AS at_sequence
    FROM locations INDEXED BY locations_by_geocoding
    WHERE map_number = ? AND (${COLUMNS}) = (?, ?, ?, ?)${condition.sql}`;
  const direction = fromEnd ? 'DESC' : 'ASC';
  return {
    sql: `${groups.map(() => one).join(' UNION ALL ')} ORDER BY at_key ${direction}, at_sequence ${direction} LIMIT ?`,
    values: [...groups.flatMap((group) => [mapNumber, ...valuesOf(group), ...condition.values]), limit],
  };
}
