/**
 * Groups of a map's locations with equal geocoding. Stores keep the number of locations of each group, and list each group
 * in order, so that a filter by geocoding costs the same in a map of a million.
 */

import type { GeocodingGroup } from './geocoding-test.ts';
import { passesGeocoding } from './geocoding-test.ts';
import type { LocationFilter } from './location-filter.ts';
import { membersOfFilter } from './members.ts';

export interface GeocodingCount extends GeocodingGroup {
  /** Locations of the group; at least 1. */
  readonly count: number;
}

/** The groups of a map that a filter may match. */
export interface MatchingGroups {
  readonly groups: readonly GeocodingCount[];
  /** Locations in these groups. */
  readonly count: number;
  /** Whether every location of these groups matches. */
  readonly areMatches: boolean;
}

/** @param groups all groups of the map */
export function matchingGroups(filter: LocationFilter, groups: readonly GeocodingCount[]): MatchingGroups {
  const decided = groups.map((group) => ({ group, matches: matchesGroup(filter, group) }));
  const possible = decided.filter(({ matches }) => matches !== false);
  return {
    groups: possible.map(({ group }) => group),
    count: possible.reduce((sum, { group }) => sum + group.count, 0),
    areMatches: possible.every(({ matches }) => matches === true),
  };
}

/** Whether reading the groups of a map may narrow a search. */
export function usesGeocoding(filter: LocationFilter): boolean {
  return membersOfFilter(filter).includes('geocoding');
}

/** Whether all locations of a group match, or none; null if other members decide. */
function matchesGroup(filter: LocationFilter, group: GeocodingGroup): boolean | null {
  switch (filter.kind) {
    case 'and': {
      const each = filter.filters.map((part) => matchesGroup(part, group));
      return each.includes(false) ? false : each.includes(null) ? null : true;
    }
    case 'or': {
      const each = filter.filters.map((part) => matchesGroup(part, group));
      return each.includes(true) ? true : each.includes(null) ? null : false;
    }
    case 'not': {
      const matches = matchesGroup(filter.filter, group);
      return matches === null ? null : !matches;
    }
    case 'geocoding':
      return passesGeocoding(filter.test, group);
    default:
      return null;
  }
}

/** Identifies a group among those of a map. */
export function keyOfGroup({ provider, precision, isChecked, isAmbiguous }: GeocodingGroup): string {
  return JSON.stringify([provider, precision, isChecked, isAmbiguous]);
}

/** Sums up counts of equal groups, and drops empty groups. */
export function sumOfGroups(counts: readonly GeocodingCount[]): readonly GeocodingCount[] {
  const sums = new Map<string, GeocodingCount>();
  for (const each of counts) {
    const key = keyOfGroup(each);
    sums.set(key, { ...each, count: each.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].filter(({ count }) => count !== 0);
}
