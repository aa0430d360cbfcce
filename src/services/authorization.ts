/** Checks in the contract's order (§1): the caller, the token's scope, the map. Arguments come after them. */

import { isMapId } from '../domain/ids.ts';
import type { MapRecord } from '../domain/map.ts';
import type { Storage, TokenScope } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { requireCaller, requireNotDeleted, requireOwnMap, requireWriter } from './caller.ts';
import type { Scope } from './scope.ts';

/** What a method requires of its caller and map. */
export interface Access {
  readonly scope: TokenScope;
  /** Whether the method also works on a deleted map, which can only be read and restored. */
  readonly evenIfDeleted?: boolean;
}

export interface Authorization {
  readonly caller: Caller;
  readonly map: MapRecord;
}

/**
 * The first step of every method about one map.
 *
 * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED
 */
export async function authorize(
  storage: Storage,
  scope: Scope,
  mapId: string,
  { scope: needed, evenIfDeleted = false }: Access,
): Promise<Authorization> {
  const caller = needed === 'write' ? requireWriter(scope.caller) : requireCaller(scope.caller);
  const [found = null] = isMapId(mapId) ? await storage.getMaps([mapId], scope) : [];
  const map = requireOwnMap(caller, found);
  return { caller, map: evenIfDeleted ? map : requireNotDeleted(map) };
}
