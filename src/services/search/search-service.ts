/** Searches locations by area, text and field (capabilities §10), in one map or in all maps of the caller. */

import type { ClusterGrid } from '../../domain/clusters.ts';
import { MAX_CLUSTERS } from '../../domain/clusters.ts';
import type { LocationFilter } from '../../domain/filter/location-filter.ts';
import { assertBounds } from '../../domain/filter/location-filter.ts';
import { searchedMap } from '../../domain/filter/location-search.ts';
import type { SearchSortKey } from '../../domain/filter/location-order.ts';
import type { Hit, SearchHit, LocationSearch } from '../../domain/filter/location-search.ts';
import { publicSearch } from '../../domain/filter/public-filter.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { LocationView, MapView, PublicMap } from '../../domain/public-view.ts';
import { locationView } from '../../domain/public-view.ts';
import { badUserInput } from '../../errors.ts';
import type { Cluster, SearchPageJson } from '../../storage/search.ts';
import type { Storage } from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import type { WriteAudit } from '../audit/audit.ts';
import type { WrittenMap } from '../history/calls.ts';
import { historyIdOf } from '../history/calls.ts';
import { ok } from '../audit/audit.ts';
import { authorize } from '../authorization.ts';
import { mapUnavailableError } from '../caller.ts';
import { toJson } from '../locations/json-page.ts';
import type { MatchTargets } from '../locations/location-targets.ts';
import { assertMatchCount } from '../locations/location-targets.ts';
import { ownedMaps } from '../maps/owned-maps.ts';
import type { Page } from '../../domain/paging/pages.ts';
import { keysOfEnds, readPage } from '../../domain/paging/pages.ts';
import type { Scope } from '../scope.ts';

export { WALK_PAGE } from '../../storage/search.ts';

/** A search in maps of the caller, or in one public map. */
export interface SearchOfViews extends Omit<LocationSearch, 'maps'> {
  /** In order of creation. */
  readonly maps: readonly MapRecord[] | readonly [MapView];
}

/** A location in its map's view, and its sort key. */
export type SearchHitView = Hit<LocationView>;

export interface ClusterView extends Omit<Cluster, 'location'> {
  /** Set for a cluster of one. */
  readonly location: LocationView | null;
}

/** Locations that one call may delete by a filter. */
const MAX_DELETED = 10_000;
/** Locations per transaction of such a call. Other writers get their turn in between. */
const DELETE_BATCH = 200;

export interface SearchServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
}

/**
 * Searches of a public map use and return its public view only. A search that needs more throws a ServiceError
 * BAD_USER_INPUT.
 */
export class SearchService {
  readonly #storage: Storage;
  readonly #audit: WriteAudit;

  constructor({ storage, audit }: SearchServiceOptions) {
    this.#storage = storage;
    this.#audit = audit;
  }

  /** The caller's maps that are not deleted, in order of creation; only one for a token limited to a map. */
  async searchedMaps(scope: Scope): Promise<readonly MapRecord[]> {
    const found: MapRecord[] = [];
    for await (const maps of ownedMaps(this.#storage, scope)) {
      found.push(...maps.filter(({ isDeleted }) => !isDeleted));
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
    return found;
  }

  /** @throws ServiceError BAD_USER_INPUT for a bound of the wrong type for its field in every map */
  assertSearch(search: SearchOfViews): void {
    const { filter, maps } = plain(search);
    assertBounds(
      filter,
      maps.map(({ fields }) => fields),
    );
  }

  /** @param search of maps that the caller may read */
  findLocations(
    scope: Scope,
    search: SearchOfViews,
    page: PageRequest<SearchSortKey>,
  ): Promise<Page<SearchHitView>> {
    return readPage(page, async (range) =>
      viewsOf(search, await this.#storage.findLocations(plain(search), range, scope)),
    );
  }

  /** The same page as JSON, each location written by the template. */
  async findLocationsJson(
    scope: Scope,
    search: SearchOfViews,
    page: PageRequest<SearchSortKey>,
    template: LocationTemplate,
  ): Promise<SearchPageJson> {
    if (publicMapOf(search) === null) {
      return this.#storage.findLocationsJson(plain(search), page, template, scope);
    }
    const { items, ...ends } = await this.findLocations(scope, search, page);
    const locations = items.map(({ location }) => location);
    return { ...keysOfEnds(ends), json: await toJson(template, locations) };
  }

  /** Whether anything matches within these exclusive bounds. */
  async hasLocations(
    scope: Scope,
    search: SearchOfViews,
    range: Pick<PageRequest<SearchSortKey>, 'after' | 'before'>,
  ): Promise<boolean> {
    const page = { ...range, limit: 1, fromEnd: false };
    return (await this.#storage.findLocations(plain(search), page, scope)).length > 0;
  }

  async countLocations(scope: Scope, search: SearchOfViews): Promise<number> {
    return this.#storage.countMatches(plain(search), scope);
  }

  /** @throws ServiceError BAD_USER_INPUT for more than 2,000 clusters */
  async findClusters(
    scope: Scope,
    query: { readonly map: MapView; readonly filter: LocationFilter | null; readonly grid: ClusterGrid },
  ): Promise<readonly ClusterView[]> {
    const { map, grid } = query;
    const filter =
      query.filter === null || map.view !== 'public'
        ? query.filter
        : publicSearch({ filter: query.filter }, map).filter;
    const inMap = searchedMap(map);
    if (filter !== null) assertBounds(filter, [inMap.fields]);
    const stored = { map: inMap, filter, grid, limit: MAX_CLUSTERS };
    const clusters = await this.#storage.findClusters(stored, scope);
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
  }

  /**
   * Deletes what a filter matches, except locations that are changed or deleted concurrently.
   *
   * @returns the ids of the deleted locations, in list order
   * @throws ServiceError BAD_USER_INPUT for more than 10,000 matches; CONFLICT for another number than expected. Then
   *   nothing is deleted
   */
  deleteMatches(
    scope: Scope,
    mapId: string,
    targets: MatchTargets<number>,
  ): Promise<WrittenMap & { readonly deletedIds: readonly string[] }> {
    const audited = {
      operation: 'deleteLocations',
      subject: { mapId, ids: [] },
      done: ({ deletedIds }: { readonly deletedIds: readonly string[] }) => ok(mapId, deletedIds),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const storage = this.#storage;
      const { filter, expectedCount } = targets;
      const { map } = await authorize(storage, scope, mapId, { role: 'editor' });
      const inMap = searchedMap(map);
      assertBounds(filter, [inMap.fields]);
      const found = await storage.findVersions({ map: inMap, filter }, MAX_DELETED + 1, scope);
      assertMatchCount(found.length, expectedCount, MAX_DELETED, 'delete');
      const deletedIds: string[] = [];
      for (let start = 0; start < found.length; start += DELETE_BATCH) {
        const batch = found.slice(start, start + DELETE_BATCH);
        const result = await storage.deleteVersions(mapId, batch, called);
        if (result.kind !== 'done') throw mapUnavailableError(result);
        deletedIds.push(...result.deletedIds);
      }
      return { map, historyId: historyIdOf(called, deletedIds.length > 0), deletedIds };
    });
  }
}

/**
 * The search without the maps' secrets and other members that a store does not need.
 *
 * @throws ServiceError BAD_USER_INPUT for anything that is not public in a public map
 */
function plain(search: SearchOfViews): LocationSearch {
  const { maps, filter, order } = search;
  const plainSearch = { maps: maps.map(searchedMap), filter, order };
  const map = publicMapOf(search);
  return map === null ? plainSearch : publicSearch(plainSearch, map);
}

function publicMapOf({ maps }: SearchOfViews): PublicMap | null {
  const first = maps.at(0);
  return first?.view === 'public' ? first : null;
}

function viewsOf(search: SearchOfViews, found: readonly SearchHit[]): readonly SearchHitView[] {
  const map = publicMapOf(search);
  if (map === null) return found;
  const show = locationView(map);
  return found.map(({ location, key }) => ({ location: show(location), key }));
}
