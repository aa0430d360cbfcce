/** Groups of maps that share the same index lookups and so the same queries. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { lookupsOf, namesNeedingPresence } from '../../../domain/filter/index-lookup.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { MAX_PRESENCES } from '../../../domain/filter/property-presence.ts';
import { findsFewerThan } from './narrowest-lookup.ts';
import { chunksOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

/** Maps per query. */
export const MAX_MAPS = 500;
/** Reading so few locations is faster than reading a map's property presences. */
const FEW = 1_000;
/** Reading one presence takes as long as so many locations; more presences do not pay off. */
const LOCATIONS_OF_A_PRESENCE = 50;

export interface Group {
  readonly maps: readonly SearchedMap[];
  /** Empty if no index helps. */
  readonly lookups: readonly IndexLookup[];
}

/** @param also lookups in addition to the filter's */
export async function groupsOf(
  reader: LocationReader,
  filter: LocationFilter,
  maps: readonly SearchedMap[],
  also: readonly IndexLookup[] = [],
): Promise<readonly Group[]> {
  const groups = grouped(filter, maps, also);
  const names = namesNeedingPresence(filter);
  if (names.size === 0) return groups;
  const found: Group[] = [];
  for (const group of groups) {
    if (await findsFewerThan(reader, mapIdsOf(group), group.lookups, FEW)) found.push(group);
    else found.push(...grouped(filter, group.maps, also, await presencesOf(reader, mapIdsOf(group), names)));
  }
  return found;
}

export function mapIdsOf({ maps }: Pick<Group, 'maps'>): readonly string[] {
  return maps.map(({ id }) => id);
}

/** The property presences of the maps that are large enough, and have few enough of them, to be worth reading. */
async function presencesOf(
  reader: LocationReader,
  mapIds: readonly string[],
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly PropertyPresence[]>> {
  const found = new Map<string, readonly PropertyPresence[]>();
  for (const [id, size] of await reader.findSizes(mapIds)) {
    if (size < FEW) continue;
    const limit = Math.min(MAX_PRESENCES, size / LOCATIONS_OF_A_PRESENCE);
    const presences = await reader.findPresences(id, names, limit);
    if (presences !== null) found.set(id, presences);
  }
  return found;
}

/** @param presences of some of the maps, by id */
function grouped(
  filter: LocationFilter,
  maps: readonly SearchedMap[],
  also: readonly IndexLookup[],
  presences: ReadonlyMap<string, readonly PropertyPresence[]> = new Map(),
): readonly Group[] {
  const groups = new Map<
    string,
    { readonly maps: SearchedMap[]; readonly lookups: readonly IndexLookup[] }
  >();
  const keys = new Map<string, string>();
  for (const map of maps) {
    const own = presences.get(map.id) ?? null;
    // Most maps define the same fields, and most lookups do not depend on them.
    const kind = own === null ? JSON.stringify(map.fields) : map.id;
    const known = groups.get(keys.get(kind) ?? '');
    if (known !== undefined) {
      known.maps.push(map);
      continue;
    }
    const lookups = [...lookupsOf(filter, map.fields, own), ...also];
    const key = JSON.stringify(lookups);
    keys.set(kind, key);
    const group = groups.get(key) ?? { maps: [], lookups };
    group.maps.push(map);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((group) =>
    chunksOf(group.maps, MAX_MAPS).map((some) => ({ maps: some, lookups: group.lookups })),
  );
}
