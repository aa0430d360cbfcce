/**
 * Keeps external ids unique in a map. A backup that is not of one moment may have an id twice: it moved from one location
 * to another while the backup was made.
 */

import type { LocationRecord } from '../../domain/location.ts';
import type { Storage, StoredItem } from '../../storage/storage.ts';

export interface DistinctExternalIds {
  /** Removes external ids that an earlier location has. */
  inBatch(batch: readonly StoredItem[]): Promise<readonly StoredItem[]>;
  /** Number of external ids removed so far. */
  removed(): number;
}

export function distinctExternalIds(target: Storage): DistinctExternalIds {
  let removed = 0;
  const inBatch = async (batch: readonly StoredItem[]): Promise<readonly StoredItem[]> => {
    const taken = await readTaken(target, batch);
    return batch.map((item) => {
      if (item.kind !== 'location' || item.location.externalId === null) return item;
      const name = nameOf(item.location, item.location.externalId);
      if (!taken.has(name)) {
        taken.add(name);
        return item;
      }
      removed += 1;
      return { kind: 'location', location: { ...item.location, externalId: null } };
    });
  };
  return { inBatch, removed: () => removed };
}

/** External ids of the batch that stored locations have. */
async function readTaken(target: Storage, batch: readonly StoredItem[]): Promise<Set<string>> {
  const wanted = new Map<string, string[]>();
  for (const item of batch) {
    if (item.kind !== 'location' || item.location.externalId === null) continue;
    const { mapId, externalId } = item.location;
    const ofMap = wanted.get(mapId);
    if (ofMap === undefined) wanted.set(mapId, [externalId]);
    else ofMap.push(externalId);
  }
  const taken = new Set<string>();
  for (const [mapId, externalIds] of wanted) {
    for (const found of await target.findLocationsByExternalIds(mapId, externalIds)) {
      if (found !== null && found.externalId !== null) taken.add(nameOf(found, found.externalId));
    }
  }
  return taken;
}

function nameOf({ mapId }: Pick<LocationRecord, 'mapId'>, externalId: string): string {
  return `${mapId} ${externalId}`;
}
