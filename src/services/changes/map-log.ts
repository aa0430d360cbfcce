/** Reads the change log of one map while it has subscribers. Failed store calls are retried. */

import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeLog, ChangeOffset, ChangesRead, LoggedChange } from '../../storage/changes.ts';
import { CHANGES_READABLE_MS } from '../../storage/changes.ts';
import type { Storage } from '../../storage/storage.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { encodeChangeCursor } from '../../domain/paging/cursor.ts';

/** The part of the store that subscriptions need. */
export type ChangeStorage = ChangeLog & Pick<Storage, 'getLocations'>;

/** Milliseconds between retries of a failed store call. */
const RETRY_MS = 1_000;

export class MapLog {
  readonly mapId: string;
  readonly #storage: ChangeStorage;
  readonly #onFailure: (error: unknown) => void;
  readonly #closing = new AbortController();

  /** @param onFailure called each time the store fails */
  constructor(mapId: string, storage: ChangeStorage, onFailure: (error: unknown) => void) {
    this.mapId = mapId;
    this.#storage = storage;
    this.#onFailure = onFailure;
  }

  readChanges(after: ChangeOffset, limit: number): Promise<ChangesRead> {
    const removedUntil = Date.now() - CHANGES_READABLE_MS;
    return this.#retry(() => this.#storage.readChanges(this.mapId, after, limit, { removedUntil }));
  }

  lastChange(): ReturnType<ChangeLog['lastChange']> {
    return this.#retry(() => this.#storage.lastChange(this.mapId));
  }

  /** One entry per change, with the current state of its location. */
  async load(changes: readonly LoggedChange[]): Promise<readonly LocationChange[]> {
    const ids = [
      ...new Set(changes.flatMap(({ kind, locationId }) => (kind === 'deleted' ? [] : [locationId]))),
    ];
    const found =
      ids.length === 0 ? [] : await this.#retry(() => this.#storage.getLocations(this.mapId, ids));
    const locations = new Map(ids.map((id, index) => [id, found[index] ?? null]));
    return changes.map((change) => changeOf(this.mapId, change, locations.get(change.locationId) ?? null));
  }

  /** Rejects all pending reads. */
  close(): void {
    this.#closing.abort();
  }

  async #retry<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.#closing.signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (!this.#closing.signal.aborted) this.#onFailure(error);
        await delay(RETRY_MS, undefined, { signal: this.#closing.signal });
      }
    }
  }
}

/** Changes that were read once for all subscribers. Their locations are loaded on first use. */
export class ChangesPage {
  /** In log order. */
  readonly changes: readonly LoggedChange[];
  readonly #log: MapLog;
  #loaded: Promise<readonly LocationChange[]> | null = null;

  constructor(log: MapLog, changes: readonly LoggedChange[]) {
    this.#log = log;
    this.changes = changes;
  }

  /** One entry per change. All subscribers get the same objects. */
  get loaded(): Promise<readonly LocationChange[]> {
    this.#loaded ??= this.#log.load(this.changes);
    return this.#loaded;
  }

  /** Index of the first change after an offset; the number of changes if there is none. */
  firstAfter({ number }: ChangeOffset): number {
    const index = this.changes.findIndex((change) => change.number > number);
    return index === -1 ? this.changes.length : index;
  }
}

export interface LocationChange {
  readonly cursor: string;
  /** `resync`: changes were skipped, so the client must read the map again. */
  readonly kind: LoggedChange['kind'] | 'resync';
  /** Null for a `resync`. */
  readonly locationId: string | null;
  /** Its state when it was loaded, at or after the change; null if it was deleted, and for a `resync`. */
  readonly location: LocationRecord | null;
}

function changeOf(mapId: string, change: LoggedChange, location: LocationRecord | null): LocationChange {
  const { kind, locationId } = change;
  return { cursor: encodeChangeCursor(mapId, change), kind, locationId, location };
}

export function resyncAt(mapId: string, place: ChangeOffset): LocationChange {
  return { cursor: encodeChangeCursor(mapId, place), kind: 'resync', locationId: null, location: null };
}
