import { cellAt, isWithinGrid } from '../domain/clusters.ts';
import { FoundPage, locationJudge } from '../domain/filter/location-search.ts';
import { LIST_ORDER } from '../domain/filter/location-order.ts';
import type { LocationFinder } from './finding.ts';
import type { Storage } from './storage.ts';

export function bruteFinder(storage: Pick<Storage, 'listLocations'>): LocationFinder {
  const all = async (id: string) =>
    storage.listLocations(id, { limit: 1e6, fromEnd: false, after: null, before: null });
  return {
    async findLocations(search, page) {
      const found = new FoundPage(search.order, page);
      for (const map of search.maps) {
        const judge = locationJudge(search, map);
        for (const each of await all(map.id)) {
          const it = judge(each);
          if (it) found.add(it);
        }
      }
      return found.take();
    },
    async countFound(search) {
      let n = 0;
      for (const map of search.maps) {
        const judge = locationJudge({ ...search, order: LIST_ORDER }, map);
        for (const each of await all(map.id)) if (judge(each)) n += 1;
      }
      return n;
    },
    async findVersions({ map, filter }, limit) {
      const judge = locationJudge({ filter, order: LIST_ORDER }, map);
      return (await all(map.id))
        .filter((each) => judge(each) !== null)
        .slice(0, limit)
        .map(({ id, version }) => ({ id, version }));
    },
    async findClusters({ map, filter, grid, limit }) {
      const judge = filter === null ? () => true : locationJudge({ filter, order: LIST_ORDER }, map);
      const cells = new Map<string, import('../domain/location.ts').LocationRecord[]>();
      for (const each of await all(map.id)) {
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
