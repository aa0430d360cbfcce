/** The log of changes of each map's list, as part of the storage port. */

import type { MapGone } from './storage.ts';
import type { StorageScope } from './storage-scope.ts';

export type ChangeKind = 'created' | 'updated' | 'moved' | 'deleted';

/** A place in a map's log. It is the log's own: a log that is begun anew knows no place of the former one. */
export interface ChangePlace {
  /** Ascending, with gaps; 0 before the first change. */
  readonly number: number;
  /** Tells whether it is the same log still: letters and digits. */
  readonly stamp: string;
}

export interface LoggedChange extends ChangePlace {
  /** `moved` where nothing but the order is another. */
  readonly kind: ChangeKind;
  readonly locationId: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

export type ChangesRead =
  /** In the log's order; fewer than asked for, or none, where that is all so far. */
  | { readonly kind: 'changes'; readonly changes: readonly LoggedChange[] }
  /** What follows the place is not all there any more, or never was. */
  | { readonly kind: 'too-old' }
  | MapGone;

export interface ChangeLimits {
  /** Changes of that time and earlier are removed; milliseconds since the epoch. */
  readonly until: number;
  /** The most that a map keeps, the newest. */
  readonly mostOfMap: number;
}

/** Told of maps, as long as it is not closed. */
export interface ChangeWatch {
  /** A second call for the same map counts, too. */
  add(mapId: string): void;
  remove(mapId: string): void;
  /** Nobody is told any more when it returns. */
  close(): void;
}

/**
 * Every change of a map's list has its place in the map's log, no later than its write is answered: what one call changes
 * comes in the call's order. A crash leaves a change with its entry, or neither. All processes see one order.
 */
export interface ChangeLog {
  /** Changes after a place. Never passes a place that may still be filled. */
  readChanges(mapId: string, after: ChangePlace, limit: number, scope?: StorageScope): Promise<ChangesRead>;
  /** The place from which a reader goes on who has just read the map: all that is answered before the call is before it. */
  lastChange(
    mapId: string,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'place'; readonly place: ChangePlace } | MapGone>;
  /**
   * Tells, within a second, of each map that it watches: when its log may have grown, whichever process wrote, and when the
   * map may have been deleted. It may tell where nothing has changed.
   */
  watchChanges(onChange: (mapId: string) => void): ChangeWatch;
  /** Removes what the logs of all maps need not keep. */
  removeOldChanges(limits: ChangeLimits): Promise<void>;
}
