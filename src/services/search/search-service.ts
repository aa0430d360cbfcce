/** Finding locations: by place, text and field (capabilities §10), in one map or in all of the caller's. */

import type { ClusterGrid } from '../../domain/clusters.ts';
import { MAX_CLUSTERS } from '../../domain/clusters.ts';
import type { LocationFilter } from '../../domain/filter/location-filter.ts';
import { assertBounds } from '../../domain/filter/location-filter.ts';
import type { SearchSortKey } from '../../domain/filter/location-order.ts';
import type { Hit, SearchHit, LocationSearch, SearchedMap } from '../../domain/filter/location-search.ts';
import { publicSearch } from '../../domain/filter/public-filter.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { LocationView, MapView, PublicMap } from '../../domain/public-view.ts';
import { locationView } from '../../domain/public-view.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Cluster, SearchPageJson } from '../../storage/search.ts';
import type { Storage } from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { authorize } from '../authorization.ts';
import { requireCaller } from '../caller.ts';
import { toJson } from '../locations/json-page.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import { ownedMaps } from '../maps/owned-maps.ts';
import type { Page } from '../../domain/paging/pages.ts';
import { keysOfEnds, readPage } from '../../domain/paging/pages.ts';
import type { Scope } from '../scope.ts';

/** A search in maps of the caller's, or in one that is public. */
export interface SearchOfViews extends Omit<LocationSearch, 'maps'> {
  /** In order of their creation. */
  readonly maps: readonly MapRecord[] | readonly [PublicMap];
}

/** A location as its map's view shows it, and where it stands. */
export type SearchHitView = Hit<LocationView>;

export interface ClusterView extends Omit<Cluster, 'location'> {
  /** The cell's location, where it holds one. */
  readonly location: LocationView | null;
}

/**
 * What is asked of a public map, and what is found there, is in the public view. Where a search or a filter asks for more,
 * every verb throws a ServiceError BAD_USER_INPUT.
 */
export interface SearchService {
  /** The caller's maps that are not deleted, in order of creation; only the one that the token is limited to. */
  searchedMaps(scope: Scope): Promise<readonly MapRecord[]>;
  /** @throws ServiceError BAD_USER_INPUT for a bound of the wrong kind for its field in every map */
  assertSearch(search: SearchOfViews): void;
  /** @param search of maps that the caller may read */
  findLocations(
    scope: Scope,
    search: SearchOfViews,
    page: PageRequest<SearchSortKey>,
  ): Promise<Page<SearchHitView>>;
  /** The same page as JSON, each location written by the template. */
  findLocationsJson(
    scope: Scope,
    search: SearchOfViews,
    page: PageRequest<SearchSortKey>,
    template: LocationTemplate,
  ): Promise<SearchPageJson>;
  /** True when something is found within these exclusive bounds. */
  hasLocations(
    scope: Scope,
    search: SearchOfViews,
    range: Pick<PageRequest<SearchSortKey>, 'after' | 'before'>,
  ): Promise<boolean>;
  countLocations(scope: Scope, search: SearchOfViews): Promise<number>;
  /** @throws ServiceError BAD_USER_INPUT where there are more than 2,000 */
  findClusters(
    scope: Scope,
    query: { readonly map: MapView; readonly filter: LocationFilter | null; readonly grid: ClusterGrid },
  ): Promise<readonly ClusterView[]>;
  /**
   * Deletes what a filter lets through, but for what others delete or change meanwhile.
   *
   * @returns the ids of what was deleted, by the list
   * @throws ServiceError BAD_USER_INPUT where the filter lets through more than 10,000 locations; CONFLICT where it is
   *   another number than expected. Then nothing is deleted
   */
  deleteMatches(
    scope: Scope,
    mapId: string,
    targets: { readonly filter: LocationFilter; readonly expectedCount: number },
  ): Promise<{ readonly map: MapRecord; readonly deletedIds: readonly string[] }>;
}

/** Locations that one call may delete by a filter. */
const MAX_DELETED = 10_000;
/** Locations that are deleted in one transaction. Others may write in between. */
const DELETED_AT_ONCE = 200;

export function createSearchService({ storage }: { readonly storage: Storage }): SearchService {
  const findLocations: SearchService['findLocations'] = (scope, search, page) =>
    readPage(page, async (asked) => seen(search, await storage.findLocations(plain(search), asked, scope)));
  return {
    async searchedMaps(scope) {
      const found: MapRecord[] = [];
      for await (const maps of ownedMaps(storage, scope, requireCaller(scope.caller))) {
        found.push(...maps.filter(({ isDeleted }) => !isDeleted));
        const pause = yieldIfDue();
        if (pause !== undefined) await pause;
      }
      return found;
    },

    assertSearch: (search) => {
      const { filter, maps } = plain(search);
      assertBounds(
        filter,
        maps.map(({ fields }) => fields),
      );
    },

    findLocations,

    findLocationsJson: async (scope, search, page, template) => {
      if (publicMapOf(search) === null)
        return storage.findLocationsJson(plain(search), page, template, scope);
      const { items, ...ends } = await findLocations(scope, search, page);
      const locations = items.map(({ location }) => location);
      return { ...keysOfEnds(ends), json: await toJson(template, locations) };
    },

    hasLocations: async (scope, search, range) => {
      const page = { ...range, limit: 1, fromEnd: false };
      return (await storage.findLocations(plain(search), page, scope)).length > 0;
    },

    countLocations: async (scope, search) => storage.countMatches(plain(search), scope),

    async findClusters(scope, { map, filter: asked, grid }) {
      const filter =
        asked === null || map.view !== 'public' ? asked : publicSearch({ filter: asked }, map).filter;
      if (filter !== null) assertBounds(filter, [map.fields]);
      const query = { map: searched(map), filter, grid, limit: MAX_CLUSTERS };
      const clusters = await storage.findClusters(query, scope);
      if (clusters === null) {
        throw badUserInput(
          `There are more than ${MAX_CLUSTERS} clusters; ask for a lower zoom or a smaller box.`,
        );
      }
      const show = locationView(map);
      return clusters.map(({ location, ...cluster }) => ({
        ...cluster,
        location: location === null ? null : show(location),
      }));
    },

    async deleteMatches(scope, mapId, { filter, expectedCount }) {
      const { map } = await authorize(storage, scope, mapId, { scope: 'write' });
      assertBounds(filter, [map.fields]);
      const found = await storage.findVersions({ map: searched(map), filter }, MAX_DELETED + 1, scope);
      if (found.length > MAX_DELETED) {
        throw badUserInput(
          `filter lets through more than the ${MAX_DELETED} locations that a call may delete.`,
        );
      }
      if (found.length !== expectedCount) {
        throw new ServiceError(
          'CONFLICT',
          `The filter lets through ${found.length} locations, and not the expected ${expectedCount}.`,
        );
      }
      const deletedIds: string[] = [];
      for (let start = 0; start < found.length; start += DELETED_AT_ONCE) {
        const some = found.slice(start, start + DELETED_AT_ONCE);
        const result = await storage.deleteVersions(mapId, some, scope);
        if (result.kind !== 'done') throw mapUnavailableError(result);
        deletedIds.push(...result.deletedIds);
      }
      return { map, deletedIds };
    },
  };
}

/**
 * As a store is asked: without what a search does not need of its maps, such as their keys.
 *
 * @throws ServiceError BAD_USER_INPUT for what a public map does not show
 */
function plain(search: SearchOfViews): LocationSearch {
  const { maps, filter, order } = search;
  const plainSearch = { maps: maps.map(searched), filter, order };
  const map = publicMapOf(search);
  return map === null ? plainSearch : publicSearch(plainSearch, map);
}

function publicMapOf({ maps }: SearchOfViews): PublicMap | null {
  const first = maps.at(0);
  return first?.view === 'public' ? first : null;
}

function seen(search: SearchOfViews, found: readonly SearchHit[]): readonly SearchHitView[] {
  const map = publicMapOf(search);
  if (map === null) return found;
  const show = locationView(map);
  return found.map(({ location, key }) => ({ location: show(location), key }));
}

function searched({ id, createdAt, fields }: MapView): SearchedMap {
  return { id, createdAt, fields };
}
