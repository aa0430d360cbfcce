/** Finds out, by this process's own clock, which open writes of maps' logs take so long that nobody waits for them. */

import { LRUCache } from 'lru-cache';

import type { OpenChanges } from './map-log.ts';

/**
 * Far longer than the statements of a write take, and so short that a place whose writer died is settled within two
 * seconds. A writer that does come later finds out, and begins again (judge-changes.ts).
 */
export const LATE_MS = 1_200;
const MAPS = 10_000;

export class LateWrites {
  readonly #lateMs: number;
  readonly #onLate: (mapId: string, writeId: string) => void;
  /** Of each map, since when its open writes are known, on the clock of `performance`. */
  readonly #seen = new LRUCache<string, ReadonlyMap<string, number>>({ max: MAPS });

  constructor(lateMs: number, onLate: (mapId: string, writeId: string) => void) {
    this.#lateMs = lateMs;
    this.#onLate = onLate;
  }

  /** @param open all of a map's open writes; what is not among them is forgotten */
  notice(mapId: string, open: readonly Pick<OpenChanges, 'id'>[]): void {
    const before = this.#seen.get(mapId);
    if (open.length === 0) {
      if (before !== undefined) this.#seen.delete(mapId);
      return;
    }
    const now = performance.now();
    const since = new Map(open.map(({ id }) => [id, before?.get(id) ?? now]));
    this.#seen.set(mapId, since);
    for (const [id, seen] of since) if (now - seen >= this.#lateMs) this.#onLate(mapId, id);
  }
}
