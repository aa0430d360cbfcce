/**
 * History: who changed the locations of a map, what they were before, and the trash. Part of the storage port.
 *
 * A write with a {@link WriteCall} keeps its history, in the same transaction or statement sequence: after a crash the
 * store has a change with its history, or neither. A write without a call keeps none.
 *
 * - Each call has one {@link HistoryRecord} per map, however many writes it consists of.
 * - A write that updates or moves a location keeps its former state as a {@link VersionRecord}, if the call's
 *   `mostVersions` is not 0; a write that deletes it, if `keepsTrash`. A create keeps nothing for each location.
 * - A deleted location is in the trash while its last state is kept. Deleting counts as a version: the deletion of
 *   version 3 is version 4, and a restored location has version 5.
 * - A location that is deleted without a call, or by one that keeps no trash, leaves no versions.
 *
 * The time of everything is that of its call (domain/ids.ts, `timeOfHistoryId`); the store reads no clock. Methods return
 * whatever is stored; callers leave out what is older than they keep. History and trash of a deleted map stay.
 */

import type { ChangeKind } from '../domain/change.ts';
import type { LocationMatcher } from '../domain/filter/matcher.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapUnavailable } from './changes.ts';
import type { StorageScope, WriteCall } from './storage-scope.ts';

/** The changes of one call to one map. */
export interface HistoryRecord extends Pick<WriteCall, 'id' | 'actor' | 'operation'> {
  readonly mapId: string;
  /** Changes in the log. A location that was changed twice counts twice. A restored location counts as created. */
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** Numbers of the call's first and last change in the map's log. */
  readonly firstChange: number;
  readonly lastChange: number;
}

/** A change of a call. */
export interface CallChange {
  /** In the map's log. */
  readonly number: number;
  readonly kind: ChangeKind;
  readonly locationId: string;
}

/** The state of a location before a change. */
export interface VersionRecord {
  readonly locationId: string;
  /** Of the state. The change made the next version. */
  readonly version: number;
  /** Null: the location was deleted then. Only restoring replaces such a version. */
  readonly location: LocationRecord | null;
  /** Id of the call that replaced it. */
  readonly replacedBy: string;
  /** Whether it is in the trash: the change deleted the location, which was not restored since. */
  readonly isInTrash: boolean;
}

/** A location in the trash. */
export interface TrashedLocation {
  /** Its last state. */
  readonly location: LocationRecord;
  /** Id of the call that deleted it. */
  readonly deletedBy: string;
}

export interface HistoryFilter {
  /** Times of calls in milliseconds since the epoch, inclusive; null: no limit. */
  readonly since: number | null;
  readonly until: number | null;
  /** Null: any. */
  readonly operation: string | null;
}

/** The last record of the previous page. */
export interface TrashKey {
  readonly deletedBy: string;
  readonly locationId: string;
}

export interface LocationRestore {
  readonly id: string;
  /** The version in the trash; only that one is restored. */
  readonly version: number;
}

export type RestoreOutcome =
  | { readonly kind: 'restored'; readonly location: LocationRecord }
  /** The trash does not have the location in that version. */
  | { readonly kind: 'missing' }
  /** Another location of the map has its external id. Nothing is stored. */
  | { readonly kind: 'external-id-taken' };

/** All times are milliseconds since the epoch. */
export interface HistoryLimits {
  /** Records of calls before this time are removed. */
  readonly recordsSince: number;
  /** Versions replaced before this time are removed, except those in the trash. */
  readonly versionsSince: number;
  /** Locations deleted before this time leave the trash, and all their versions are removed. */
  readonly trashSince: number;
  /** Of an existing location whose version is `v`, versions before `v - mostVersions` are removed. */
  readonly mostVersions: number;
}

export interface HistoryStore {
  /** The records of a map, newest first: by id, descending. `after` is the last id of the previous page. */
  listHistory(
    mapId: string,
    page: { readonly limit: number; readonly after: string | null },
    filter: HistoryFilter,
    scope?: StorageScope,
  ): Promise<readonly HistoryRecord[]>;
  /** One entry per id, in order; null where the map has no such record. */
  findHistory(
    mapId: string,
    ids: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (HistoryRecord | null)[]>;
  /**
   * The changes of a call in the order of the log, after the number `after` (0: from the first). Empty where the record
   * or its changes were removed.
   */
  changesOfCall(
    mapId: string,
    id: string,
    page: { readonly limit: number; readonly after: number },
    scope?: StorageScope,
  ): Promise<readonly CallChange[]>;
  /** Id of the call that created a location for the first time; null where that is not kept, or had no call. */
  findCreation(
    mapId: string,
    location: Pick<LocationRecord, 'id' | 'createdAt'>,
    scope?: StorageScope,
  ): Promise<string | null>;
  /**
   * The former states of a location, which may be deleted, newest first. `before` is the last version of the previous
   * page.
   */
  listVersions(
    mapId: string,
    locationId: string,
    page: { readonly limit: number; readonly before: number | null },
    scope?: StorageScope,
  ): Promise<readonly VersionRecord[]>;
  /** One entry per location id, in order: the versions that the call replaced, oldest first. */
  findReplacedVersions(
    mapId: string,
    id: string,
    locationIds: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (readonly VersionRecord[])[]>;
  /**
   * The trash of a map: newest call first, then by location id, descending. Searches in steps, without blocking others.
   *
   * @param options.deletedSince leaves out what was deleted before; milliseconds since the epoch
   * @param options.matches leaves out other locations
   */
  listTrash(
    mapId: string,
    page: { readonly limit: number; readonly after: TrashKey | null },
    options: { readonly deletedSince: number; readonly matches: LocationMatcher | null },
    scope?: StorageScope,
  ): Promise<readonly TrashedLocation[]>;
  /** One entry per location id, in order; null where it is not in the trash. */
  findTrashed(
    mapId: string,
    locationIds: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (TrashedLocation | null)[]>;
  /**
   * Puts deleted locations back, each atomically: with its id, sequence number, order, external id and all values of its
   * last state, a version two above that, and `now` as `updatedAt` unless that is later already. The log has it as
   * `created`. A version whose `location` is null stands for the deletion, if the call keeps versions.
   */
  restoreLocations(
    mapId: string,
    restores: readonly LocationRestore[],
    now: number,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly RestoreOutcome[] } | MapUnavailable>;
  /**
   * Removes locations from the trash for ever, with all their versions. Ignores ids that are not in the trash.
   *
   * @returns the ids that this call removed, each once, in the given order
   */
  purgeLocations(
    mapId: string,
    locationIds: readonly string[],
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly purgedIds: readonly string[] } | MapUnavailable>;
  /**
   * One step of a walk through all history, which removes what is over the limits. It may miss records of the last second.
   *
   * @param after `next` of the previous step; null for the first
   * @param limit about how many records to look at
   * @returns `next` is null at the end of the walk
   */
  removeOldHistory(
    limits: HistoryLimits,
    after: string | null,
    limit: number,
  ): Promise<{ readonly removed: number; readonly next: string | null }>;
}
