/** The subscriptions of this process: one watch of the store, and one log reader per map with subscribers. */

import type { ChangeOffset, ChangeWatch } from '../../storage/changes.ts';
import type { Reader } from './follower.ts';
import { Follower } from './follower.ts';
import type { ChangeStorage } from './map-log.ts';
import { MapLog } from './map-log.ts';
import { Tail } from './tail.ts';

/** Changes that may wait for a subscriber that has caught up. */
const MAX_WAITING = 1_000;

interface Followed {
  readonly tail: Tail;
  followers: number;
}

export interface FeedOptions {
  readonly storage: ChangeStorage;
  /** Called each time the store fails while changes are followed; the read is retried. */
  readonly onFailure: (error: unknown) => void;
}

export class ChangeFeed {
  readonly #options: FeedOptions;
  readonly #followed = new Map<string, Followed>();
  /** Null without subscribers, so that the store need not poll. */
  #watch: ChangeWatch | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /**
   * @param place offset after which changes are sent: one that was just read from the log, or one of a cursor
   * @param last the log's last offset, just read
   * @param isNew whether to send `resync` first
   */
  follow(mapId: string, place: ChangeOffset, last: ChangeOffset, isNew: boolean, reader: Reader): Follower {
    const followed = this.#followed.get(mapId) ?? this.#open(mapId, last);
    followed.followers += 1;
    const follower = new Follower(followed.tail, place, isNew, reader, MAX_WAITING);
    // There may be writes since the last offset was read.
    followed.tail.poll();
    return follower;
  }

  close(): void {
    for (const { tail } of this.#followed.values()) tail.close();
    this.#followed.clear();
    this.#endWatch();
  }

  #open(mapId: string, last: ChangeOffset): Followed {
    this.#watch ??= this.#options.storage.watchChanges((changed) => this.#followed.get(changed)?.tail.poll());
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
