/** Mutants with wrong updates or bulk deletions. */

import type { LocationUpdate, Storage, UpdateOutcome } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';
import { changingInserts, changingReads, pause, wholeList } from './mutant.ts';

/** Changes each update before the good store gets it. */
function changingUpdates(
  good: Storage,
  change: (update: LocationUpdate) => LocationUpdate,
): Partial<Storage> {
  return { updateLocations: (mapId, updates) => good.updateLocations(mapId, updates.map(change)) };
}

/** Changes every outcome of a call. */
function changingOutcomes(
  good: Storage,
  change: (outcome: UpdateOutcome, update: LocationUpdate, mapId: string) => UpdateOutcome,
): Partial<Storage> {
  return {
    updateLocations: async (mapId, updates) => {
      const result = await good.updateLocations(mapId, updates);
      if (result.kind !== 'done') return result;
      const outcomes = result.outcomes.map((outcome, index) => change(outcome, updates[index]!, mapId));
      return { kind: 'done', outcomes };
    },
  };
}

/** Gives an update the current version. */
async function withVersion(good: Storage, mapId: string, update: LocationUpdate): Promise<LocationUpdate> {
  const [location] = await good.getLocations(mapId, [update.id]);
  return { ...update, version: location?.version ?? update.version };
}

export const changes: readonly Mutant[] = [
  {
    name: 'an update of another version is applied',
    topic: 'updates',
    breaks: (good) => ({
      updateLocations: async (mapId, updates) =>
        good.updateLocations(
          mapId,
          await Promise.all(updates.map((update) => withVersion(good, mapId, update))),
        ),
    }),
  },
  {
    name: 'several concurrent updates of one version are applied',
    topic: 'updates',
    breaks: (good) => {
      const first = new Map<string, number>();
      return {
        updateLocations: async (mapId, updates) => {
          const now = await Promise.all(
            updates.map(async (update) => {
              const known = first.get(update.id) ?? update.version;
              first.set(update.id, known);
              await pause();
              return known === update.version ? withVersion(good, mapId, update) : update;
            }),
          );
          const result = await good.updateLocations(mapId, now);
          await pause();
          for (const { id } of updates) first.delete(id);
          return result;
        },
      };
    },
  },
  {
    name: 'an update returns updated and stores nothing',
    topic: 'updates',
    breaks: (good) => ({
      updateLocations: async (mapId, updates) => {
        const found = await good.getLocations(
          mapId,
          updates.map(({ id }) => id),
        );
        const outcomes = updates.map(({ values, updatedAt, version }, index): UpdateOutcome => {
          const location = found[index];
          if (!location) return { kind: 'missing' };
          return { kind: 'updated', location: { ...location, ...values, updatedAt, version: version + 1 } };
        });
        return { kind: 'done', outcomes };
      },
    }),
  },
  {
    name: 'an update returns the former location',
    topic: 'updates',
    breaks: (good) =>
      changingOutcomes(good, (outcome, { version }) =>
        outcome.kind === 'updated' ? { ...outcome, location: { ...outcome.location, version } } : outcome,
      ),
  },
  {
    name: 'an update of another version returns missing',
    topic: 'updates',
    breaks: (good) =>
      changingOutcomes(good, (outcome) => (outcome.kind === 'changed' ? { kind: 'missing' } : outcome)),
  },
  {
    name: 'an order is not updated',
    topic: 'updates',
    breaks: (good) => changingUpdates(good, (update) => ({ ...update, order: null })),
  },
  {
    name: 'an updated order is respelled',
    topic: 'updates',
    breaks: (good) =>
      changingUpdates(good, (update) => ({ ...update, order: update.order && String(Number(update.order)) })),
  },
  {
    name: 'a location with another order follows its equals',
    topic: 'updates',
    breaks: (good) => {
      const late = new Map<string, number>();
      return {
        updateLocations: async (mapId, updates) => {
          for (const { id, order } of updates) if (order !== null) late.set(id, late.size + 1_000_000);
          return good.updateLocations(mapId, updates);
        },
        listLocations: async (mapId, page) => {
          const list = await good.listLocations(mapId, page);
          const rank = ({ id, sequence }: { id: string; sequence: number }) => late.get(id) ?? sequence;
          return list.toSorted((a, b) =>
            a.orderKey === b.orderKey ? rank(a) - rank(b) : a.orderKey < b.orderKey ? -1 : 1,
          );
        },
      };
    },
  },
  {
    name: 'only present orders count as used',
    topic: 'updates',
    breaks: (good) => ({
      insertLocations: async (mapId, inserts, now) => {
        const list = await wholeList(good, mapId);
        const largest = Math.max(0, ...list.map(({ order }) => Number(order)).filter(Number.isFinite));
        const numbered = inserts.map((insert, index) => ({
          ...insert,
          order: insert.order ?? String(Math.floor(largest) + 1 + index),
        }));
        return good.insertLocations(mapId, numbered, now);
      },
    }),
  },
  {
    name: 'the time of an update is not stored',
    topic: 'updates',
    breaks: (good) => changingReads(good, (location) => ({ ...location, updatedAt: location.createdAt })),
  },
  {
    name: 'an update changes the time of creation',
    topic: 'updates',
    breaks: (good) => changingReads(good, (location) => ({ ...location, createdAt: location.updatedAt })),
  },
  {
    name: 'an update does not store the external id',
    topic: 'external ids',
    breaks: (good) =>
      changingUpdates(good, (update) => ({ ...update, values: { ...update.values, externalId: null } })),
  },
  {
    name: 'an external id is not unique',
    topic: 'external ids',
    breaks: (good) => {
      const assigned = new Map<string, string>();
      let count = 0;
      return {
        ...changingReads(good, (location) => ({
          ...location,
          externalId: location.externalId && (assigned.get(location.externalId) ?? location.externalId),
        })),
        insertLocations: changingInserts(good, (insert) => {
          const { externalId } = insert.location;
          if (externalId === null) return insert;
          const own = `${externalId}#${(count += 1)}`;
          assigned.set(own, externalId);
          return { ...insert, location: { ...insert.location, externalId: own } };
        }),
      };
    },
  },
  {
    name: 'external ids are compared without case',
    topic: 'external ids',
    breaks: (good) => ({
      insertLocations: changingInserts(good, (insert) => ({
        ...insert,
        location: { ...insert.location, externalId: insert.location.externalId?.toLowerCase() ?? null },
      })),
      findLocationsByExternalIds: (mapId, ids) =>
        good.findLocationsByExternalIds(
          mapId,
          ids.map((id) => id.toLowerCase()),
        ),
    }),
  },
  {
    name: 'locations by external ids are returned in list order',
    topic: 'external ids',
    breaks: (good) => ({
      findLocationsByExternalIds: async (mapId, ids) =>
        (await good.findLocationsByExternalIds(mapId, ids)).toSorted(
          (a, b) => (a?.sequence ?? 0) - (b?.sequence ?? 0),
        ),
    }),
  },
  {
    name: 'an external id stays taken when its location is deleted',
    topic: 'external ids',
    breaks: (good) => {
      const taken = new Set<string | null>();
      return {
        deleteLocation: async (mapId, id) => {
          const response = await good.deleteLocation(mapId, id);
          if (response.kind === 'deleted') taken.add(response.location.externalId);
          return response;
        },
        insertLocations: async (mapId, inserts, now) => {
          const isTaken = inserts.some(
            ({ location }) => location.externalId !== null && taken.has(location.externalId),
          );
          if (!isTaken) return good.insertLocations(mapId, inserts, now);
          return { kind: 'done', outcomes: inserts.map(() => ({ kind: 'external-id-taken' })) };
        },
      };
    },
  },
  {
    name: 'a bulk deletion returns absent ids',
    topic: 'deletions',
    breaks: (good) => ({
      deleteLocations: async (mapId, ids) => {
        const result = await good.deleteLocations(mapId, ids);
        return result.kind === 'done' ? { ...result, deletedIds: [...new Set(ids)] } : result;
      },
    }),
  },
  {
    name: 'a bulk deletion returns the ids in list order',
    topic: 'deletions',
    breaks: (good) => ({
      deleteLocations: async (mapId, ids) => {
        const found = await good.getLocations(mapId, ids);
        const sequences = new Map(found.map((location) => [location?.id, location?.sequence ?? 0]));
        const result = await good.deleteLocations(mapId, ids);
        if (result.kind !== 'done') return result;
        const rank = (id: string) => sequences.get(id) ?? 0;
        return { ...result, deletedIds: result.deletedIds.toSorted((a, b) => rank(a) - rank(b)) };
      },
    }),
  },
  {
    name: 'a bulk deletion leaves the last location',
    topic: 'deletions',
    breaks: (good) => ({
      deleteLocations: async (mapId, ids) => {
        const result = await good.deleteLocations(mapId, ids.slice(0, -1));
        return result.kind === 'done'
          ? { ...result, deletedIds: [...new Set([...result.deletedIds, ...ids.slice(-1)])] }
          : result;
      },
    }),
  },
];
