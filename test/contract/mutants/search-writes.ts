/** Mutants whose searches use outdated data. */

import type { LocationFilter } from '../../../src/domain/filter/location-filter.ts';
import { locationMatcher } from '../../../src/domain/filter/matcher.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { withFullScan } from './full-scan.ts';
import type { Mutant } from './mutant.ts';
import { wholeList } from './mutant.ts';

const searching = (name: string, breaks: (good: Storage) => Partial<Storage>): Mutant => ({
  name,
  topic: 'search',
  breaks,
});

/** An index of one kind of filter that keeps locations as they were before their updates. */
function keepingOld(kind: LocationFilter['kind'], name: string): Mutant {
  return searching(name, (good) => {
    const old = new Map<string, LocationRecord[]>();
    return {
      ...withFullScan(good, {
        passes: (filter, location, { fields }) => {
          if (filter.kind !== kind) return null;
          return [location, ...(old.get(location.id) ?? [])].some(locationMatcher(filter, fields));
        },
      }),
      async updateLocations(mapId, updates) {
        const before = await good.getLocations(
          mapId,
          updates.map(({ id }) => id),
        );
        for (const location of before) {
          if (location !== null) old.set(location.id, [...(old.get(location.id) ?? []), location]);
        }
        return good.updateLocations(mapId, updates);
      },
    };
  });
}

export const searchWriteMutants: readonly Mutant[] = [
  keepingOld('search', 'former words match after an update'),
  keepingOld('property', 'former values match after an update'),
  keepingOld('bbox', 'a former position matches a box after an update'),
  searching('deleted locations match', (good) => {
    const deleted: LocationRecord[] = [];
    return {
      ...withFullScan(good, {
        listOf: async (mapId) => [
          ...(await wholeList(good, mapId)),
          ...deleted.filter((location) => location.mapId === mapId),
        ],
      }),
      async deleteLocation(mapId, id) {
        const outcome = await good.deleteLocation(mapId, id);
        if (outcome.kind === 'deleted') deleted.push(outcome.location);
        return outcome;
      },
    };
  }),
  searching('hits are the locations as first stored', (good) => {
    const first = new Map<string, LocationRecord>();
    return {
      async insertLocations(mapId, inserts, now) {
        const result = await good.insertLocations(mapId, inserts, now);
        for (const outcome of result.kind === 'done' ? result.outcomes : []) {
          if (outcome.kind === 'inserted') first.set(outcome.location.id, outcome.location);
        }
        return result;
      },
      findLocations: async (search, page, scope) =>
        (await good.findLocations(search, page, scope)).map(({ key, location }) => ({
          key,
          location: first.get(location.id) ?? location,
        })),
    };
  }),
  searching('moved locations keep their former list position', (good) => {
    const formerOrders = new Map<string, Pick<LocationRecord, 'order' | 'orderKey'>>();
    return {
      ...withFullScan(good, {
        listOf: async (mapId) =>
          (await wholeList(good, mapId)).map((location) => ({
            ...location,
            ...formerOrders.get(location.id),
          })),
      }),
      async moveLocations(mapId, move, now) {
        const before = await good.getLocations(mapId, move.ids);
        for (const location of before) {
          if (location === null) continue;
          formerOrders.set(location.id, { order: location.order, orderKey: location.orderKey });
        }
        return good.moveLocations(mapId, move, now);
      },
    };
  }),
  searching('loaded locations match no words', (good) => {
    const loaded = new Set<string>();
    return {
      ...withFullScan(good, {
        passes: ({ kind }, { id }) => (kind === 'search' && loaded.has(id) ? false : null),
      }),
      async load(items) {
        for (const item of items) if (item.kind === 'location') loaded.add(item.location.id);
        await good.load(items);
      },
    };
  }),
];
