/** A map that is searched, as the store has it. */

import type { Cover } from '../../../domain/filter/covers.ts';
import { coversOf } from '../../../domain/filter/covers.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { Member } from '../../../domain/filter/members.ts';
import { areOfPoint } from '../../../domain/filter/members.ts';
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
  /** Of `locations`, all that the search looks at. */
  readonly columns: string;
  /** Whether it looks at places and points alone, which the index of cells holds. */
  readonly isOfPoints: boolean;
}

/**
 * @param members all that is going to be looked at
 * @returns null for a map that is not there
 */
export function readMap(
  reader: Reader,
  map: SearchedMap,
  filter: LocationFilter,
  members: ReadonlySet<Member>,
): StoredMap | null {
  const row = reader.get('SELECT number, location_count FROM maps WHERE id = ?', map.id);
  if (row === undefined) return null;
  return {
    map,
    number: numberOf(row, 'number'),
    count: numberOf(row, 'location_count'),
    covers: coversOf(filter, map.fields).map((cover) => ofMap(cover, map.id)),
    spatial: spatialPartOf(filter),
    columns: candidateColumns(members),
    isOfPoints: areOfPoint(members),
  };
}

/** Without ids that cannot be of the map. */
function ofMap(cover: Cover, mapId: string): Cover {
  return { ...cover, ids: cover.ids.filter((id) => isLocationIdOf(mapId, id)) };
}
