/**
 * The part of the storage port that finds locations (capabilities §10 and §11). The stores differ in how they come by
 * candidates; what a filter lets through, and in which order, is said by src/domain/filter alone.
 *
 * Every method gives up with STORAGE_UNAVAILABLE when the request's time is over, and soon after the scope's signal says
 * that the caller has gone. None holds up another request meanwhile.
 */

import type { ClusterGrid, ClusterSums } from '../domain/clusters.ts';
import type { SearchSortKey } from '../domain/filter/location-order.ts';
import type { SearchHit, LocationSearch, SearchedMap } from '../domain/filter/location-search.ts';
import type { LocationFilter } from '../domain/filter/location-filter.ts';
import type { JsonText } from '../domain/json/json-text.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { PageEnds } from '../domain/paging/pages.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { StorageScope } from './storage-scope.ts';

/** A location as it was found, without what it holds. */
export interface VersionHit {
  readonly id: string;
  readonly version: number;
}

/** A page of what a search finds, as JSON. */
export interface SearchPageJson extends PageEnds<SearchSortKey> {
  /** An array, each location as the template says. */
  readonly json: JsonText;
}

export interface ClusterQuery {
  readonly map: SearchedMap;
  /** Null lets everything through. */
  readonly filter: LocationFilter | null;
  readonly grid: ClusterGrid;
  /** The cells that may hold locations. */
  readonly limit: number;
}

export interface Cluster extends ClusterSums {
  /** The cell's location, where it holds one. */
  readonly location: LocationRecord | null;
}

export interface SearchStore {
  /** A page of what the search finds, in its order; ascending, even from the end. */
  findLocations(
    search: LocationSearch,
    page: PageRequest<SearchSortKey>,
    scope?: StorageScope,
  ): Promise<readonly SearchHit[]>;
  /** The same page, in the same order, as JSON. A store that can makes no object of any location. */
  findLocationsJson(
    search: LocationSearch,
    page: PageRequest<SearchSortKey>,
    template: LocationTemplate,
    scope?: StorageScope,
  ): Promise<SearchPageJson>;
  /** How many locations the search finds. */
  countMatches(search: Omit<LocationSearch, 'order'>, scope?: StorageScope): Promise<number>;
  /** What the filter lets through of one map, by its list; the first `limit` of it. */
  findVersions(
    search: { readonly map: SearchedMap; readonly filter: LocationFilter },
    limit: number,
    scope?: StorageScope,
  ): Promise<readonly VersionHit[]>;
  /**
   * The cells of the grid that hold locations, in no order. A cell's content counts whole. Null where more than `limit`
   * cells hold some.
   */
  findClusters(query: ClusterQuery, scope?: StorageScope): Promise<readonly Cluster[] | null>;
}
