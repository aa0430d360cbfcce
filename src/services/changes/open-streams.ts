/** The open subscriptions of this process, which end when their caller may no longer read the map. */

import type { Storage } from '../../storage/storage.ts';
import { roleOn } from '../authorization.ts';
import type { Caller } from '../caller.ts';
import { mapNotFound } from '../caller.ts';
import type { Follower } from './follower.ts';

/** Milliseconds between checks; a member who is removed is noticed within twice this time. */
const CHECK_EVERY_MS = 1_000;

interface OpenStream {
  readonly follower: Follower;
  readonly caller: Caller;
  readonly mapId: string;
}

export class OpenStreams {
  readonly #storage: Pick<Storage, 'getMaps'>;
  readonly #checkEveryMs: number;
  readonly #streams = new Set<OpenStream>();
  #timer: NodeJS.Timeout | null = null;
  #isChecking = false;

  /** @param checkEveryMs milliseconds */
  constructor(storage: Pick<Storage, 'getMaps'>, checkEveryMs = CHECK_EVERY_MS) {
    this.#storage = storage;
    this.#checkEveryMs = checkEveryMs;
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => void this.#check(), this.#checkEveryMs).unref();
  }

  close(): void {
    this.#streams.clear();
    this.#stopTimer();
  }

  /** Reads each map once, however many streams it has. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      for (const stream of this.#streams) if (stream.follower.hasEnded) this.#streams.delete(stream);
      if (this.#streams.size === 0) return this.#stopTimer();
      // A stream that is opened during the read is authorized by itself.
      const streams = [...this.#streams];
      const ids = [...new Set(streams.map(({ mapId }) => mapId))];
      const maps = await this.#storage.getMaps(ids);
      const mapsById = new Map(ids.map((id, index) => [id, maps[index] ?? null]));
      for (const { follower, caller, mapId } of streams) {
        const map = mapsById.get(mapId) ?? null;
        if (map === null || roleOn(caller, map) === null) follower.stop(mapNotFound());
      }
    } catch {
      // The store fails: followers report that, and the next check reads again.
    } finally {
      this.#isChecking = false;
    }
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
