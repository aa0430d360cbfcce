/** Public maps: published, not deleted, in the public view (capabilities §12). */

import { isMapId } from '../../domain/ids.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { MapView, PublicMap } from '../../domain/public-view.ts';
import { publicMap } from '../../domain/public-view.ts';
import type { ServiceError } from '../../errors.ts';
import type { PublishedMapEntry, Storage } from '../../storage/storage.ts';
import { roleOn } from '../authorization.ts';
import type { Caller } from '../caller.ts';
import { mapNotPublic, requireNotDeleted } from '../caller.ts';
import { toResult } from '../../domain/result.ts';
import type { Scope } from '../scope.ts';

export interface PublicMapService {
  /**
   * One entry per id, in the same order: the public map, or MAP_NOT_FOUND. Independent of the caller's token, but a link
   * opens its map even if it is not published. Calls the store at most once.
   */
  find(scope: Scope, ids: readonly string[]): Promise<(PublicMap | ServiceError)[]>;
  /**
   * The map in its members' view if the caller is one, else the public map.
   *
   * @throws ServiceError MAP_NOT_FOUND; MAP_DELETED only for its members
   */
  findReadable(scope: Scope, id: string): Promise<MapView>;
  /** A page of the published maps of all owners, by id. */
  listPublished(
    scope: Scope,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly PublishedMapEntry[]>;
  /** The ids of such a page. `next` is the last of them; null if there are no more maps. */
  listPublishedPage(
    scope: Scope,
    page: { readonly after: string; readonly limit: number },
  ): Promise<{ readonly ids: readonly string[]; readonly next: string | null }>;
}

export function createPublicMapService(
  storage: Pick<Storage, 'getMaps' | 'listPublishedMaps'>,
): PublicMapService {
  return {
    findReadable: (scope, id) => readableMap(storage, scope, id),
    listPublished: (scope, page) => storage.listPublishedMaps(page, scope),
    async listPublishedPage(scope, { after, limit }) {
      const listed = await storage.listPublishedMaps({ after, limit: limit + 1 }, scope);
      const ids = listed.slice(0, limit).map(({ id }) => id);
      return { ids, next: listed.length > limit ? (ids.at(-1) ?? null) : null };
    },
    async find(scope, ids) {
      const wellFormed = ids.filter(isMapId);
      const found = wellFormed.length === 0 ? [] : await storage.getMaps(wellFormed, scope);
      const byId = new Map(found.map((map, index) => [wellFormed[index], map]));
      return ids.map((id) => toResult(() => requirePublic(byId.get(id) ?? null, scope.caller)));
    },
  };
}

/**
 * The map in its members' view if the caller is one, else in the public view.
 *
 * @throws ServiceError MAP_NOT_FOUND; MAP_DELETED only for its members
 */
export async function readableMap(
  storage: Pick<Storage, 'getMaps'>,
  scope: Scope,
  id: string,
): Promise<MapView> {
  const { caller } = scope;
  const [map = null] = isMapId(id) ? await storage.getMaps([id], scope) : [];
  return map !== null && caller !== null && roleOn(caller, map) !== null
    ? requireNotDeleted(map)
    : requirePublic(map, caller);
}

/** @throws ServiceError MAP_NOT_FOUND */
function requirePublic(map: MapRecord | null, caller: Caller | null): PublicMap {
  const isOpened = map !== null && caller?.kind === 'link' && roleOn(caller, map) !== null;
  if (map === null || map.isDeleted || !(map.isPublished || isOpened)) throw mapNotPublic();
  return publicMap(map);
}
