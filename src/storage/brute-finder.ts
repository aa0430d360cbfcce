import { storageUnavailable } from '../errors.ts';
import { cellAt, isWithinGrid } from '../domain/clusters.ts';
import { FoundPage, locationJudge } from '../domain/filter/location-search.ts';
import { LIST_ORDER } from '../domain/filter/location-order.ts';
import type { LocationFinder } from './finding.ts';
import type { Storage, StorageScope } from './storage.ts';

export function bruteFinder(storage: Pick<Storage, 'listLocations'>): LocationFinder {
  const all = async (id: string, scope?: StorageScope) => {
    const isOver = scope?.deadline !== undefined && scope.deadline.storageLeftMs <= 0;
    if (isOver || scope?.signal?.aborted === true) throw storageUnavailable(new Error('given up'));
    return storage.listLocations(id, { limit: 1e6, fromEnd: false, after: null, before: null }, scope);
  };
  return {
    async findLocations(search, page, scope) {
      const found = new FoundPage(search.order, page);
      for (const map of search.maps) {
        const judge = locationJudge(search, map);
        for (const each of await all(map.id, scope)) {
          const it = judge(each);
          if (it) found.add(it);
        }
      }
      return found.take();
    },
    async countFound(search, scope) {
      let n = 0;
      for (const map of search.maps) {
        const judge = locationJudge({ ...search, order: LIST_ORDER }, map);
        for (const each of await all(map.id, scope)) if (judge(each)) n += 1;
      }
      return n;
    },
    async findVersions({ map, filter }, limit, scope) {
      const judge = locationJudge({ filter, order: LIST_ORDER }, map);
      return (await all(map.id, scope))
        .filter((each) => judge(each) !== null)
        .slice(0, limit)
        .map(({ id, version }) => ({ id, version }));
    },
    async findClusters({ map, filter, grid, limit }, scope) {
      const judge = filter === null ? () => true : locationJudge({ filter, order: LIST_ORDER }, map);
      const cells = new Map<string, import('../domain/location.ts').LocationRecord[]>();
      for (const each of await all(map.id, scope)) {
        const cell = cellAt(each, grid.bits);
        if (!isWithinGrid(grid, cell) || !judge(each)) continue;
        const key = `${cell.row}/${cell.column}`;
        cells.set(key, [...(cells.get(key) ?? []), each]);
      }
      if (cells.size > limit) return null;
      return [...cells.values()].map((items) => ({
        ...cellAt(items[0]!, grid.bits),
        count: items.length,
        latitudes: items.reduce((s, { latitude }) => s + latitude, 0),
        longitudes: items.reduce((s, { longitude }) => s + longitude, 0),
        box: {
          south: Math.min(...items.map((x) => x.latitude)),
          north: Math.max(...items.map((x) => x.latitude)),
          west: Math.min(...items.map((x) => x.longitude)),
          east: Math.max(...items.map((x) => x.longitude)),
        },
        location: items.length === 1 ? items[0]! : null,
      }));
    },
  };
}
