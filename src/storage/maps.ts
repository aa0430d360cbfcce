/** Maps, their logos and their keys: part of the storage port. All times are milliseconds since the epoch. */

import type { LogoType } from '../domain/logo.ts';
import type { MapRecord } from '../domain/map.ts';
import type { MapSortKey } from '../domain/paging/cursor.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { MapUnavailable } from './changes.ts';
import type { StorageScope } from './storage-scope.ts';

export type MapPatch = Partial<
  Pick<
    MapRecord,
    | 'name'
    | 'isDeleted'
    | 'isPublished'
    | 'providerMapApiKey'
    | 'geocodingApiKey'
    | 'geocoding'
    | 'fields'
    | 'language'
    | 'timeZone'
    | 'theme'
    | 'logo'
    | 'categories'
    | 'updatedAt'
  >
>;

/** The file of a map's logo. */
export interface LogoRecord {
  readonly mapId: string;
  readonly type: LogoType;
  /** SHA-256 of the file, lower-case hex. */
  readonly hash: string;
  /** The file in base64. */
  readonly content: string;
}

export type MapKeyName = 'providerMapApiKey' | 'geocodingApiKey';

/** Replaces the stored ciphertext of a provider or geocoding key. */
export interface MapKeyChange {
  readonly mapId: string;
  readonly name: MapKeyName;
  readonly from: string;
  readonly to: string;
}

export interface MapsQuery extends PageRequest<MapSortKey> {
  /** The member whose maps are listed. */
  readonly ownerId: string;
  /** Restricts the list to one map. */
  readonly mapId: string | null;
}

/** A published map that is not deleted, as a list of pages needs it. */
export interface PublishedMapEntry {
  readonly id: string;
  /** When the map or one of its locations last changed. */
  readonly changedAt: number;
}

export interface MapStorage {
  /** All members of the map must be stored owners. */
  insertMap(map: MapRecord, scope?: StorageScope): Promise<void>;
  /** One entry per id, in order; null for an unknown map. Includes deleted maps. */
  getMaps(ids: readonly string[], scope?: StorageScope): Promise<readonly (MapRecord | null)[]>;
  /** The maps that an owner is a member of, including deleted ones, by time of creation, then id. Ascending, even from the end. */
  listMaps(query: MapsQuery, scope?: StorageScope): Promise<readonly MapRecord[]>;
  countMaps(query: Pick<MapsQuery, 'ownerId' | 'mapId'>, scope?: StorageScope): Promise<number>;
  /** A page of the published maps that are not deleted, of all owners, by id. */
  listPublishedMaps(
    page: { readonly after: string | null; readonly limit: number },
    scope?: StorageScope,
  ): Promise<readonly PublishedMapEntry[]>;
  /**
   * Applies the patch atomically.
   *
   * @param options.evenIfDeleted also updates a deleted map; otherwise that stays as it is, and the result is
   *   `map-deleted`
   * @param options.logo the file of the patch's logo, stored with it; a patch without a logo (null) removes the file
   */
  updateMap(
    id: string,
    patch: MapPatch,
    options: { readonly evenIfDeleted: boolean; readonly logo?: LogoRecord },
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'updated'; readonly map: MapRecord } | MapUnavailable>;
  /** Every map with a provider or geocoding key, including deleted maps. */
  listMapsWithKeys(): AsyncIterable<MapRecord>;
  /**
   * Replaces keys that still equal `from`, in deleted maps too. A failed call may have replaced some of them.
   *
   * @returns the number replaced
   */
  changeMapKeys(changes: readonly MapKeyChange[]): Promise<number>;
}

export interface LogoStorage {
  /** The file of the logo that a map names, also of a deleted map; null if the map has been given another one meanwhile. */
  getLogo(mapId: string, hash: string, scope?: StorageScope): Promise<LogoRecord | null>;
}
