/** The locations of a map and their list: part of the storage port. All times are milliseconds since the epoch. */

import type { GeocodingCount } from '../domain/filter/geocoding-groups.ts';
import type { JsonText } from '../domain/json/json-text.ts';
import type { MovePosition } from '../domain/list/move-plan.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { LocationRecord, NewLocation } from '../domain/location.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { ExportFormat } from '../transfer/formats.ts';
import type { MapUnavailable } from './changes.ts';
import type { VersionHit } from './search.ts';
import type { StorageScope } from './storage-scope.ts';

export interface LocationInsert {
  readonly location: NewLocation;
  /** The caller's order, already validated; null appends the location. */
  readonly order: string | null;
  readonly idempotency: {
    readonly tokenId: string;
    readonly key: string;
    readonly digest: string;
    /** The record is ignored from then on. */
    readonly expiresAt: number;
  } | null;
}

export type InsertOutcome =
  | { readonly kind: 'inserted'; readonly location: LocationRecord }
  /** The key and digest were stored before. Nothing is stored. */
  | { readonly kind: 'replayed'; readonly location: LocationRecord }
  /** The key was stored with another digest. Nothing is stored. */
  | { readonly kind: 'conflict' }
  /** Another location of the map has the external id. Nothing is stored. */
  | { readonly kind: 'external-id-taken' };

/** An update of a location that was read before. */
export interface LocationUpdate {
  readonly id: string;
  /** The version that was read; only that version is updated. */
  readonly version: number;
  readonly updatedAt: number;
  /** The new order, already validated; null keeps the location's position. */
  readonly order: string | null;
  /** New values; unchanged ones are repeated. */
  readonly values: Pick<
    LocationRecord,
    'name' | 'placeId' | 'latitude' | 'longitude' | 'properties' | 'geocoding' | 'externalId'
  >;
}

export type UpdateOutcome =
  | { readonly kind: 'updated'; readonly location: LocationRecord }
  | { readonly kind: 'missing' }
  /** The location was updated in the meantime; its current state. */
  | { readonly kind: 'changed'; readonly location: LocationRecord }
  /** Another location of the map has the external id. */
  | { readonly kind: 'external-id-taken' };

/** Moves locations within their map's list. */
export interface LocationMove {
  /** One or more unique ids, in their new sequence. */
  readonly ids: readonly string[];
  /** Does not refer to any of `ids`. */
  readonly position: MovePosition;
}

export type MoveOutcome =
  /** The locations in their new state and sequence. */
  | { readonly kind: 'moved'; readonly locations: readonly LocationRecord[] }
  /** The map has no location with that id, one of `ids` or the target of `position`. Nothing moves. */
  | { readonly kind: 'missing'; readonly id: string }
  /** Making room would renumber more neighbours than one call may. Nothing moves. */
  | { readonly kind: 'too-many-neighbours' }
  | MapUnavailable;

/** A page of a map's list as JSON. */
export interface LocationsJson {
  /** An array, with each location rendered by the template. */
  readonly json: JsonText;
  readonly count: number;
  /** Null for an empty page. */
  readonly first: SortKey | null;
  readonly last: SortKey | null;
  /** The first location beyond the page, on the side where it is cut off; null at the end of the range. */
  readonly next: (SortKey & { readonly order: string }) | null;
}

/** Some locations of a list in an export format, each with its separator, without the format's header and footer. */
export interface ExportedLocations {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Null where there are none. */
  readonly last: SortKey | null;
}

export interface LocationStorage {
  /**
   * Stores locations in the given order. Each gets the map's next sequence number and, where `order` is null, an order
   * at the current end of the list (contract §3). Each item is stored atomically, with its idempotency record and the
   * map's largest number. Of concurrent inserts with the same idempotency key one stores its location; of those with
   * the same external id, the first.
   */
  insertLocations(
    mapId: string,
    inserts: readonly LocationInsert[],
    now: number,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly InsertOutcome[] } | MapUnavailable>;
  /** One entry per id, in order; null where the map has no such location. */
  getLocations(
    mapId: string,
    ids: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (LocationRecord | null)[]>;
  /** As {@link getLocations}, by external ids. */
  findLocationsByExternalIds(
    mapId: string,
    externalIds: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (LocationRecord | null)[]>;
  /**
   * Updates locations, each atomically and to its next version. A location with a new order keeps its sequence number,
   * which decides among equal orders.
   */
  updateLocations(
    mapId: string,
    updates: readonly LocationUpdate[],
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly UpdateOutcome[] } | MapUnavailable>;
  /**
   * Moves locations next to each other in the map's list by changing their orders, and those of neighbours where there
   * is no room (domain/list/move-plan.ts). The relative order of all others stays. Each location with a new order gets its
   * next version; the orders count as used. Writes nothing if the sequence is right already. Moves of one map are
   * serialized.
   */
  moveLocations(mapId: string, move: LocationMove, now: number, scope?: StorageScope): Promise<MoveOutcome>;
  /**
   * A page of a map's list, by order key (bytewise), then by sequence number. Ascending, even from the end. The cost
   * does not depend on the position. Empty for an unknown map.
   */
  listLocations(
    mapId: string,
    page: PageRequest<SortKey>,
    scope?: StorageScope,
  ): Promise<readonly LocationRecord[]>;
  /** The same page as JSON. A store that can renders it without creating location objects. */
  listLocationsJson(
    mapId: string,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
    scope?: StorageScope,
  ): Promise<LocationsJson>;
  /** Whether the map's list has locations between these exclusive bounds. */
  hasLocations(
    mapId: string,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
    scope?: StorageScope,
  ): Promise<boolean>;
  /**
   * The location with `skipped` locations before it in the map's list, or after it with `fromEnd`; null past the end.
   * It reads that many index keys, and one location.
   */
  locationAt(
    mapId: string,
    position: { readonly skipped: number; readonly fromEnd: boolean },
    scope?: StorageScope,
  ): Promise<LocationRecord | null>;
  /** The number of a map's locations; 0 for an unknown map. The cost does not depend on that number. */
  countLocations(mapId: string, scope?: StorageScope): Promise<number>;
  /**
   * The groups of a map's locations by how they were geocoded, unordered; none for an unknown map. The cost does not
   * depend on the number of locations.
   */
  countByGeocoding(mapId: string, scope?: StorageScope): Promise<readonly GeocodingCount[]>;
  /**
   * Identifies the content of a map's list: differs after every change of a location or of the set of locations, and
   * possibly without one. Empty for an unknown map.
   */
  listRevision(mapId: string, scope?: StorageScope): Promise<string>;
  /**
   * Deletes a location; the scope's call decides whether it goes to the trash (history.ts). Resolves to its last state,
   * for one of several concurrent calls.
   */
  deleteLocation(
    mapId: string,
    id: string,
    scope?: StorageScope,
  ): Promise<
    | { readonly kind: 'deleted'; readonly location: LocationRecord }
    | { readonly kind: 'missing' }
    | MapUnavailable
  >;
  /**
   * As {@link deleteLocation}, for several locations. Ignores unknown ids.
   *
   * @returns the ids that this call deleted, each once, in the given order
   */
  deleteLocations(
    mapId: string,
    ids: readonly string[],
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly deletedIds: readonly string[] } | MapUnavailable>;
  /** As {@link deleteLocations}, ignoring locations that have another version. */
  deleteVersions(
    mapId: string,
    locations: readonly VersionHit[],
    scope?: StorageScope,
  ): ReturnType<LocationStorage['deleteLocations']>;
}

export interface ExportStorage {
  /**
   * The next locations of a walk through a map's whole list. A store that can reads them off the event loop, and stops
   * when the scope's signal aborts. Empty for an unknown map.
   */
  exportLocations(
    mapId: string,
    page: Pick<PageRequest<SortKey>, 'limit' | 'after'>,
    format: ExportFormat,
    scope?: StorageScope,
  ): Promise<ExportedLocations>;
}
