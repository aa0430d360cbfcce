/** Finding locations: by place, text and field (capabilities §10), in one map or in all of the caller's. */

import type { ClusterGrid } from '../domain/clusters.ts';
import { MAX_CLUSTERS } from '../domain/clusters.ts';
import type { LocationFilter } from '../domain/filter/location-filter.ts';
import { assertBounds } from '../domain/filter/location-filter.ts';
import type { FoundKey } from '../domain/filter/location-order.ts';
import type { FoundLocation, LocationSearch, SearchedMap } from '../domain/filter/location-search.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageRequest } from '../domain/paging.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { Cluster, FoundJson } from '../storage/finding.ts';
import type { Storage } from '../storage/storage.ts';
import { breathe } from '../time-slice.ts';
import { admit } from './access.ts';
import { requireCaller } from './caller.ts';
import { mapGoneError } from './maps.ts';
import { ownedMaps } from './owned-maps.ts';
import type { Page } from '../domain/pages.ts';
import { readPage } from '../domain/pages.ts';
import type { Scope } from './scope.ts';

export type { Cluster } from '../storage/finding.ts';

export interface FindingService {
  /** The caller's maps that are not deleted, in order of creation; only the one that the token is limited to. */
  searchedMaps(scope: Scope): Promise<readonly MapRecord[]>;
  /** @throws ServiceError BAD_USER_INPUT for a bound of the wrong kind for its field in every map */
  assertSearch(search: LocationSearch): void;
  /** @param search of maps that the caller may read */
  findLocations(
    scope: Scope,
    search: LocationSearch,
    page: PageRequest<FoundKey>,
  ): Promise<Page<FoundLocation>>;
  /** The same page as JSON, each location written by the template. */
  findLocationsJson(
    scope: Scope,
    search: LocationSearch,
    page: PageRequest<FoundKey>,
    template: LocationTemplate,
  ): Promise<FoundJson>;
  /** True when something is found within these exclusive bounds. */
  hasLocations(
    scope: Scope,
    search: LocationSearch,
    range: Pick<PageRequest<FoundKey>, 'after' | 'before'>,
  ): Promise<boolean>;
  countLocations(scope: Scope, search: LocationSearch): Promise<number>;
  /** @throws ServiceError BAD_USER_INPUT where there are more than 2,000 */
  findClusters(
    scope: Scope,
    query: { readonly map: MapRecord; readonly filter: LocationFilter | null; readonly grid: ClusterGrid },
  ): Promise<readonly Cluster[]>;
  /**
   * Deletes what a filter lets through, but for what others delete or change meanwhile.
   *
   * @returns the ids of what was deleted, by the list
   * @throws ServiceError BAD_USER_INPUT where the filter lets through more than 10,000 locations; CONFLICT where it is
   *   another number than expected. Then nothing is deleted
   */
  deleteFound(
    scope: Scope,
    mapId: string,
    doomed: { readonly filter: LocationFilter; readonly expectedCount: number },
  ): Promise<{ readonly map: MapRecord; readonly deletedIds: readonly string[] }>;
}

/** Locations that one call may delete by a filter. */
const MAX_DELETED = 10_000;
/** Locations that are deleted in one transaction. Others may write in between. */
const DELETED_AT_ONCE = 200;

export function createFindingService({ storage }: { readonly storage: Storage }): FindingService {
  return {
    async searchedMaps(scope) {
      const found: MapRecord[] = [];
      for await (const maps of ownedMaps(storage, scope, requireCaller(scope.caller))) {
        found.push(...maps.filter(({ isDeleted }) => !isDeleted));
        const pause = breathe();
        if (pause !== undefined) await pause;
      }
      return found;
    },

    assertSearch: ({ filter, maps }) =>
      assertBounds(
        filter,
        maps.map(({ fields }) => fields),
      ),

    findLocations: (scope, search, page) =>
      readPage(page, (asked) => storage.findLocations(plain(search), asked, scope)),

    findLocationsJson: async (scope, search, page, template) =>
      storage.findLocationsJson(plain(search), page, template, scope),

    hasLocations: async (scope, search, range) => {
      const page = { ...range, limit: 1, fromEnd: false };
      return (await storage.findLocations(plain(search), page, scope)).length > 0;
    },

    countLocations: async (scope, search) => storage.countFound(plain(search), scope),

    async findClusters(scope, { map, filter, grid }) {
      if (filter !== null) assertBounds(filter, [map.fields]);
      const query = { map: searched(map), filter, grid, limit: MAX_CLUSTERS };
      const clusters = await storage.findClusters(query, scope);
      if (clusters !== null) return clusters;
      throw badUserInput(
        `There are more than ${MAX_CLUSTERS} clusters; ask for a lower zoom or a smaller box.`,
      );
    },

    async deleteFound(scope, mapId, { filter, expectedCount }) {
      const { map } = await admit(storage, scope, mapId, { scope: 'write' });
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
        if (result.kind !== 'done') throw mapGoneError(result);
        deletedIds.push(...result.deletedIds);
      }
      return { map, deletedIds };
    },
  };
}

/** Without what a search does not need of its maps, such as their keys. */
function plain({ maps, filter, order }: LocationSearch): LocationSearch {
  return { maps: maps.map(searched), filter, order };
}

function searched({ id, createdAt, fields }: SearchedMap): SearchedMap {
  return { id, createdAt, fields };
}
