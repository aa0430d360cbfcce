/** Mutants with a wrong history or trash. */

import type { LocationRecord } from '../../../src/domain/location.ts';
import type {
  HistoryLimits,
  HistoryRecord,
  Storage,
  StorageScope,
  StoredItem,
  VersionRecord,
} from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

function broken(name: string, breaks: (good: Storage) => Partial<Storage>): Mutant {
  return { name, topic: 'history', breaks };
}

const without = (scope?: StorageScope): StorageScope => ({ ...scope, call: undefined });

/** Changes the records of both methods. */
function records(name: string, change: (record: HistoryRecord) => HistoryRecord): Mutant {
  return broken(name, (good) => ({
    listHistory: async (...args) => (await good.listHistory(...args)).map(change),
    findHistory: async (...args) =>
      (await good.findHistory(...args)).map((record) => record && change(record)),
  }));
}

function versions(name: string, change: (versions: VersionRecord[]) => readonly VersionRecord[]): Mutant {
  return broken(name, (good) => ({
    listVersions: async (...args) => change([...(await good.listVersions(...args))]),
  }));
}

function restoring(name: string, change: (location: LocationRecord) => LocationRecord): Mutant {
  return broken(name, (good) => ({
    restoreLocations: async (...args) => {
      const result = await good.restoreLocations(...args);
      if (result.kind !== 'done') return result;
      return {
        ...result,
        outcomes: result.outcomes.map((outcome) =>
          outcome.kind === 'restored' ? { ...outcome, location: change(outcome.location) } : outcome,
        ),
      };
    },
  }));
}

function limits(name: string, change: (limits: HistoryLimits) => HistoryLimits): Mutant {
  return broken(name, (good) => ({
    removeOldHistory: (given, after, limit) => good.removeOldHistory(change(given), after, limit),
  }));
}

function dumping(name: string, isLeftOut: (item: StoredItem) => boolean): Mutant {
  return broken(name, (good) => ({
    async *dump(expiringAfter) {
      for await (const item of good.dump(expiringAfter)) if (!isLeftOut(item)) yield item;
    },
  }));
}

export const historyMutants: readonly Mutant[] = [
  broken('creates have no record', (good) => ({
    insertLocations: (mapId, inserts, now, scope) =>
      good.insertLocations(mapId, inserts, now, without(scope)),
  })),
  broken('updates keep no state', (good) => ({
    updateLocations: (mapId, updates, scope) => good.updateLocations(mapId, updates, without(scope)),
  })),
  broken('moves keep no state', (good) => ({
    moveLocations: (mapId, move, now, scope) => good.moveLocations(mapId, move, now, without(scope)),
  })),
  broken('a deleted location does not go to the trash', (good) => ({
    deleteLocation: (mapId, id, scope) => good.deleteLocation(mapId, id, without(scope)),
  })),
  broken('deleted locations do not go to the trash', (good) => ({
    deleteLocations: (mapId, ids, scope) => good.deleteLocations(mapId, ids, without(scope)),
  })),
  broken('deleted versions do not go to the trash', (good) => ({
    deleteVersions: (mapId, hits, scope) => good.deleteVersions(mapId, hits, without(scope)),
  })),
  broken('restoring keeps nothing of the deletion', (good) => ({
    restoreLocations: (mapId, restores, now, scope) =>
      good.restoreLocations(mapId, restores, now, without(scope)),
  })),
  broken('every deletion goes to the trash', (good) => ({
    deleteLocations: (mapId, ids, scope) =>
      good.deleteLocations(mapId, ids, {
        ...scope,
        ...(scope?.call && { call: { ...scope.call, keepsTrash: true } }),
      }),
  })),
  broken('every update keeps its state', (good) => ({
    updateLocations: (mapId, updates, scope) =>
      good.updateLocations(mapId, updates, {
        ...scope,
        ...(scope?.call && { call: { ...scope.call, mostVersions: 9 } }),
      }),
  })),
  broken('a call keeps one version less', (good) => ({
    updateLocations: (mapId, updates, scope) =>
      good.updateLocations(mapId, updates, {
        ...scope,
        ...(scope?.call && { call: { ...scope.call, mostVersions: scope.call.mostVersions - 1 } }),
      }),
  })),

  records('the actor is always the operator', (record) => ({ ...record, actor: { kind: 'operator' } })),
  records('a record counts moves as updates', ({ counts, ...record }) => ({
    ...record,
    counts: { ...counts, moved: 0, updated: counts.updated + counts.moved },
  })),
  records('a record ends at its first change', (record) => ({ ...record, lastChange: record.firstChange })),
  broken('records are listed oldest first', (good) => ({
    listHistory: async (...args) => (await good.listHistory(...args)).toReversed(),
  })),
  broken('the last record of a page is on the next one, too', (good) => ({
    listHistory: (mapId, { after, limit }, ...rest) =>
      good.listHistory(mapId, { limit, after: after === null ? null : `${after}~` }, ...rest),
  })),
  broken('records of all operations are listed', (good) => ({
    listHistory: (mapId, page, filter, scope) =>
      good.listHistory(mapId, page, { ...filter, operation: null }, scope),
  })),
  broken('records before the time are listed', (good) => ({
    listHistory: (mapId, page, filter, scope) =>
      good.listHistory(mapId, page, { ...filter, since: null }, scope),
  })),
  broken('records of the last millisecond are not listed', (good) => ({
    listHistory: (mapId, page, { until, ...filter }, scope) =>
      good.listHistory(mapId, page, { ...filter, until: until === null ? null : until - 1 }, scope),
  })),
  broken('the change at the number is read again', (good) => ({
    changesOfCall: (mapId, id, { after, limit }, scope) =>
      good.changesOfCall(mapId, id, { limit, after: after - 1 }, scope),
  })),
  broken('a page of changes exceeds its limit', (good) => ({
    changesOfCall: (mapId, id, { after, limit }, scope) =>
      good.changesOfCall(mapId, id, { after, limit: limit + 1 }, scope),
  })),
  broken('the changes of a call are reversed', (good) => ({
    changesOfCall: async (...args) => (await good.changesOfCall(...args)).toReversed(),
  })),
  broken('the last call has created everything', (good) => ({
    findCreation: async (mapId, location, scope) => {
      const found = await good.findCreation(mapId, location, scope);
      const filter = { since: null, until: null, operation: null };
      const [last] = await good.listHistory(mapId, { limit: 1, after: null }, filter, scope);
      return found && (last?.id ?? null);
    },
  })),
  broken('no creation is found', () => ({ findCreation: async () => null })),

  versions('versions are listed oldest first', (list) => list.toReversed()),
  versions('a former state has the name of the next one', (list) =>
    list.map((version, index) => ({
      ...version,
      location: version.location && {
        ...version.location,
        name: list[index - 1]?.location?.name ?? version.location.name,
      },
    })),
  ),
  versions('a former state has no external id', (list) =>
    list.map((version) => ({
      ...version,
      location: version.location && { ...version.location, externalId: null },
    })),
  ),
  broken('a page of versions has the last one again', (good) => ({
    listVersions: (mapId, id, { limit, before }, scope) =>
      good.listVersions(mapId, id, { limit, before: before === null ? null : before + 1 }, scope),
  })),
  broken('the versions that a call replaced are found newest first', (good) => ({
    findReplacedVersions: async (...args) =>
      (await good.findReplacedVersions(...args)).map((found) => found.toReversed()),
  })),
  broken('only the last version that a call replaced is found', (good) => ({
    findReplacedVersions: async (...args) =>
      (await good.findReplacedVersions(...args)).map((found) => found.slice(-1)),
  })),

  broken('the trash is listed oldest first', (good) => ({
    listTrash: async (...args) => (await good.listTrash(...args)).toReversed(),
  })),
  broken('the trash has no time', (good) => ({
    listTrash: (mapId, page, options, scope) =>
      good.listTrash(mapId, page, { ...options, deletedSince: 0 }, scope),
  })),
  broken('the trash is not searched', (good) => ({
    listTrash: (mapId, page, options, scope) =>
      good.listTrash(mapId, page, { ...options, matches: null }, scope),
  })),
  broken('a page of the trash is cut before it is searched', (good) => ({
    listTrash: async (mapId, page, { matches, ...options }, scope) =>
      (await good.listTrash(mapId, page, { ...options, matches: null }, scope)).filter(
        ({ location }) => matches === null || matches(location),
      ),
  })),
  broken('each page of the trash is the first', (good) => ({
    listTrash: (mapId, page, options, scope) =>
      good.listTrash(mapId, { ...page, after: null }, options, scope),
  })),
  broken('the trash is empty for single ids', (good) => ({
    findTrashed: async (...args) => (await good.findTrashed(...args)).map(() => null),
  })),

  restoring('a restored location has the next version', (location) => ({
    ...location,
    version: location.version - 1,
  })),
  restoring('a restored location keeps its time', (location) => ({
    ...location,
    updatedAt: location.createdAt,
  })),
  broken('any version is restored', (good) => ({
    restoreLocations: async (mapId, restores, now, scope) => {
      const ids = restores.map(({ id }) => id);
      const trashed = await good.findTrashed(mapId, ids, scope);
      const changed = restores.map(({ id, version }, index) => ({
        id,
        version: trashed[index]?.location.version ?? version,
      }));
      return good.restoreLocations(mapId, changed, now, scope);
    },
  })),
  broken('a location is restored at the end of the list', (good) => ({
    restoreLocations: async (mapId, restores, now, scope) => {
      const result = await good.restoreLocations(mapId, restores, now, scope);
      if (result.kind !== 'done') return result;
      const ids = result.outcomes.flatMap((outcome) =>
        outcome.kind === 'restored' ? [outcome.location.id] : [],
      );
      if (ids.length > 0) await good.moveLocations(mapId, { ids, position: { kind: 'end' } }, now, scope);
      return result;
    },
  })),
  broken('purging removes nothing', (good) => ({
    purgeLocations: async (mapId, ids, scope) => {
      const trashed = await good.findTrashed(mapId, ids, scope);
      const known = await good.purgeLocations(mapId, [], scope);
      if (known.kind !== 'done') return known;
      return { kind: 'done', purgedIds: [...new Set(ids.filter((_, index) => trashed[index] !== null))] };
    },
  })),
  broken('purging reports unknown ids', (good) => ({
    purgeLocations: async (mapId, ids, scope) => {
      const result = await good.purgeLocations(mapId, ids, scope);
      return result.kind === 'done' ? { ...result, purgedIds: ids } : result;
    },
  })),

  broken('nothing is removed', () => ({
    removeOldHistory: async () => ({ removed: 0, next: null }),
  })),
  broken('a walk ends after its first step', (good) => ({
    removeOldHistory: async (...args) => ({ ...(await good.removeOldHistory(...args)), next: null }),
  })),
  broken('what was removed is not counted', (good) => ({
    removeOldHistory: async (...args) => ({ ...(await good.removeOldHistory(...args)), removed: 0 }),
  })),
  limits('old records stay', (given) => ({ ...given, recordsSince: 0 })),
  limits('old versions stay', (given) => ({ ...given, versionsSince: 0 })),
  limits('the trash is never emptied', (given) => ({ ...given, trashSince: 0 })),
  limits('versions without number stay', (given) => ({ ...given, mostVersions: 1_000 })),
  limits('one version more is removed', ({ mostVersions, ...given }) => ({
    ...given,
    mostVersions: mostVersions - 1,
  })),
  limits('records of the first millisecond are removed', ({ recordsSince, ...given }) => ({
    ...given,
    recordsSince: recordsSince + 1,
  })),
  limits('the trash goes with the versions', (given) => ({ ...given, trashSince: given.versionsSince })),

  dumping('a dump has no versions', ({ kind }) => kind === 'version'),
  dumping('a dump has no records', ({ kind }) => kind === 'history'),
  dumping('a dump has no changes of calls', ({ kind }) => kind === 'changes'),
  broken('a loaded version is in the trash beside its location', (good) => ({
    load: (items) =>
      good.load([
        ...items.filter(({ kind }) => kind !== 'location'),
        ...items.filter(({ kind }) => kind === 'location'),
      ]),
  })),
  broken('readers see all entries that calls keep', (good) => ({
    readChanges: (mapId, after, limit, scope) =>
      good.readChanges(mapId, after, limit, { ...scope, removedUntil: -1 }),
  })),
];
