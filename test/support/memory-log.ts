/** A log of one map's changes in memory, with the locations that it is about. */

import type { LocationRecord } from '../../src/domain/location.ts';
import type { ChangeStorage } from '../../src/services/changes/map-log.ts';
import type { ChangeOffset, LoggedChange } from '../../src/storage/changes.ts';

export interface MemoryLog {
  readonly storage: ChangeStorage;
  /** How often each was called since the last `forget`. */
  readonly calls: { readChanges: number; getLocations: number };
  /** Maps that are watched now. */
  readonly watched: Set<string>;
  /** Writes changes in one go, and tells who watches. */
  append(count: number, kind?: LoggedChange['kind']): readonly LoggedChange[];
  place(): ChangeOffset;
  /** Nothing before the last change is there any more. */
  cut(): void;
  /** The log is another one from now on. */
  beginAnew(): void;
  deleteMap(): void;
  /** As after a deletion by another process: nobody is told. */
  restoreMap(): void;
  /** The next calls of `readChanges` fail. */
  failReads(times: number): void;
}

export function createMemoryLog(mapId: string): MemoryLog {
  let stamp = 'a1';
  let changes: LoggedChange[] = [];
  let number = 0;
  let first = 0;
  let isDeleted = false;
  let failures = 0;
  const calls = { readChanges: 0, getLocations: 0 };
  const watched = new Set<string>();
  const listeners = new Set<(mapId: string) => void>();
  const tell = () => {
    for (const listener of listeners) listener(mapId);
  };
  const place = (): ChangeOffset => ({ number, stamp });
  const storage: ChangeStorage = {
    readChanges: (_mapId, after, limit) => {
      calls.readChanges += 1;
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(new Error('The store is away.'));
      }
      if (isDeleted) return Promise.resolve({ kind: 'map-deleted' });
      if (after.stamp !== stamp || after.number < first || after.number > number) {
        return Promise.resolve({ kind: 'too-old' });
      }
      const found = changes.filter((change) => change.number > after.number).slice(0, limit);
      return Promise.resolve({ kind: 'changes', changes: found });
    },
    lastChange: () =>
      Promise.resolve(isDeleted ? { kind: 'map-deleted' } : { kind: 'place', place: place() }),
    watchChanges(onChange) {
      listeners.add(onChange);
      return {
        add: (id) => void watched.add(id),
        remove: (id) => void watched.delete(id),
        close() {
          listeners.delete(onChange);
          watched.clear();
        },
      };
    },
    removeOldChanges: () => Promise.resolve(),
    getLocations: (_mapId, ids) => {
      calls.getLocations += 1;
      return Promise.resolve(ids.map((id) => locationOf(mapId, id)));
    },
  };
  return {
    storage,
    calls,
    watched,
    append(count, kind = 'created') {
      const added = Array.from({ length: count }, () => {
        // With gaps, as a real log has them.
        number += 3;
        return { kind, locationId: `${mapId}_${number}`, changedAt: 0, number, stamp };
      });
      changes.push(...added);
      tell();
      return added;
    },
    place,
    cut() {
      changes = changes.slice(-1);
      first = changes[0]?.number ?? number;
    },
    beginAnew() {
      stamp = 'b2';
      changes = [];
      number = 0;
      first = 0;
      tell();
    },
    deleteMap() {
      isDeleted = true;
      tell();
    },
    restoreMap() {
      isDeleted = false;
    },
    failReads(times) {
      failures = times;
    },
  };
}

function locationOf(mapId: string, id: string): LocationRecord {
  return {
    ...{ id, mapId, name: 'Name', placeId: 'place', latitude: 1, longitude: 2, properties: {} },
    ...{ externalId: null, version: 1, createdAt: 0, updatedAt: 0, order: '1', orderKey: '1', sequence: 1 },
    geocoding: { provider: 'fake', precision: 'rooftop' },
  };
}
