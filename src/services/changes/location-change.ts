/** What a subscriber is told of one change. */

import type { LocationRecord } from '../../domain/location.ts';
import { encodeChangeCursor } from '../../domain/paging/cursor.ts';
import type { ChangeOffset, LoggedChange } from '../../storage/changes.ts';

export interface LocationChange {
  readonly cursor: string;
  /** `resync`: what came before is not told, so the map has to be read anew. */
  readonly kind: LoggedChange['kind'] | 'resync';
  /** Null in a `resync`. */
  readonly locationId: string | null;
  /** As it stood when it was loaded, which is no earlier than the change; null where it was deleted, and in a `resync`. */
  readonly location: LocationRecord | null;
}

export function changeOf(
  mapId: string,
  change: LoggedChange,
  location: LocationRecord | null,
): LocationChange {
  const { kind, locationId } = change;
  return { cursor: encodeChangeCursor(mapId, change), kind, locationId, location };
}

export function resyncAt(mapId: string, place: ChangeOffset): LocationChange {
  return { cursor: encodeChangeCursor(mapId, place), kind: 'resync', locationId: null, location: null };
}
