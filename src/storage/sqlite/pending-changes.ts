/**
 * What the writes of a transaction leave to be written before its commit, so that several writes to one list update the
 * map's row and append to its log once.
 */

import type { IndexChange } from './locations/location-records.ts';
import type { ListHead } from './locations/list.ts';

export class PendingChanges {
  /** Of the search indexes, in write order. */
  readonly indexChanges: IndexChange[] = [];
  /** By map id. Heads are replaced, never mutated, so that {@link mark} can copy the map. */
  readonly heads = new Map<string, ListHead>();

  /** @returns a function that discards everything added since */
  mark(): () => void {
    const count = this.indexChanges.length;
    const heads = [...this.heads];
    return () => {
      this.indexChanges.length = count;
      this.heads.clear();
      for (const [mapId, head] of heads) this.heads.set(mapId, head);
    };
  }

  clear(): void {
    this.indexChanges.length = 0;
    this.heads.clear();
  }
}
