/** All who follow changes in this process: one watcher of the store, and one reader for each map that is followed. */

import type { ChangeOffset, ChangeWatch } from '../../storage/changes.ts';
import type { Reader } from './follower.ts';
import { Follower } from './follower.ts';
import type { ChangeStorage } from './map-log.ts';
import { MapLog } from './map-log.ts';
import { Tail } from './tail.ts';

/** Changes that may wait for a subscriber who had caught up. */
const MAX_WAITING = 1_000;

interface Followed {
  readonly tail: Tail;
  followers: number;
}

export interface FeedOptions {
  readonly storage: ChangeStorage;
  /** Told each time that the store fails while changes are followed; it is asked again. */
  readonly onFailure: (error: unknown) => void;
}

export class ChangeFeed {
  readonly #options: FeedOptions;
  readonly #followed = new Map<string, Followed>();
  /** Null while nobody follows: a store that nobody asks need not look. */
  #watch: ChangeWatch | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /**
   * @param place after which changes are told. It must be one that the log gave just now, or one that a cursor names
   * @param last the log's last place, as it was read just now
   * @param isNew true where the map is to be read first
   */
  follow(mapId: string, place: ChangeOffset, last: ChangeOffset, isNew: boolean, reader: Reader): Follower {
    const followed = this.#followed.get(mapId) ?? this.#begin(mapId, last);
    followed.followers += 1;
    const follower = new Follower(followed.tail, place, isNew, reader, MAX_WAITING);
    // Somebody may have written since the last place was read.
    followed.tail.look();
    return follower;
  }

  close(): void {
    for (const { tail } of this.#followed.values()) tail.close();
    this.#followed.clear();
    this.#endWatch();
  }

  #begin(mapId: string, last: ChangeOffset): Followed {
    this.#watch ??= this.#options.storage.watchChanges((changed) => this.#followed.get(changed)?.tail.look());
    this.#watch.add(mapId);
    const log = new MapLog(mapId, this.#options.storage, this.#options.onFailure);
    const followed = { tail: new Tail(log, last, () => this.#leave(mapId, followed)), followers: 0 };
    this.#followed.set(mapId, followed);
    return followed;
  }

  #leave(mapId: string, followed: Followed): void {
    followed.followers -= 1;
    if (followed.followers > 0 || this.#followed.get(mapId) !== followed) return;
    followed.tail.close();
    this.#followed.delete(mapId);
    this.#watch?.remove(mapId);
    if (this.#followed.size === 0) this.#endWatch();
  }

  #endWatch(): void {
    this.#watch?.close();
    this.#watch = null;
  }
}
