/** A map that is searched, as the store has it. */

import type { Cover } from '../../../domain/filter/covers.ts';
import { coversOf, isExactlyCovered } from '../../../domain/filter/covers.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { Member } from '../../../domain/filter/members.ts';
import { areOfPoint, membersOfFilter } from '../../../domain/filter/members.ts';
import { isLocationIdOf } from '../../../domain/ids.ts';
import { numberOf } from '../rows.ts';
import type { Reader } from '../reader.ts';
import { candidateColumns } from './candidate.ts';
import type { SpatialPart } from './spatial.ts';
import { spatialPartOf } from './spatial.ts';

export interface StoredMap {
  readonly map: SearchedMap;
  readonly number: number;
  /** Locations that it holds. */
  readonly count: number;
  /** What the filter says of where its locations stand. */
  readonly covers: readonly Cover[];
  readonly spatial: SpatialPart;
  /** Whether all that is found by each of the covers passes the filter. */
  readonly isExact: boolean;
  /** Of `locations`, all that the search looks at. */
  readonly columns: string;
  /** And what it looks at where the filter's answer is known. */
  readonly columnsOfPassed: string;
  /** Whether it looks at places and points alone, which the index of cells holds. */
  readonly isOfPoints: boolean;
}

/**
 * @param members what is going to be looked at besides what the filter looks at
 * @returns null for a map that is not there
 */
export function readMap(
  reader: Reader,
  map: SearchedMap,
  filter: LocationFilter,
  members: readonly Member[],
): StoredMap | null {
  const row = reader.get('SELECT number, location_count FROM maps WHERE id = ?', map.id);
  if (row === undefined) return null;
  const all = [...membersOfFilter(filter), ...members];
  return {
    map,
    number: numberOf(row, 'number'),
    count: numberOf(row, 'location_count'),
    covers: coversOf(filter, map.fields).map((cover) => ofMap(cover, map.id)),
    spatial: spatialPartOf(filter),
    isExact: isExactlyCovered(filter),
    columns: candidateColumns(all),
    columnsOfPassed: candidateColumns(members),
    isOfPoints: areOfPoint(all),
  };
}

/** Without ids that cannot be of the map. */
function ofMap(cover: Cover, mapId: string): Cover {
  return { ...cover, ids: cover.ids.filter((id) => isLocationIdOf(mapId, id)) };
}
