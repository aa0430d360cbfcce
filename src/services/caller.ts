/** Who calls, and what the caller may do. Every service verb begins with this. */

import type { MapRecord } from '../domain/map.ts';
import { ServiceError } from '../errors.ts';
import type { TokenScope } from '../storage/storage.ts';

export interface Caller {
  readonly ownerId: string;
  readonly ownerName: string;
  readonly scope: TokenScope;
  /** The only map that the caller may use; null when it may use all maps of its owner. */
  readonly mapId: string | null;
  /** The caller's idempotency keys belong to this token. */
  readonly tokenId: string;
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

export function maySeeMap(caller: Caller, mapId: string): boolean {
  return caller.mapId === null || caller.mapId === mapId;
}

/** The same error for an unknown map and for another owner's. */
export function mapNotFound(): ServiceError {
  return new ServiceError('MAP_NOT_FOUND', 'There is no such map, or it is not yours.');
}

export function mapDeleted(): ServiceError {
  return new ServiceError('MAP_DELETED', 'The map is deleted; restoring it makes it usable again.');
}

export function locationNotFound(): ServiceError {
  return new ServiceError('LOCATION_NOT_FOUND', 'There is no such location in this map.');
}

/** @throws ServiceError MAP_NOT_FOUND */
export function requireOwnMap(caller: Caller, map: MapRecord | null): MapRecord {
  if (map?.ownerId !== caller.ownerId || !maySeeMap(caller, map.id)) throw mapNotFound();
  return map;
}

/** @throws ServiceError MAP_DELETED */
export function requireNotDeleted(map: MapRecord): MapRecord {
  if (map.isDeleted) throw mapDeleted();
  return map;
}
