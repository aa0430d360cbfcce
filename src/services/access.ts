/** The order of checks (contract §1): who asks, what the token may do, the map, and only then the rest. */

import { isMapId } from '../domain/ids.ts';
import type { MapRecord } from '../domain/map.ts';
import type { Storage, TokenScope } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { requireCaller, requireNotDeleted, requireOwnMap, requireWriter } from './caller.ts';
import type { Scope } from './scope.ts';

/** What a verb needs before it looks at its arguments. */
export interface Access {
  readonly scope: TokenScope;
  /** A deleted map can be read and restored, and nothing else. */
  readonly evenIfDeleted?: boolean;
}

export interface Admission {
  readonly caller: Caller;
  readonly map: MapRecord;
}

/**
 * The step that every verb about one map begins with, and that a door takes by itself where a request is wrong in its
 * very form.
 *
 * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED
 */
export async function admit(
  storage: Storage,
  scope: Scope,
  mapId: string,
  { scope: needed, evenIfDeleted = false }: Access,
): Promise<Admission> {
  const caller = needed === 'write' ? requireWriter(scope.caller) : requireCaller(scope.caller);
  const [found = null] = isMapId(mapId) ? await storage.getMaps([mapId], scope) : [];
  const map = requireOwnMap(caller, found);
  return { caller, map: evenIfDeleted ? map : requireNotDeleted(map) };
}
