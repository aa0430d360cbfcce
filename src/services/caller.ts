/** Who calls, and what the caller may do. Every service verb begins with this. */

import type { MapRecord } from '../domain/map.ts';
import type { MapView } from '../domain/public-view.ts';
import { ServiceError } from '../errors.ts';
import type { TokenScope } from '../storage/storage.ts';

/** The command line has no token. */
export const OPERATOR_TOKEN_ID = 'operator';

export interface Caller {
  readonly ownerId: string;
  readonly ownerName: string;
  readonly scope: TokenScope;
  /** The only map that the caller may use; null when it may use all maps of its owner. */
  readonly mapId: string | null;
  /** To what idempotency keys, rates and quotas belong. A JWT has no id of its own: its owner's name and scope stand for it. */
  readonly tokenId: string;
  /** Milliseconds since the epoch; null for never. */
  readonly expiresAt: number | null;
  /** False before the first write of an owner whom a JWT names; storedOwnerId makes it. */
  readonly isOwnerStored: boolean;
  /** True for a caller of a gateway, of whom only the upstream knows who it is. */
  readonly isForwarded?: true;
}

export function unauthenticated(message: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', message);
}

/** @throws ServiceError UNAUTHENTICATED when the request carries no token */
export function requireCaller(caller: Caller | null): Caller {
  if (caller === null) {
    throw unauthenticated('A token is required: send the header "Authorization: Bearer <token>".');
  }
  return caller;
}

/** @throws ServiceError UNAUTHENTICATED, FORBIDDEN */
export function requireWriter(caller: Caller | null): Caller {
  const known = requireCaller(caller);
  if (known.scope !== 'write') {
    throw new ServiceError('FORBIDDEN', 'This token may only read; a token of scope write is required.');
  }
  return known;
}

/** The same error for an unknown map and for another owner's. */
export function mapNotFound(): ServiceError {
  return new ServiceError('MAP_NOT_FOUND', 'There is no such map, or it is not yours.');
}

/** The same error for an unknown map, one that is deleted and one that is not published. */
export function mapNotPublic(): ServiceError {
  return new ServiceError('MAP_NOT_FOUND', 'There is no such map, or it is not public.');
}

export function mapDeleted(): ServiceError {
  return new ServiceError('MAP_DELETED', 'The map is deleted; restoring it makes it usable again.');
}

export function locationNotFound(): ServiceError {
  return new ServiceError('LOCATION_NOT_FOUND', 'There is no such location in this map.');
}

/** Whether the map is the caller's owner's, and not another than the one that the caller is limited to. */
export function isOwnMap(caller: Caller, { id, ownerId }: MapRecord): boolean {
  return ownerId === caller.ownerId && (caller.mapId === null || caller.mapId === id);
}

/** @throws ServiceError MAP_NOT_FOUND */
export function requireOwnMap(caller: Caller, map: MapRecord | null): MapRecord {
  if (map === null || !isOwnMap(caller, map)) throw mapNotFound();
  return map;
}

/** @throws ServiceError MAP_DELETED */
export function requireNotDeleted<M extends MapView>(map: M): M {
  if (map.isDeleted) throw mapDeleted();
  return map;
}
