/** Checks in the contract's order (§1): the caller, the token's scope, the map and the role on it. Arguments come after them. */

import { isMapId } from '../domain/ids.ts';
import type { MapRecord } from '../domain/map.ts';
import { memberRole } from '../domain/members.ts';
import type { MapView } from '../domain/public-view.ts';
import type { MapRole } from '../domain/role.ts';
import { includesRole } from '../domain/role.ts';
import { ServiceError } from '../errors.ts';
import type { Storage, TokenScope } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { mapNotFound, requireCaller, requireNotDeleted, requireWriter } from './caller.ts';
import type { Scope } from './scope.ts';

/** What a method requires of its caller and map. */
export interface Access {
  readonly role: MapRole;
  /** By default `read` for viewers, and `write` for the other roles. */
  readonly scope?: TokenScope;
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
  storage: Pick<Storage, 'getMaps'>,
  scope: Scope,
  mapId: string,
  access: Access,
): Promise<Authorization> {
  const caller = requireScope(scope.caller, access);
  const [found = null] = isMapId(mapId) ? await storage.getMaps([mapId], scope) : [];
  return { caller, map: requireAccess(caller, found, access) };
}

/**
 * The same for a map that was read before.
 *
 * @param what that the public does not see, to complete the sentence `… of a map are not public`
 * @throws ServiceError also FORBIDDEN for a map in the public view
 */
export function authorizeOn(scope: Scope, map: MapView, access: Access, what: string): Authorization {
  if (map.view === 'public') throw new ServiceError('FORBIDDEN', `The ${what} of a map are not public.`);
  const caller = requireScope(scope.caller, access);
  return { caller, map: requireAccess(caller, map, access) };
}

/** The caller's role on a map; null if the caller is no member, or limited to another map. */
export function roleOn(
  { kind, ownerId, scope, mapId }: Caller,
  { id, members }: Pick<MapRecord, 'id' | 'members'>,
): MapRole | null {
  if (mapId !== null && mapId !== id) return null;
  if (kind === 'link') return scope === 'write' ? 'editor' : 'viewer';
  return memberRole(members, ownerId);
}

/** @throws ServiceError MAP_NOT_FOUND, the same for an unknown map and for one that the caller is no member of */
export function requireMember(caller: Caller, map: MapRecord | null): MapRecord {
  if (map === null || roleOn(caller, map) === null) throw mapNotFound();
  return map;
}

function requireScope(caller: Caller | null, { role, scope }: Access): Caller {
  const needed = scope ?? (role === 'viewer' ? 'read' : 'write');
  return needed === 'write' ? requireWriter(caller) : requireCaller(caller);
}

function requireAccess(
  caller: Caller,
  found: MapRecord | null,
  { role: needed, evenIfDeleted = false }: Access,
): MapRecord {
  const role = found === null ? null : roleOn(caller, found);
  if (found === null || role === null) throw mapNotFound();
  if (!includesRole(role, needed)) {
    throw new ServiceError('FORBIDDEN', `Your role on this map is ${role}; the role ${needed} is required.`);
  }
  return evenIfDeleted ? found : requireNotDeleted(found);
}
