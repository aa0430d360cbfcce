/** Mutants that lose, change or confuse locations. */

import type { JsonObject, JsonValue } from '../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Mutant } from './mutant.ts';
import { changingInserts, changingReads, insertThrough } from './mutant.ts';

const mapOf = (locationId: string) => locationId.split('_')[0] ?? '';
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

function withProperties(change: (properties: JsonObject) => JsonObject) {
  return (location: LocationRecord): LocationRecord => ({
    ...location,
    properties: change(location.properties),
  });
}

/** Copies like most hand-written code: a key `__proto__` sets the prototype. */
function assigned(properties: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(properties)) copy[key] = value;
  return copy;
}

export const records: readonly Mutant[] = [
  {
    name: 'a deletion does nothing',
    topic: 'locations',
    breaks: (good) => ({
      deleteLocation: async (mapId, id) => {
        const [location] = await good.getLocations(mapId, [id]);
        return location ? { kind: 'deleted', location } : { kind: 'missing' };
      },
    }),
  },
  {
    name: 'a deletion returns missing',
    topic: 'locations',
    breaks: (good) => ({
      deleteLocation: async (mapId, id) => {
        await good.deleteLocation(mapId, id);
        return { kind: 'missing' };
      },
    }),
  },
  {
    name: 'every deletion returns the location',
    topic: 'locations',
    breaks: (good) => {
      const deleted = new Map<string, LocationRecord>();
      return {
        deleteLocation: async (mapId, id) => {
          const response = await good.deleteLocation(mapId, id);
          if (response.kind === 'deleted') deleted.set(id, response.location);
          const before = deleted.get(id);
          return before ? { kind: 'deleted', location: before } : response;
        },
      };
    },
  },
  {
    name: 'several concurrent deletions get the location',
    topic: 'concurrency',
    breaks: (good) => ({
      deleteLocation: async (mapId, id) => {
        const [location] = await good.getLocations(mapId, [id]);
        const response = await good.deleteLocation(mapId, id);
        return response.kind === 'missing' && location ? { kind: 'deleted', location } : response;
      },
    }),
  },
  {
    name: "another map's location is deleted",
    topic: 'locations',
    breaks: (good) => ({
      deleteLocation: async (mapId, id) => {
        const [map] = await good.getMaps([mapOf(id)]);
        return good.deleteLocation(map ? mapOf(id) : mapId, id);
      },
    }),
  },
  {
    name: "another map's location is found",
    topic: 'locations',
    breaks: (good) => ({
      getLocations: (mapId, ids) =>
        Promise.all(ids.map(async (id) => (await good.getLocations(mapOf(id) || mapId, [id]))[0] ?? null)),
    }),
  },
  {
    name: 'unknown ids have no entry',
    topic: 'locations',
    breaks: (good) => ({
      getLocations: async (mapId, ids) =>
        (await good.getLocations(mapId, ids)).filter((item) => item !== null),
    }),
  },
  {
    name: 'locations are returned in list order, not in that of the request',
    topic: 'locations',
    breaks: (good) => ({
      getLocations: async (mapId, ids) =>
        (await good.getLocations(mapId, ids)).toSorted((a, b) => (a?.sequence ?? 0) - (b?.sequence ?? 0)),
    }),
  },
  {
    name: 'a repeated id has one entry',
    topic: 'locations',
    breaks: (good) => ({ getLocations: (mapId, ids) => good.getLocations(mapId, [...new Set(ids)]) }),
  },
  {
    name: 'properties lose the key __proto__',
    topic: 'locations',
    breaks: (good) => changingReads(good, withProperties(assigned)),
  },
  {
    name: 'properties are sorted by key',
    topic: 'locations',
    breaks: (good) =>
      changingReads(
        good,
        withProperties((properties) => Object.fromEntries(Object.entries(properties).sort())),
      ),
  },
  {
    name: 'properties lose nulls',
    topic: 'locations',
    breaks: (good) =>
      changingReads(
        good,
        withProperties((all) =>
          Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
        ),
      ),
  },
  {
    name: 'properties lose keys with a dot or a dollar sign',
    topic: 'locations',
    breaks: (good) =>
      changingReads(
        good,
        withProperties((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !/[.$]/.test(key)))),
      ),
  },
  {
    name: 'properties lose digits of numbers',
    topic: 'locations',
    breaks: (good) =>
      changingReads(
        good,
        withProperties(
          (all) =>
            JSON.parse(
              JSON.stringify(all, (_, value: unknown) =>
                typeof value === 'number' ? Number(value.toPrecision(15)) : value,
              ),
            ) as JsonObject,
        ),
      ),
  },
  {
    name: 'coordinates are rounded',
    topic: 'locations',
    breaks: (good) =>
      changingReads(good, (location) => ({
        ...location,
        latitude: rounded(location.latitude),
        longitude: rounded(location.longitude),
      })),
  },
  {
    name: 'an order is stored in another spelling',
    topic: 'orders',
    breaks: (good) => ({
      insertLocations: changingInserts(good, (insert) => ({
        ...insert,
        order: insert.order?.replace(/^0+(?=\d)/, '') ?? null,
      })),
    }),
  },
  {
    name: 'returned locations are shared with the store',
    topic: 'locations',
    breaks: (good) => {
      const cache = new Map<string, LocationRecord>();
      return changingReads(good, (location) => {
        const known = cache.get(location.id) ?? location;
        cache.set(location.id, known);
        return known;
      });
    },
  },
  {
    name: 'a deleted map accepts locations',
    topic: 'locations',
    breaks: (good) => ({
      insertLocations: async (mapId, inserts, now) => {
        const response = await good.insertLocations(mapId, inserts, now);
        if (response.kind !== 'map-deleted') return response;
        await good.updateMap(mapId, { isDeleted: false }, { evenIfDeleted: true });
        const stored = await good.insertLocations(mapId, inserts, now);
        await good.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: true });
        return stored;
      },
    }),
  },
  {
    name: 'a deleted map refuses a location but stores it',
    topic: 'locations',
    breaks: (good) => ({
      insertLocations: async (mapId, inserts, now) => {
        const response = await good.insertLocations(mapId, inserts, now);
        if (response.kind !== 'map-deleted') return response;
        await good.updateMap(mapId, { isDeleted: false }, { evenIfDeleted: true });
        await good.insertLocations(mapId, inserts, now);
        await good.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: true });
        return response;
      },
    }),
  },
  {
    name: 'a missing map is reported as deleted',
    topic: 'locations',
    breaks: (good) => ({
      insertLocations: async (mapId, inserts, now) => {
        const response = await good.insertLocations(mapId, inserts, now);
        return response.kind === 'map-missing' ? { kind: 'map-deleted' } : response;
      },
    }),
  },
  {
    name: 'a deleted map allows deletions',
    topic: 'locations',
    breaks: (good) => ({
      deleteLocation: async (mapId, id) => {
        const response = await good.deleteLocation(mapId, id);
        if (response.kind !== 'map-deleted') return response;
        await good.updateMap(mapId, { isDeleted: false }, { evenIfDeleted: true });
        const deleted = await good.deleteLocation(mapId, id);
        await good.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: true });
        return deleted;
      },
    }),
  },
  {
    name: 'concurrent inserts overwrite each other',
    topic: 'concurrency',
    breaks: (good) => {
      let underWay = 0;
      return {
        insertLocations: async (mapId, inserts, now) => {
          underWay += 1;
          const isCrowded = underWay > 1;
          const response = await good.insertLocations(mapId, inserts, now);
          underWay -= 1;
          if (response.kind !== 'done' || !isCrowded) return response;
          for (const { location } of inserts) await good.deleteLocation(mapId, location.id);
          return response;
        },
      };
    },
  },
  {
    name: 'an insert of several stores the last first',
    topic: 'appends',
    breaks: (good) => ({
      insertLocations: async (mapId, inserts, now) => {
        const response = await good.insertLocations(mapId, inserts.toReversed(), now);
        return response.kind === 'done'
          ? { kind: 'done', outcomes: response.outcomes.toReversed() }
          : response;
      },
    }),
  },
  {
    name: 'a failing item leaves its predecessors and its key',
    topic: 'locations',
    breaks: (good) => ({
      insertLocations: async (mapId, inserts, now) => {
        try {
          return await good.insertLocations(mapId, inserts, now);
        } catch (error) {
          // Like two writes without a transaction: the first one stays.
          const other = { ...inserts[0]!.location, id: `${inserts[0]!.location.id}0` };
          await insertThrough(good, mapId, { ...inserts[0]!, location: other }, now);
          throw error;
        }
      },
    }),
  },
];
