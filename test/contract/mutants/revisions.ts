/** Mutants with a wrong revision of a map's list. */

import type { Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

const mutant = (name: string, breaks: (good: Storage) => Partial<Storage>): Mutant => ({
  name,
  topic: 'revisions',
  breaks,
});

const ALL = { limit: 1_000, fromEnd: false, after: null, before: null };

export const revisionMutants: readonly Mutant[] = [
  mutant('a revision is the number of locations', (good) => ({
    listRevision: async (mapId) => String(await good.countLocations(mapId)),
  })),
  mutant('a revision depends only on the set of locations', (good) => ({
    listRevision: async (mapId) => (await good.listLocations(mapId, ALL)).map(({ id }) => id).join(),
  })),
  mutant('a revision is the time of the last change', (good) => ({
    listRevision: async (mapId) =>
      String(Math.max(0, ...(await good.listLocations(mapId, ALL)).map(({ updatedAt }) => updatedAt))),
  })),
  mutant('a revision differs on each read', () => {
    let reads = 0;
    return { listRevision: async () => String((reads += 1)) };
  }),
  mutant('a revision covers all maps', (good) => ({
    listRevision: async () => {
      const found: string[] = [];
      for await (const item of good.dump(0)) {
        if (item.kind === 'location') found.push(JSON.stringify(item.location));
        if (item.kind === 'map') found.push(await good.listRevision(item.map.id));
      }
      return found.join();
    },
  })),
  mutant('an unknown map has a revision', (good) => ({
    listRevision: async (mapId) => (await good.listRevision(mapId)) || 'none',
  })),
];
