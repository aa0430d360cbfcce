/**
 * The part of the storage port that searches locations (capabilities §10, §11 and §20). The stores find candidates in
 * different ways; src/domain/filter alone decides what matches, and in which order.
 *
 * Every method fails with STORAGE_UNAVAILABLE when the request's time is up, and stops soon after the scope's signal
 * aborts. None blocks other requests.
 */

import type { ClusterGrid, ClusterSums } from '../domain/clusters.ts';
import type { SearchSortKey } from '../domain/filter/location-order.ts';
import type { SearchHit, LocationSearch, SearchedMap } from '../domain/filter/location-search.ts';
import type { LocationFilter } from '../domain/filter/location-filter.ts';
import type { CellRange } from '../domain/filter/cell.ts';
import type { JsonText } from '../domain/json/json-text.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { PageEnds } from '../domain/paging/pages.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { StorageScope } from './storage-scope.ts';

/**
 * Locations of a page, for callers that read all of a map's list page by page. Stores read pages up to this size at the least
 * cost for each location: SQLite reads larger ones in another thread, at twice the cost.
 */
export const WALK_PAGE = 200;

/** A match without its content. */
export interface VersionHit {
  readonly id: string;
  readonly version: number;
}

/** A page of search results as JSON. */
export interface SearchPageJson extends PageEnds<SearchSortKey> {
  /** An array, with each location rendered by the template. */
  readonly json: JsonText;
}

export interface ClusterQuery {
  readonly map: SearchedMap;
  /** Null matches everything. */
  readonly filter: LocationFilter | null;
  readonly grid: ClusterGrid;
  /** The maximum number of cells with locations. */
  readonly limit: number;
}

export interface Cluster extends ClusterSums {
  /** The cell's location, where it holds exactly one. */
  readonly location: LocationRecord | null;
}

export interface ColumnsQuery {
  readonly mapId: string;
  readonly range: CellRange;
  /** The maximum number of locations. */
  readonly limit: number;
  /** Keys of the properties to read. */
  readonly fields: readonly string[];
  /** Of a field's distinct values; a field with more is left out. */
  readonly maxFieldBytes: number;
}

export interface SearchStore {
  /** A page of results in the search's order; ascending, even from the end. */
  findLocations(
    search: LocationSearch,
    page: PageRequest<SearchSortKey>,
    scope?: StorageScope,
  ): Promise<readonly SearchHit[]>;
  /** The same page as JSON. A store that can renders it without creating location objects. */
  findLocationsJson(
    search: LocationSearch,
    page: PageRequest<SearchSortKey>,
    template: LocationTemplate,
    scope?: StorageScope,
  ): Promise<SearchPageJson>;
  /** The number of matches. */
  countMatches(search: Omit<LocationSearch, 'order'>, scope?: StorageScope): Promise<number>;
  /** The first `limit` matches of one map, in its list's order. */
  findVersions(
    search: { readonly map: SearchedMap; readonly filter: LocationFilter },
    limit: number,
    scope?: StorageScope,
  ): Promise<readonly VersionHit[]>;
  /**
   * The cells of the grid that hold locations, unordered. Each counts all of its locations. Null where more than
   * `limit` cells hold any.
   */
  findClusters(query: ClusterQuery, scope?: StorageScope): Promise<readonly Cluster[] | null>;
  /**
   * The locations in a range of cells, unordered, as the JSON of LocationColumns (UTF-8). Null where there are more than
   * `limit`.
   */
  readColumns(query: ColumnsQuery, scope?: StorageScope): Promise<Uint8Array | null>;
}
