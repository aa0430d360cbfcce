/** Maps that are searched with the same queries, since the same covers say which of their locations may pass. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { lookupsOf, namesNeedingPresence } from '../../../domain/filter/index-lookup.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { MAX_PRESENCES } from '../../../domain/filter/property-presence.ts';
import { areFew } from './narrowest.ts';
import { chunksOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

/** Maps of one query at most. */
export const MAX_MAPS = 500;
/** So few locations are read sooner than a map is asked for its shapes. */
const FEW = 1_000;
/** The query for a shape takes as long as so many locations; more shapes than pay off are not asked for. */
const LOCATIONS_OF_A_PRESENCE = 50;

export interface Group {
  readonly maps: readonly SearchedMap[];
  /** Empty where no index helps. */
  readonly lookups: readonly IndexLookup[];
}

/** @param also covers besides those of the filter */
export async function groupsOf(
  reader: LocationReader,
  filter: LocationFilter,
  maps: readonly SearchedMap[],
  also: readonly IndexLookup[] = [],
): Promise<readonly Group[]> {
  const groups = grouped(filter, maps, also);
  const asked = namesNeedingPresence(filter);
  if (asked.size === 0) return groups;
  const found: Group[] = [];
  for (const group of groups) {
    if (await areFew(reader, mapIdsOf(group), group.lookups, FEW)) found.push(group);
    else found.push(...grouped(filter, group.maps, also, await presencesOf(reader, mapIdsOf(group), asked)));
  }
  return found;
}

export function mapIdsOf({ maps }: Pick<Group, 'maps'>): readonly string[] {
  return maps.map(({ id }) => id);
}

/** Of the maps of which it is worth to ask, and that have not too many. */
async function presencesOf(
  reader: LocationReader,
  mapIds: readonly string[],
  asked: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly PropertyPresence[]>> {
  const found = new Map<string, readonly PropertyPresence[]>();
  for (const [id, size] of await reader.findSizes(mapIds)) {
    if (size < FEW) continue;
    const most = Math.min(MAX_PRESENCES, size / LOCATIONS_OF_A_PRESENCE);
    const presences = await reader.findPresences(id, asked, most);
    if (presences !== null) found.set(id, presences);
  }
  return found;
}

/** @param shapes of some of the maps */
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
    // Most maps define the same fields, and most covers do not depend on them.
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
