/** Mutants with a wrong count of a map's locations. */

import type { GeocodingCount } from '../../../src/domain/filter/geocoding-groups.ts';
import { sumOfGroups } from '../../../src/domain/filter/geocoding-groups.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

/** Adds the mutant's error to the count. */
function miscounting(
  good: Storage,
  breaks: (add: (mapId: string, number: number) => void) => Partial<Storage>,
): Partial<Storage> {
  const extra = new Map<string, number>();
  return {
    countLocations: async (mapId) => (await good.countLocations(mapId)) + (extra.get(mapId) ?? 0),
    ...breaks((mapId, number) => extra.set(mapId, (extra.get(mapId) ?? 0) + number)),
  };
}

const mutant = (
  name: string,
  breaks: (good: Storage, add: (mapId: string, number: number) => void) => Partial<Storage>,
): Mutant => ({
  name,
  topic: 'counts',
  breaks: (good) => miscounting(good, (add) => breaks(good, add)),
});

const grouping = (name: string, breaks: Mutant['breaks']): Mutant => ({ name, topic: 'counts', breaks });

export const countMutants: readonly Mutant[] = [
  mutant('a count ignores deletions', (good, add) => ({
    deleteLocation: async (mapId, id) => {
      const result = await good.deleteLocation(mapId, id);
      if (result.kind === 'deleted') add(mapId, 1);
      return result;
    },
  })),
  mutant('a count subtracts deletions of absent locations', (good, add) => ({
    deleteLocation: async (mapId, id) => {
      const result = await good.deleteLocation(mapId, id);
      if (result.kind === 'missing') add(mapId, -1);
      return result;
    },
  })),
  mutant('a count includes replays', (good, add) => ({
    insertLocations: async (mapId, inserts, now) => {
      const result = await good.insertLocations(mapId, inserts, now);
      if (result.kind !== 'done') return result;
      add(mapId, result.outcomes.filter(({ kind }) => kind === 'replayed').length);
      return result;
    },
  })),
  mutant('a count includes conflicts', (good, add) => ({
    insertLocations: async (mapId, inserts, now) => {
      const result = await good.insertLocations(mapId, inserts, now);
      if (result.kind !== 'done') return result;
      add(mapId, result.outcomes.filter(({ kind }) => kind === 'conflict').length);
      return result;
    },
  })),
  mutant('a count adds one per call', (good, add) => ({
    insertLocations: async (mapId, inserts, now) => {
      const result = await good.insertLocations(mapId, inserts, now);
      if (result.kind !== 'done') return result;
      const { length } = result.outcomes.filter(({ kind }) => kind === 'inserted');
      add(mapId, Math.min(1, length) - length);
      return result;
    },
  })),
  mutant('a count includes the items of a failed call', (good, add) => ({
    insertLocations: async (mapId, inserts, now) => {
      try {
        return await good.insertLocations(mapId, inserts, now);
      } catch (error) {
        add(mapId, 1);
        throw error;
      }
    },
  })),
  mutant('a count survives the removal of everything', (good, add) => ({
    removeAll: async (kept) => {
      for await (const item of good.dump(0)) if (item.kind === 'location') add(item.location.mapId, 1);
      await good.removeAll(kept);
    },
  })),
  mutant('a count is lost by a load', (good, add) => ({
    load: async (items) => {
      await good.load(items);
      for (const item of items) if (item.kind === 'location') add(item.location.mapId, -1);
    },
  })),
  mutant('a count is reset by the deletion of its map', (good, add) => ({
    updateMap: async (id, patch, options) => {
      const result = await good.updateMap(id, patch, options);
      if (patch.isDeleted === true) add(id, -(await good.countLocations(id)));
      return result;
    },
  })),
  grouping('a count by geocoding is that of the inserts', (good) => {
    const inserted = new Map<string, readonly GeocodingCount[]>();
    return {
      insertLocations: async (mapId, inserts, now) => {
        const result = await good.insertLocations(mapId, inserts, now);
        inserted.set(mapId, await good.countByGeocoding(mapId));
        return result;
      },
      countByGeocoding: async (mapId) => inserted.get(mapId) ?? good.countByGeocoding(mapId),
    };
  }),
  grouping('a count by geocoding has empty groups', (good) => ({
    countByGeocoding: async (mapId) => [
      ...(await good.countByGeocoding(mapId)),
      { provider: 'none', precision: 'region', isAmbiguous: false, isChecked: false, count: 0 },
    ],
  })),
  grouping('a count by geocoding ignores ambiguity', (good) => ({
    countByGeocoding: async (mapId) =>
      sumOfGroups((await good.countByGeocoding(mapId)).map((group) => ({ ...group, isAmbiguous: false }))),
  })),
  grouping('a count by geocoding includes all maps', (good) => ({
    countByGeocoding: async () => {
      const all: GeocodingCount[] = [];
      for await (const item of good.dump(0)) {
        if (item.kind === 'map') all.push(...(await good.countByGeocoding(item.map.id)));
      }
      return sumOfGroups(all);
    },
  })),
  {
    name: 'a count lags by one write',
    topic: 'counts',
    breaks: (good) => {
      const last = new Map<string, number>();
      return {
        insertLocations: async (mapId, inserts, now) => {
          last.set(mapId, await good.countLocations(mapId));
          return good.insertLocations(mapId, inserts, now);
        },
        countLocations: async (mapId) => last.get(mapId) ?? good.countLocations(mapId),
      };
    },
  },
  {
    name: 'a count includes all maps',
    topic: 'counts',
    breaks: (good) => ({
      countLocations: async () => {
        let count = 0;
        for await (const item of good.dump(0)) if (item.kind === 'location') count += 1;
        return count;
      },
    }),
  },
  {
    name: 'a count ignores writes from before the opening',
    topic: 'counts',
    persistent: true,
    breaks: (good) => {
      const before = new Map<string, number>();
      return {
        countLocations: async (mapId) => {
          const count = await good.countLocations(mapId);
          if (!before.has(mapId)) before.set(mapId, count);
          return count - before.get(mapId)!;
        },
      };
    },
  },
];
