/** Stores whose log of changes is not what happened. */

import type { ChangesRead, LoggedChange } from '../../../src/storage/changes.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

/** A store that reads its log so. */
function reading(
  name: string,
  change: (changes: readonly LoggedChange[]) => readonly LoggedChange[],
): Mutant {
  return {
    name,
    topic: 'log of changes',
    breaks: (good) => ({
      readChanges: async (...args) => {
        const read = await good.readChanges(...args);
        return read.kind === 'changes' ? { ...read, changes: change(read.changes) } : read;
      },
    }),
  };
}

function broken(name: string, breaks: (good: Storage) => Partial<Storage>): Mutant {
  return { name, topic: 'log of changes', breaks };
}

const NOTHING: ChangesRead = { kind: 'changes', changes: [] };

export const changeLogMutants: readonly Mutant[] = [
  reading('deletions are not logged', (changes) => changes.filter(({ kind }) => kind !== 'deleted')),
  reading('moves are updates', (changes) =>
    changes.map((change) => (change.kind === 'moved' ? { ...change, kind: 'updated' } : change)),
  ),
  reading('what one call changed comes the other way round', (changes) =>
    changes.toSorted((a, b) => a.changedAt - b.changedAt || b.number - a.number),
  ),
  {
    ...reading('deletions of one call are logged the other way round', (changes) => {
      const ids = changes.flatMap(({ kind, locationId }) => (kind === 'deleted' ? [locationId] : []));
      return changes.map((change) =>
        change.kind === 'deleted' ? { ...change, locationId: ids.pop() ?? '' } : change,
      );
    }),
    topic: 'order of the changes of a call',
  },
  reading('the second of two changes is passed', (changes) =>
    changes.length === 2 ? changes.slice(0, 1) : changes,
  ),
  broken('the place itself is read again', (good) => ({
    readChanges: (mapId, after, ...rest) =>
      good.readChanges(mapId, after.number === 3 ? { ...after, number: 2 } : after, ...rest),
  })),
  broken('a page is longer than asked for', (good) => ({
    readChanges: (mapId, after, limit) => good.readChanges(mapId, after, limit + 1),
  })),
  broken('an unknown place is the end', (good) => ({
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
  broken('nobody is told of a deleted map', (good) => ({
    watchChanges: (onChange) =>
      good.watchChanges((mapId) => {
        void good.getMaps([mapId]).then(([map]) => {
          if (map?.isDeleted === false) onChange(mapId);
        });
      }),
  })),
  broken('everybody is told of all', (good) => ({
    watchChanges: (onChange) => {
      const told = new Set<string>();
      const watch = good.watchChanges(() => told.forEach((mapId) => onChange(mapId)));
      return { ...watch, add: (mapId) => watch.add((told.add(mapId), mapId)) };
    },
  })),
];
