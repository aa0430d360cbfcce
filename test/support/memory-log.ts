/** An in-memory log of one map's changes, with its locations. */

import type { LocationRecord } from '../../src/domain/location.ts';
import type { ChangeStorage } from '../../src/services/changes/map-log.ts';
import type { ChangeOffset, LoggedChange } from '../../src/storage/changes.ts';

export interface MemoryLog {
  readonly storage: ChangeStorage;
  /** The number of calls of each method. */
  readonly calls: { readChanges: number; getLocations: number };
  /** The maps being watched. */
  readonly watched: Set<string>;
  /** Writes changes together, and notifies watchers. */
  append(count: number, kind?: LoggedChange['kind']): readonly LoggedChange[];
  place(): ChangeOffset;
  /** Deletes all changes before the last one. */
  cut(): void;
  /** Starts a new log with another stamp. */
  reset(): void;
  deleteMap(): void;
  /** Restores the map as another process would, without notification. */
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
  const notify = () => {
    for (const listener of listeners) listener(mapId);
  };
  const place = (): ChangeOffset => ({ number, stamp });
  const storage: ChangeStorage = {
    readChanges: (_mapId, after, limit) => {
      calls.readChanges += 1;
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(new Error('The store is unavailable.'));
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
        // With gaps, as in a real log.
        number += 3;
        return { kind, locationId: `${mapId}_${number}`, changedAt: 0, number, stamp };
      });
      changes.push(...added);
      notify();
      return added;
    },
    place,
    cut() {
      changes = changes.slice(-1);
      first = changes[0]?.number ?? number;
    },
    reset() {
      stamp = 'b2';
      changes = [];
      number = 0;
      first = 0;
      notify();
    },
    deleteMap() {
      isDeleted = true;
      notify();
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
    geocoding: {
      provider: 'fake',
      precision: 'rooftop',
      label: null,
      isAmbiguous: false,
      isChecked: false,
    },
  };
}
