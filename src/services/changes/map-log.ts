/** One map's log of changes, as long as somebody follows it: a store that fails is asked again. */

import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeLog, ChangeOffset, ChangesRead, LoggedChange } from '../../storage/changes.ts';
import type { Storage } from '../../storage/storage.ts';
import type { LocationChange } from './location-change.ts';
import { changeOf } from './location-change.ts';

/** What following changes needs of a store. */
export type ChangeStorage = ChangeLog & Pick<Storage, 'getLocations'>;

/** Milliseconds until a store that has failed is asked again. */
const AGAIN_MS = 1_000;

export class MapLog {
  readonly mapId: string;
  readonly #storage: ChangeStorage;
  readonly #onFailure: (error: unknown) => void;
  readonly #closing = new AbortController();

  /** @param onFailure told each time that the store fails */
  constructor(mapId: string, storage: ChangeStorage, onFailure: (error: unknown) => void) {
    this.mapId = mapId;
    this.#storage = storage;
    this.#onFailure = onFailure;
  }

  readChanges(after: ChangeOffset, limit: number): Promise<ChangesRead> {
    return this.#patiently(() => this.#storage.readChanges(this.mapId, after, limit));
  }

  lastChange(): ReturnType<ChangeLog['lastChange']> {
    return this.#patiently(() => this.#storage.lastChange(this.mapId));
  }

  /** The changes with their locations as they stand now: one entry for each. */
  async load(changes: readonly LoggedChange[]): Promise<readonly LocationChange[]> {
    const ids = [
      ...new Set(changes.flatMap(({ kind, locationId }) => (kind === 'deleted' ? [] : [locationId]))),
    ];
    const found =
      ids.length === 0 ? [] : await this.#patiently(() => this.#storage.getLocations(this.mapId, ids));
    const locations = new Map(ids.map((id, index) => [id, found[index] ?? null]));
    return changes.map((change) => changeOf(this.mapId, change, locations.get(change.locationId) ?? null));
  }

  /** What waits for the store then rejects. */
  close(): void {
    this.#closing.abort();
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.#closing.signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (!this.#closing.signal.aborted) this.#onFailure(error);
        await delay(AGAIN_MS, undefined, { signal: this.#closing.signal });
      }
    }
  }
}
