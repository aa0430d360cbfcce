/** The map that the first start made. The store remembers which it is, so that every start can say where to look. */

import { isPublic } from '../../domain/public-view.ts';
import type { Storage, StorageScope } from '../../storage/storage.ts';

const DEMO_MAP = 'demo-map';

export interface DemoMap {
  readonly id: string;
  readonly name: string;
}

export interface DemoMapService {
  remember(mapId: string): Promise<void>;
  /** Null where there is none, or where its owner has deleted it or taken it back from the public. */
  findPublished(scope?: StorageScope): Promise<DemoMap | null>;
}

export function createDemoMapService(storage: Storage): DemoMapService {
  return {
    remember: (mapId) => storage.setMeta(DEMO_MAP, mapId),
    async findPublished(scope) {
      const id = await storage.getMeta(DEMO_MAP);
      const [map = null] = id === null ? [] : await storage.getMaps([id], scope);
      return map !== null && isPublic(map) ? { id: map.id, name: map.name } : null;
    },
  };
}
