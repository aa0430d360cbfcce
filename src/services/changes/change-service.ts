/** Following the changes of a map's locations: who may, and from where. */

import { decodeChangeCursor } from '../../domain/paging/cursor.ts';
import { authorize } from '../authorization.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import type { Scope } from '../scope.ts';
import type { Storage } from '../../storage/storage.ts';
import { ChangeFeed } from './feed.ts';
import type { Reader } from './follower.ts';
import type { LocationChange } from './location-change.ts';
import type { ChangeStorage } from './map-log.ts';

export type { LocationChange } from './location-change.ts';
export type { Reader } from './follower.ts';
export { SlowReaderError } from './follower.ts';

export interface ChangeService {
  /**
   * The changes of a map from now on, or after a cursor; without one, or with one that is too old, `resync` comes first.
   * Everybody who has caught up is told of a change by the same object. It ends with MAP_DELETED, or with a
   * SlowReaderError.
   *
   * @throws ServiceError what reading the map's locations throws, and BAD_USER_INPUT for what is no cursor of the map
   */
  follow(
    scope: Scope,
    mapId: string,
    since: string | null,
    reader: Reader,
  ): Promise<AsyncIterableIterator<LocationChange>>;
  /** Ends the following of all; to be called before the store is closed. */
  close(): void;
}

export interface ChangeServiceOptions {
  readonly storage: ChangeStorage & Storage;
  /** Told each time that the store fails while changes are followed; it is asked again. */
  readonly onFailure: (error: unknown) => void;
}

export function createChangeService({ storage, onFailure }: ChangeServiceOptions): ChangeService {
  const feed = new ChangeFeed({ storage, onFailure });
  return {
    async follow(scope, mapId, since, reader) {
      await authorize(storage, scope, mapId, { scope: 'read' });
      const place = since === null ? null : decodeChangeCursor(mapId, since, 'since');
      const last = await storage.lastChange(mapId, scope);
      if (last.kind !== 'place') throw mapUnavailableError(last);
      return feed.follow(mapId, place ?? last.place, last.place, place === null, reader);
    },
    close: () => feed.close(),
  };
}
