/** The change log of each map's list: part of the storage port. */

import type { ChangeKind, ChangeOffset } from '../domain/change.ts';
import type { StorageScope } from './storage-scope.ts';

export type { ChangeOffset } from '../domain/change.ts';

/** Why a map takes no part in an operation. */
export type MapUnavailable = { readonly kind: 'map-missing' } | { readonly kind: 'map-deleted' };

/** Default number of changes that the log of a map keeps. */
export const MOST_CHANGES = 100_000;

/** Milliseconds that readers of the log may go back; the history keeps its entries for longer. */
export const CHANGES_READABLE_MS = 24 * 60 * 60 * 1000;

export interface LoggedChange extends ChangeOffset {
  readonly kind: ChangeKind;
  readonly locationId: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface ChangesScope extends StorageScope {
  /** Changes up to this time count as removed, also where the history of their calls keeps them; by default none. */
  readonly removedUntil?: number;
}

export type ChangesRead =
  /** In the log's order. Fewer than requested, or none, where the log ends. */
  | { readonly kind: 'changes'; readonly changes: readonly LoggedChange[] }
  /** Changes after the offset were removed, or the offset is of another log. */
  | { readonly kind: 'too-old' }
  | MapUnavailable;

/** Watches the maps added to it. */
export interface ChangeWatch {
  /** Counted: a map added twice must be removed twice. */
  add(mapId: string): void;
  remove(mapId: string): void;
  /** No callback runs after it returns. */
  close(): void;
}

/**
 * Every change of a map's list is in the map's log before its write completes; the changes of one call are in the
 * call's order. After a crash the store has both a change and its entry, or neither. All processes see one order. A log
 * shows the newest `mostChanges` entries (see {@link StorageOptions}). A write without a call removes earlier ones; a call
 * keeps them for the history (history.ts).
 */
export interface ChangeLog {
  /** Changes after an offset. Never skips an offset that a pending write may still fill. */
  readChanges(mapId: string, after: ChangeOffset, limit: number, scope?: ChangesScope): Promise<ChangesRead>;
  /**
   * The start offset for a reader that reads the map after this call: every change that this read misses comes later.
   */
  lastChange(
    mapId: string,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'place'; readonly place: ChangeOffset } | MapUnavailable>;
  /**
   * Calls `onChange` within a second after the log of a watched map may have grown, in any process, or the map may have
   * been deleted. Also calls it for each map added, and possibly without any change.
   */
  watchChanges(onChange: (mapId: string) => void): ChangeWatch;
  /** Removes changes from the logs of all maps, up to and including that time. Milliseconds since the epoch. */
  removeOldChanges(until: number): Promise<void>;
}
