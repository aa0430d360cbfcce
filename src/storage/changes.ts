/** The log of changes of each map's list, as part of the storage port. */

import type { ChangeKind } from '../domain/change.ts';
import type { MapUnavailable } from './map-unavailable.ts';
import type { StorageScope } from './storage-scope.ts';

/** Changes that the log of each map keeps, unless the store is opened for others. */
export const MOST_CHANGES = 100_000;

/** A place in a map's log. It is the log's own: a log that is begun anew knows no place of the former one. */
export interface ChangeOffset {
  /** Ascending, with gaps; 0 before the first change. */
  readonly number: number;
  /** Tells whether it is the same log still: letters and digits. */
  readonly stamp: string;
}

export interface LoggedChange extends ChangeOffset {
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
  | MapUnavailable;

/** Tells of the maps that it was given. */
export interface ChangeWatch {
  /** A map that is added twice is to be removed twice. */
  add(mapId: string): void;
  remove(mapId: string): void;
  /** Nobody is told any more when it returns. */
  close(): void;
}

/**
 * Every change of a map's list has its place in the map's log, no later than its write is answered: what one call changes
 * comes in the call's order. A crash leaves a change with its entry, or neither. All processes see one order. A log keeps
 * the newest changes, as many as the store was opened for (`mostChanges` of the options).
 */
export interface ChangeLog {
  /** Changes after a place. Never passes a place that may still be filled. */
  readChanges(mapId: string, after: ChangeOffset, limit: number, scope?: StorageScope): Promise<ChangesRead>;
  /** Where a reader begins who reads the map after this call: whatever that does not show has a later place. */
  lastChange(
    mapId: string,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'place'; readonly place: ChangeOffset } | MapUnavailable>;
  /**
   * Tells, within a second, of each map that it watches: when its log may have grown, whichever process wrote, and when the
   * map may have been deleted. It tells of a map that is added, and it may tell where nothing has changed.
   */
  watchChanges(onChange: (mapId: string) => void): ChangeWatch;
  /** Removes changes of that time and earlier from the logs of all maps. Milliseconds since the epoch. */
  removeOldChanges(until: number): Promise<void>;
}
