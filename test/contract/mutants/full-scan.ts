/** Search by a full scan, with replaceable rules. */

import { withNext } from '../../../src/domain/paging/pages.ts';
import { cellAt, isWithinGrid } from '../../../src/domain/clusters.ts';
import type { CellPosition } from '../../../src/domain/filter/cell.ts';
import { cellOf } from '../../../src/domain/filter/cell.ts';
import { around, boxOf } from '../../../src/domain/filter/box.ts';
import type { LocationFilter } from '../../../src/domain/filter/location-filter.ts';
import { EVERYTHING } from '../../../src/domain/filter/location-filter.ts';
import type { SearchSortKey, LocationOrder, SortValue } from '../../../src/domain/filter/location-order.ts';
import { compareSearchKeys, LIST_ORDER } from '../../../src/domain/filter/location-order.ts';
import type { SearchHit, LocationSearch, SearchedMap } from '../../../src/domain/filter/location-search.ts';
import { hitMatcher } from '../../../src/domain/filter/location-search.ts';
import { locationMatcher } from '../../../src/domain/filter/matcher.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import { ColumnsCollector } from '../../../src/domain/tiles/location-columns.ts';
import { storageUnavailable } from '../../../src/errors.ts';
import type { Cluster, SearchStore } from '../../../src/storage/search.ts';
import { searchPageJson } from '../../../src/storage/search-json.ts';
import type { Storage, StorageScope } from '../../../src/storage/storage.ts';
import { wholeList } from './mutant.ts';

/** The rules that a mutant replaces; the others follow the port. */
export interface Rules {
  /** All locations of a map. */
  readonly listOf?: (mapId: string) => Promise<readonly LocationRecord[]>;
  /** Whether a location passes a filter, also a nested one; null follows the port. */
  readonly passes?: (filter: LocationFilter, location: LocationRecord, map: SearchedMap) => boolean | null;
  /** The sort value of a location; null follows the port. */
  readonly sortValue?: (order: LocationOrder, location: LocationRecord) => SortValue | null;
  readonly compare?: (order: LocationOrder) => (a: SearchSortKey, b: SearchSortKey) => number;
  /** The cell of a grid of 2 to the power of `bits` cells along each side. */
  readonly cellAt?: (location: LocationRecord, bits: number) => CellPosition;
}

type LocationMatcher = (location: LocationRecord) => boolean;

export function withFullScan(good: Storage, rules: Rules = {}): SearchStore {
  const listOf = rules.listOf ?? ((mapId: string) => wholeList(good, mapId));
  const matcherOf = (filter: LocationFilter, map: SearchedMap): LocationMatcher => {
    const matches = portMatcher(filter, map);
    return (location) => rules.passes?.(filter, location, map) ?? matches(location);
  };
  const portMatcher = (filter: LocationFilter, map: SearchedMap): LocationMatcher => {
    switch (filter.kind) {
      case 'and': {
        const matchers = filter.filters.map((each) => matcherOf(each, map));
        return (location) => matchers.every((matches) => matches(location));
      }
      case 'or': {
        const matchers = filter.filters.map((each) => matcherOf(each, map));
        return (location) => matchers.some((matches) => matches(location));
      }
      case 'not': {
        const matches = matcherOf(filter.filter, map);
        return (location) => !matches(location);
      }
      default:
        return locationMatcher(filter, map.fields);
    }
  };
  const passing = async (map: SearchedMap, filter: LocationFilter) =>
    (await listOf(map.id)).filter(matcherOf(filter, map));

  const findAll = async ({ maps, filter, order }: LocationSearch): Promise<readonly SearchHit[]> => {
    const found: SearchHit[] = [];
    for (const map of maps) {
      const match = hitMatcher({ filter: EVERYTHING, order }, map);
      for (const location of await passing(map, filter)) {
        const { key } = match(location)!;
        found.push({ location, key: { ...key, value: rules.sortValue?.(order, location) ?? key.value } });
      }
    }
    const compare = (rules.compare ?? compareSearchKeys)(order);
    return found.sort((a, b) => compare(a.key, b.key));
  };

  const findLocations: SearchStore['findLocations'] = async (
    search,
    { after, before, limit, fromEnd },
    scope,
  ) =>
    withinTime(scope, async () => {
      const compare = (rules.compare ?? compareSearchKeys)(search.order);
      const between = (await findAll(search)).filter(
        ({ key }) =>
          (after === null || compare(key, after) > 0) && (before === null || compare(key, before) < 0),
      );
      return fromEnd ? between.slice(-limit) : between.slice(0, limit);
    });

  return {
    findLocations,
    findLocationsJson: async (search, page, template, scope) =>
      searchPageJson(page, await findLocations(search, withNext(page), scope), template),
    countMatches: (search, scope) =>
      withinTime(scope, async () => (await findAll({ ...search, order: LIST_ORDER })).length),
    findVersions: ({ map, filter }, limit, scope) =>
      withinTime(scope, async () => {
        const found = await findAll({ maps: [map], filter, order: LIST_ORDER });
        return found.slice(0, limit).map(({ location: { id, version } }) => ({ id, version }));
      }),
    findClusters: ({ map, filter, grid, limit }, scope) =>
      withinTime(scope, async () => {
        const clusters = new Map<string, Cluster>();
        for (const location of await passing(map, filter ?? EVERYTHING)) {
          const cell = (rules.cellAt ?? cellAt)(location, grid.bits);
          if (!isWithinGrid(grid, cell)) continue;
          const key = `${cell.row} ${cell.column}`;
          clusters.set(key, withLocation(clusters.get(key), location, cell));
        }
        return clusters.size > limit ? null : [...clusters.values()];
      }),
    readColumns: ({ mapId, range: { first, last }, limit, fields, maxFieldBytes }, scope) =>
      withinTime(scope, async () => {
        const columns = new ColumnsCollector(fields, maxFieldBytes);
        for (const location of await listOf(mapId)) {
          const cell = cellOf(location);
          if (first <= cell && cell <= last) columns.add(location);
        }
        return columns.count > limit ? null : Buffer.from(JSON.stringify(columns.finish()));
      }),
  };
}

function withLocation(known: Cluster | undefined, location: LocationRecord, cell: CellPosition): Cluster {
  const { latitude, longitude } = location;
  if (known === undefined) {
    return { ...cell, count: 1, latitudes: latitude, longitudes: longitude, box: boxOf(location), location };
  }
  return {
    ...cell,
    count: known.count + 1,
    latitudes: known.latitudes + latitude,
    longitudes: known.longitudes + longitude,
    box: around(known.box, boxOf(location)),
    location: null,
  };
}

async function withinTime<T>(scope: StorageScope | undefined, work: () => Promise<T>): Promise<T> {
  const { deadline, signal } = scope ?? {};
  if (signal?.aborted === true || (deadline?.searches.leftMs ?? 1) <= 0) throw storageUnavailable();
  const begun = performance.now();
  const found = await work();
  deadline?.searches.spend(performance.now() - begun);
  return found;
}
