/** Mutants with a wrong change log. */

import type { ChangesRead, LoggedChange } from '../../../src/storage/changes.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

/** Changes what a store reads from its log. */
function reading(
  name: string,
  change: (changes: readonly LoggedChange[]) => readonly LoggedChange[],
): Mutant {
  return {
    name,
    topic: 'change log',
    breaks: (good) => ({
      readChanges: async (...args) => {
        const read = await good.readChanges(...args);
        return read.kind === 'changes' ? { ...read, changes: change(read.changes) } : read;
      },
    }),
  };
}

function broken(name: string, breaks: (good: Storage) => Partial<Storage>): Mutant {
  return { name, topic: 'change log', breaks };
}

const NOTHING: ChangesRead = { kind: 'changes', changes: [] };

export const changeLogMutants: readonly Mutant[] = [
  reading('deletions are not logged', (changes) => changes.filter(({ kind }) => kind !== 'deleted')),
  reading('moves are updates', (changes) =>
    changes.map((change) => (change.kind === 'moved' ? { ...change, kind: 'updated' } : change)),
  ),
  reading('the changes of one call are reversed', (changes) =>
    changes.toSorted((a, b) => a.changedAt - b.changedAt || b.number - a.number),
  ),
  {
    ...reading('the deletions of one call are logged in reverse', (changes) => {
      const ids = changes.flatMap(({ kind, locationId }) => (kind === 'deleted' ? [locationId] : []));
      return changes.map((change) =>
        change.kind === 'deleted' ? { ...change, locationId: ids.pop() ?? '' } : change,
      );
    }),
    topic: 'order of changes in a call',
  },
  reading('the second of two changes is skipped', (changes) =>
    changes.length === 2 ? changes.slice(0, 1) : changes,
  ),
  broken('the change at the offset is read again', (good) => ({
    readChanges: (mapId, after, ...rest) =>
      good.readChanges(mapId, after.number === 3 ? { ...after, number: 2 } : after, ...rest),
  })),
  broken('a page exceeds its limit', (good) => ({
    readChanges: (mapId, after, limit) => good.readChanges(mapId, after, limit + 1),
  })),
  broken('an unknown offset is the end', (good) => ({
    readChanges: async (...args) => {
      const read = await good.readChanges(...args);
      return read.kind === 'too-old' ? NOTHING : read;
    },
  })),
  broken('a deleted map has a log', (good) => ({
    readChanges: async (...args) => {
      const read = await good.readChanges(...args);
      return read.kind === 'map-deleted' ? NOTHING : read;
    },
  })),
  broken('old changes stay', () => ({ removeOldChanges: () => Promise.resolve() })),
  broken('all changes are old', (good) => ({
    removeOldChanges: () => good.removeOldChanges(Number.MAX_SAFE_INTEGER),
  })),
  broken('readers begin at the start', (good) => ({
    lastChange: async (mapId, scope) => {
      const last = await good.lastChange(mapId, scope);
      return last.kind === 'place' ? { ...last, place: { number: 0, stamp: '0' } } : last;
    },
  })),
  broken('watchers are not notified of a deleted map', (good) => ({
    watchChanges: (onChange) =>
      good.watchChanges((mapId) => {
        void good.getMaps([mapId]).then(([map]) => {
          if (map?.isDeleted === false) onChange(mapId);
        });
      }),
  })),
  broken('watchers are notified of all maps', (good) => ({
    watchChanges: (onChange) => {
      const watched = new Set<string>();
      const watch = good.watchChanges(() => watched.forEach((mapId) => onChange(mapId)));
      return { ...watch, add: (mapId) => watch.add((watched.add(mapId), mapId)) };
    },
  })),
];
