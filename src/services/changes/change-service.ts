/** Subscriptions to the changes of a map's locations: authorization and the starting offset. */

import { decodeChangeCursor } from '../../domain/paging/cursor.ts';
import { authorize } from '../authorization.ts';
import { mapUnavailableError } from '../caller.ts';
import type { Scope } from '../scope.ts';
import type { Storage } from '../../storage/storage.ts';
import { ChangeFeed } from './feed.ts';
import type { Reader } from './follower.ts';
import type { ChangeStorage, LocationChange } from './map-log.ts';
import { OpenStreams } from './open-streams.ts';

export type { LocationChange } from './map-log.ts';
export type { Reader } from './follower.ts';
export { SlowReaderError } from './follower.ts';

export interface ChangeService {
  /**
   * The changes of a map from now on, or after a cursor. Without a cursor, or with one that is too old, `resync` comes
   * first. Subscribers that have caught up share the objects. Ends with MAP_DELETED, with MAP_NOT_FOUND when the caller is no
   * longer a member of the map, or with a SlowReaderError.
   *
   * @throws ServiceError as reads of the map's locations do; BAD_USER_INPUT if `since` is not a cursor of the map
   */
  follow(
    scope: Scope,
    mapId: string,
    since: string | null,
    reader: Reader,
  ): Promise<AsyncIterableIterator<LocationChange>>;
  /** Ends all subscriptions. Call it before the store is closed. */
  close(): void;
}

export interface ChangeServiceOptions {
  readonly storage: ChangeStorage & Storage;
  /** Called each time the store fails while changes are followed; the read is retried. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds between checks whether callers may still read their maps. */
  readonly checkEveryMs?: number;
}

export function createChangeService({
  storage,
  onFailure,
  checkEveryMs,
}: ChangeServiceOptions): ChangeService {
  const feed = new ChangeFeed({ storage, onFailure });
  const streams = new OpenStreams(storage, checkEveryMs);
  return {
    async follow(scope, mapId, since, reader) {
      const { caller } = await authorize(storage, scope, mapId, { role: 'viewer' });
      const place = since === null ? null : decodeChangeCursor(mapId, since, 'since');
      const last = await storage.lastChange(mapId, scope);
      if (last.kind !== 'place') throw mapUnavailableError(last);
      const follower = feed.follow(mapId, place ?? last.place, last.place, place === null, reader);
      streams.add({ follower, caller, mapId });
      return follower;
    },
    close: () => {
      streams.close();
      feed.close();
    },
  };
}
