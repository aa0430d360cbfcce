/** A searched map: its row, and what its filter means for the indexes. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { lookupsOf, isExactLookup, namesNeedingPresence } from '../../../domain/filter/index-lookup.ts';
import type { Point } from '../../../domain/filter/distance.ts';
import { matchingGroups, usesGeocoding } from '../../../domain/filter/geocoding-groups.ts';
import type { GeocodingGroup } from '../../../domain/filter/geocoding-test.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import { isEverything } from '../../../domain/filter/location-filter.ts';
import type { LocationOrder, StoredOrder } from '../../../domain/filter/location-order.ts';
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
import { MAX_MERGED, readGroups } from './geocoding-groups.ts';
import type { Projection } from './projection.ts';
import { createProjection } from './projection.ts';
import type { PointTest } from './point-test.ts';
import { pointMatcher, pointTestOf } from './point-test.ts';
import { termOfPresence } from './search-index.ts';

export interface SearchedMapRow {
  readonly map: SearchedMap;
  readonly number: number;
  readonly list: SearchedList;
  /** In which its part that may match is read. */
  readonly order: StoredOrder;
  /** Property names whose presence may narrow the search; empty where it cannot. */
  readonly presenceNames: ReadonlySet<string>;
  /** Index lookups that every match satisfies. */
  readonly lookups: readonly IndexLookup[];
  /** The same, with knowledge of the map's property presences. */
  readonly lookupsWith: (presences: readonly PropertyPresence[]) => readonly IndexLookup[];
  /** Whether a location at the point may match. */
  readonly accepts: (point: Point) => boolean;
  /** Null where SQLite cannot decide by the point. */
  readonly pointTest: PointTest | null;
  /** Whether a location that satisfies all lookups is certain to match. */
  readonly isExact: boolean;
  /** What matching and sorting read. */
  readonly projection: Projection;
  /** What is read of locations known to match. */
  readonly projectionOfMatches: Projection;
  /** How to render locations. Few candidates are read once, for matching and for rendering. */
  readonly rendering: Rendering | null;
  /** Whether sort keys and points, which the cell index holds, suffice. */
  readonly needsOnlyPoints: boolean;
}

/** The part of a map's list that may match. */
export interface SearchedList {
  /** Locations in it. */
  readonly count: number;
  /** It holds these groups only; null for the whole list. */
  readonly groups: readonly GeocodingGroup[] | null;
  /** Whether all of them match. */
  readonly areMatches: boolean;
}

export interface Rendering {
  readonly template: LocationTemplate;
  readonly max: number;
}

/** What the search reads besides the members of its filter. */
interface Further {
  readonly order?: LocationOrder | null;
  readonly members?: readonly Member[];
  readonly rendering?: Rendering | null | undefined;
}

/** @returns null for an unknown map */
export function readSearchedMap(
  reader: Reader,
  map: SearchedMap,
  filter: LocationFilter,
  { order = null, members = order === null ? [] : membersOfOrder(order), rendering = null }: Further,
): SearchedMapRow | null {
  const row = reader.get('SELECT number, location_count FROM maps WHERE id = ?', map.id);
  if (row === undefined) return null;
  const all = [...membersOfFilter(filter), ...members];
  const sorted = order === null ? [] : propertiesOfOrder(order);
  const filtered = propertiesOfFilter(filter);
  const lookupsWith = (presences: readonly PropertyPresence[] | null) =>
    lookupsOf(filter, map.fields, presences).map((lookup) => ofMap(lookup, map.id));
  const isBySequence = order?.by === 'sequence';
  const [number, count] = [numberOf(row, 'number'), numberOf(row, 'location_count')];
  return {
    ...{ map, number },
    order: isBySequence ? 'sequence' : 'list',
    list: isBySequence ? wholeList(filter, count) : searchedList(reader, filter, number, count),
    presenceNames: namesNeedingPresence(filter),
    lookups: lookupsWith(null),
    lookupsWith,
    accepts: pointMatcher(filter),
    pointTest: pointTestOf(filter),
    isExact: isExactLookup(filter),
    projection: createProjection(all, filtered === null ? null : [...filtered, ...sorted]),
    projectionOfMatches: createProjection(members, sorted),
    rendering,
    needsOnlyPoints: areOfPoint(all),
  };
}

function wholeList(filter: LocationFilter, count: number): SearchedList {
  return { count, groups: null, areMatches: isEverything(filter) };
}

function searchedList(reader: Reader, filter: LocationFilter, mapNumber: number, all: number): SearchedList {
  if (!usesGeocoding(filter)) return wholeList(filter, all);
  const matching = matchingGroups(filter, readGroups(reader, mapNumber));
  return matching.groups.length > MAX_MERGED ? { count: all, groups: null, areMatches: false } : matching;
}

/** Drops ids that cannot be of the map. A presence becomes a term. */
function ofMap({ presences, ...lookup }: IndexLookup, mapId: string): IndexLookup {
  return {
    ...lookup,
    ids: lookup.ids.filter((id) => isLocationIdOf(mapId, id)),
    terms: [...lookup.terms, ...presences.map(termOfPresence)],
    presences: [],
  };
}
