/**
 * What the works of one transaction leave to be written at its end. Several works on one list then share a row of the map
 * and a row of its log.
 */

import type { IndexChange } from './location-records.ts';
import type { ListHead } from './list.ts';

export class PendingChanges {
  /** Of the locations' indexes, in the order in which they were made. */
  readonly indexChanges: IndexChange[] = [];
  /** By map. A head is never changed: another takes its place. */
  readonly heads = new Map<string, ListHead>();

  /** @returns a function that forgets what comes from now on */
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
