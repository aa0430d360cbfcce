/** Mutants that find what was, and not what is. */

import type { LocationFilter } from '../../../src/domain/filter/location-filter.ts';
import { locationMatcher } from '../../../src/domain/filter/matcher.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { lookingAtAll } from './look-at-all.ts';
import type { Mutant } from './mutant.ts';
import { wholeList } from './mutant.ts';

const finding = (name: string, breaks: (good: Storage) => Partial<Storage>): Mutant => ({
  name,
  topic: 'finding',
  breaks,
});

/** An index of one kind of filter that keeps what locations were before their updates. */
function keepingOld(kind: LocationFilter['kind'], name: string): Mutant {
  return finding(name, (good) => {
    const old = new Map<string, LocationRecord[]>();
    return {
      ...lookingAtAll(good, {
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

export const foundWriteMutants: readonly Mutant[] = [
  keepingOld('search', 'what was found by its words is found by them after an update'),
  keepingOld('property', 'what was found by its values is found by them after an update'),
  keepingOld('bbox', 'what stood in a box is found there after it was moved away'),
  finding('what was deleted is found', (good) => {
    const deleted: LocationRecord[] = [];
    return {
      ...lookingAtAll(good, {
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
  finding('what was found is as it was stored first', (good) => {
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
  finding('what was moved is found at its old place', (good) => {
    const places = new Map<string, Pick<LocationRecord, 'order' | 'orderKey'>>();
    return {
      ...lookingAtAll(good, {
        listOf: async (mapId) =>
          (await wholeList(good, mapId)).map((location) => ({ ...location, ...places.get(location.id) })),
      }),
      async moveLocations(mapId, move, now) {
        const before = await good.getLocations(mapId, move.ids);
        for (const location of before) {
          if (location === null) continue;
          places.set(location.id, { order: location.order, orderKey: location.orderKey });
        }
        return good.moveLocations(mapId, move, now);
      },
    };
  }),
  finding('what was loaded is found by no words', (good) => {
    const loaded = new Set<string>();
    return {
      ...lookingAtAll(good, {
        passes: ({ kind }, { id }) => (kind === 'search' && loaded.has(id) ? false : null),
      }),
      async load(items) {
        for (const item of items) if (item.kind === 'location') loaded.add(item.location.id);
        await good.load(items);
      },
    };
  }),
];
