/** A map that is searched, as the store has it. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { lookupsOf, isExactLookup, namesNeedingPresence } from '../../../domain/filter/index-lookup.ts';
import type { Point } from '../../../domain/filter/distance.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { LocationOrder } from '../../../domain/filter/location-order.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { Member } from '../../../domain/filter/members.ts';
import {
  areOfPoint,
  membersOfFilter,
  membersOfOrder,
  propertiesOfFilter,
  propertiesOfOrder,
} from '../../../domain/filter/members.ts';
import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { isLocationIdOf } from '../../../domain/ids.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import { numberOf } from '../engine/statements.ts';
import type { Reader } from '../engine/statements.ts';
import type { Projection } from './projection.ts';
import { createProjection } from './projection.ts';
import type { PointTest } from './point-test.ts';
import { pointMatcher, pointTestOf } from './point-test.ts';
import { termOfPresence } from './search-index.ts';

export interface SearchedMapRow {
  readonly map: SearchedMap;
  readonly number: number;
  /** Locations that it holds. */
  readonly count: number;
  /** Names that the map's shapes may be asked about; none where they would be of no use. */
  readonly asked: ReadonlySet<string>;
  /** What the filter says of where its locations stand. */
  readonly lookups: readonly IndexLookup[];
  /** And what it says to somebody who knows the map's shapes. */
  readonly lookupsWith: (presences: readonly PropertyPresence[]) => readonly IndexLookup[];
  /** Whether a location at the point may pass the filter. */
  readonly accepts: (point: Point) => boolean;
  /** Null where SQLite can say nothing of points. */
  readonly pointTest: PointTest | null;
  /** Whether all that is found by each of the covers passes the filter. */
  readonly isExact: boolean;
  /** All that the search looks at. */
  readonly projection: Projection;
  /** And what it looks at where the filter's answer is known. */
  readonly projectionOfPassed: Projection;
  /** How locations are shown. So few candidates are read once for both: to be judged, and to be shown. */
  readonly shown: Shown | null;
  /** Whether it looks at places and points alone, which the index of cells holds. */
  readonly isOfPoints: boolean;
}

export interface Shown {
  readonly template: LocationTemplate;
  readonly most: number;
}

/** What is read besides what the filter looks at. */
interface Further {
  readonly order?: LocationOrder | null;
  readonly members?: readonly Member[];
  readonly shown?: Shown | null | undefined;
}

/**
 * @returns null for a map that is not there
 */
export function readSearchedMap(
  reader: Reader,
  map: SearchedMap,
  filter: LocationFilter,
  { order = null, members = order === null ? [] : membersOfOrder(order), shown = null }: Further,
): SearchedMapRow | null {
  const row = reader.get('SELECT number, location_count FROM maps WHERE id = ?', map.id);
  if (row === undefined) return null;
  const all = [...membersOfFilter(filter), ...members];
  const sorted = order === null ? [] : propertiesOfOrder(order);
  const filtered = propertiesOfFilter(filter);
  const lookupsWith = (presences: readonly PropertyPresence[] | null) =>
    lookupsOf(filter, map.fields, presences).map((lookup) => ofMap(lookup, map.id));
  return {
    map,
    number: numberOf(row, 'number'),
    count: numberOf(row, 'location_count'),
    asked: namesNeedingPresence(filter),
    lookups: lookupsWith(null),
    lookupsWith,
    accepts: pointMatcher(filter),
    pointTest: pointTestOf(filter),
    isExact: isExactLookup(filter),
    projection: createProjection(all, filtered === null ? null : [...filtered, ...sorted]),
    projectionOfPassed: createProjection(members, sorted),
    shown,
    isOfPoints: areOfPoint(all),
  };
}

/** Without ids that cannot be of the map. A shape is a term here. */
function ofMap({ presences, ...lookup }: IndexLookup, mapId: string): IndexLookup {
  return {
    ...lookup,
    ids: lookup.ids.filter((id) => isLocationIdOf(mapId, id)),
    terms: [...lookup.terms, ...presences.map(termOfPresence)],
    presences: [],
  };
}
