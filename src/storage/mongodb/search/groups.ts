/** Maps that are searched with the same queries, since the same covers say which of their locations may pass. */

import type { Cover } from '../../../domain/filter/covers.ts';
import { coversOf, namesAskedOfShapes } from '../../../domain/filter/covers.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { Shape } from '../../../domain/filter/shape.ts';
import { MAX_SHAPES } from '../../../domain/filter/shape.ts';
import { areFew } from './narrowest.ts';
import { chunksOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

/** Maps of one query at most. */
export const MAX_MAPS = 500;
/** So few locations are read sooner than a map is asked for its shapes. */
const FEW = 1_000;
/** The query for a shape takes as long as so many locations; more shapes than pay off are not asked for. */
const LOCATIONS_OF_A_SHAPE = 50;

export interface Group {
  readonly maps: readonly SearchedMap[];
  /** Empty where no index helps. */
  readonly covers: readonly Cover[];
}

/** @param also covers besides those of the filter */
export async function groupsOf(
  reader: LocationReader,
  filter: LocationFilter,
  maps: readonly SearchedMap[],
  also: readonly Cover[] = [],
): Promise<readonly Group[]> {
  const groups = grouped(filter, maps, also);
  const asked = namesAskedOfShapes(filter);
  if (asked.size === 0) return groups;
  const found: Group[] = [];
  for (const group of groups) {
    if (await areFew(reader, mapIdsOf(group), group.covers, FEW)) found.push(group);
    else found.push(...grouped(filter, group.maps, also, await shapesOf(reader, mapIdsOf(group), asked)));
  }
  return found;
}

export function mapIdsOf({ maps }: Pick<Group, 'maps'>): readonly string[] {
  return maps.map(({ id }) => id);
}

/** Of the maps of which it is worth to ask, and that have not too many. */
async function shapesOf(
  reader: LocationReader,
  mapIds: readonly string[],
  asked: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Shape[]>> {
  const found = new Map<string, readonly Shape[]>();
  for (const [id, size] of await reader.findSizes(mapIds)) {
    if (size < FEW) continue;
    const most = Math.min(MAX_SHAPES, size / LOCATIONS_OF_A_SHAPE);
    const shapes = await reader.findShapes(id, asked, most);
    if (shapes !== null) found.set(id, shapes);
  }
  return found;
}

/** @param shapes of some of the maps */
function grouped(
  filter: LocationFilter,
  maps: readonly SearchedMap[],
  also: readonly Cover[],
  shapes: ReadonlyMap<string, readonly Shape[]> = new Map(),
): readonly Group[] {
  const groups = new Map<string, { readonly maps: SearchedMap[]; readonly covers: readonly Cover[] }>();
  const keys = new Map<string, string>();
  for (const map of maps) {
    const own = shapes.get(map.id) ?? null;
    // Most maps define the same fields, and most covers do not depend on them.
    const kind = own === null ? JSON.stringify(map.fields) : map.id;
    const known = groups.get(keys.get(kind) ?? '');
    if (known !== undefined) {
      known.maps.push(map);
      continue;
    }
    const covers = [...coversOf(filter, map.fields, own), ...also];
    const key = JSON.stringify(covers);
    keys.set(kind, key);
    const group = groups.get(key) ?? { maps: [], covers };
    group.maps.push(map);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((group) =>
    chunksOf(group.maps, MAX_MAPS).map((some) => ({ maps: some, covers: group.covers })),
  );
}
