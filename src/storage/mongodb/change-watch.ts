/**
 * Detects maps whose change log has grown, whichever process wrote: polls the documents of all watched maps with one query,
 * at an interval and when the change stream reports one of them.
 */

import type { ChangeWatch } from '../changes.ts';
import { WatchedMaps } from '../watched-maps.ts';
import type { ChangeListener, ChangeStreamNotifier } from './change-stream-notifier.ts';
import type { Database } from './database.ts';
import type { MapDocument } from './schema.ts';
import type { MapWrites } from './writes/map-writes.ts';
import { EMPTY_LOG } from './writes/map-log.ts';

/** Milliseconds between polls. */
export interface PollIntervals {
  readonly withoutNotifier: number;
  /** While the notifier is healthy and no write is open. */
  readonly withNotifier: number;
}

/**
 * A crashed write is recovered within two seconds even if a healthy notifier misses it: 0.5 s until a poll sees it, 1.2 s
 * until it is late (writes/late-writes.ts), and the next poll.
 */
const INTERVALS: PollIntervals = { withoutNotifier: 200, withNotifier: 500 };
/** Leaves out the entries of open writes, which may be many. */
const LOG_PROJECTION = {
  isDeleted: 1,
  'log.id': 1,
  'log.last': 1,
  'log.open.id': 1,
  'log.open.first': 1,
} as const;

export interface WatchParts {
  readonly database: Pick<Database, 'run'>;
  readonly writes: Pick<MapWrites, 'noticeOpen'>;
  readonly notifier: Pick<ChangeStreamNotifier, 'isHealthy' | 'listen' | 'unlisten'>;
  readonly intervals?: PollIntervals;
}

export function watchChanges(parts: WatchParts, onChange: (mapId: string) => void): ChangeWatch {
  return new ChangePoller(parts, onChange);
}

class ChangePoller implements ChangeWatch, ChangeListener {
  readonly #parts: WatchParts;
  readonly #intervals: PollIntervals;
  readonly #watched: WatchedMaps;
  #isPolling = false;
  #isNotified = false;
  /** False until every map was polled, and while a write is open: only polling detects a crashed writer. */
  #isQuiet = false;

  constructor(parts: WatchParts, onChange: (mapId: string) => void) {
    this.#parts = parts;
    this.#intervals = parts.intervals ?? INTERVALS;
    this.#watched = new WatchedMaps({
      lookEveryMs: this.#intervals.withoutNotifier,
      look: () => void this.#poll(),
      onChange,
    });
  }

  add(mapId: string): void {
    this.#isQuiet = false;
    this.#updateInterval();
    this.#watched.add(mapId);
    this.#parts.notifier.listen(this);
  }

  remove(mapId: string): void {
    this.#watched.remove(mapId);
    this.#unlistenWhenIdle();
  }

  close(): void {
    this.#watched.close();
    this.#unlistenWhenIdle();
  }

  onChange(mapIds: ReadonlySet<string>): void {
    if (!this.#watched.ids.some((mapId) => mapIds.has(mapId))) return;
    this.#isNotified = true;
    void this.#poll();
  }

  onHealthChange(): void {
    this.#updateInterval();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    do {
      await this.#pollOnce();
      // A notification during the query may be for a later change.
    } while (this.#isNotified);
    this.#isPolling = false;
    this.#updateInterval();
  }

  async #pollOnce(): Promise<void> {
    const { database, writes } = this.#parts;
    this.#isNotified = false;
    // Before the query: `add` resets it.
    this.#isQuiet = true;
    try {
      const { ids } = this.#watched;
      const found = await database.run(({ maps }) =>
        maps
          .find({ _id: { $in: [...ids] } })
          .project<Pick<MapDocument, '_id' | 'isDeleted' | 'log'>>(LOG_PROJECTION)
          .hint('_id_')
          .toArray(),
      );
      const byId = new Map(found.map((map) => [map._id, map]));
      for (const mapId of ids) {
        const map = byId.get(mapId);
        const open = map?.log?.open ?? [];
        if (open.length > 0) this.#isQuiet = false;
        if (map !== undefined) writes.noticeOpen(mapId, open);
        this.#watched.tell(mapId, map && stateOf(map));
      }
    } catch {
      // Database unavailable: readers get the error, and the next poll detects what was missed.
      this.#isQuiet = false;
    }
  }

  #updateInterval(): void {
    const { withNotifier, withoutNotifier } = this.#intervals;
    this.#watched.lookEvery(this.#parts.notifier.isHealthy && this.#isQuiet ? withNotifier : withoutNotifier);
  }

  #unlistenWhenIdle(): void {
    if (this.#watched.ids.length === 0) this.#parts.notifier.unlisten(this);
  }
}

function stateOf({ log, isDeleted }: Pick<MapDocument, 'isDeleted' | 'log'>): string {
  const { id, last, open } = log ?? EMPTY_LOG;
  const end = Math.min(last, ...open.map(({ first }) => first - 1));
  return `${id} ${end} ${String(isDeleted)}`;
}
