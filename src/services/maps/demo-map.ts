/** The demo map that the first start creates. The store remembers its id, so that every start can link to it. */

import { isPublic } from '../../domain/public-view.ts';
import type { OwnerRecord, Storage, StorageScope } from '../../storage/storage.ts';

const DEMO_MAP = 'demo-map';

export interface DemoMap {
  readonly id: string;
  readonly name: string;
}

export interface DemoMapService {
  remember(mapId: string): Promise<void>;
  /** Null if there is none, or if it is deleted or unpublished. */
  findPublished(scope?: StorageScope): Promise<DemoMap | null>;
  /** The owner of the demo map; null if there was none. */
  findOwner(): Promise<OwnerRecord | null>;
  /** Makes somebody an owner of the demo map, beside the others. Does nothing if there is none, or if it is full. */
  addOwner(ownerId: string, now: number): Promise<void>;
}

export function createDemoMapService(storage: Storage): DemoMapService {
  const find = async (scope?: StorageScope) => {
    const id = await storage.getMeta(DEMO_MAP);
    const [map = null] = id === null ? [] : await storage.getMaps([id], scope);
    return map;
  };
  return {
    remember: (mapId) => storage.setMeta(DEMO_MAP, mapId),
    async findPublished(scope) {
      const map = await find(scope);
      return map !== null && isPublic(map) ? { id: map.id, name: map.name } : null;
    },
    async findOwner() {
      const map = await find();
      return map === null ? null : storage.findOwner(map.ownerId);
    },
    async addOwner(ownerId, now) {
      const map = await find();
      if (map === null) return;
      await storage.changeMembers(map.id, { kind: 'set', ownerId, role: 'owner', since: now }, now);
    },
  };
}
