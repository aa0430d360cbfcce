/** Detects open writes that take too long, by this process's own clock. */

import { LRUCache } from 'lru-cache';

import type { OpenChanges } from '../schema.ts';

/**
 * Far longer than the statements of a write take, yet a crashed write is recovered within two seconds. A writer that is only
 * slow meets a fence and starts again (recovery.ts).
 */
export const LATE_MS = 1_200;
const MAPS = 10_000;

export class LateWrites {
  readonly #lateMs: number;
  readonly #onLate: (mapId: string, writeId: string) => void;
  /** For each map, when its open writes were first seen, by `performance.now()`. */
  readonly #seen = new LRUCache<string, ReadonlyMap<string, number>>({ max: MAPS });

  constructor(lateMs: number, onLate: (mapId: string, writeId: string) => void) {
    this.#lateMs = lateMs;
    this.#onLate = onLate;
  }

  /** @param open all open writes of the map; others are forgotten */
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
