/** The caller of a service, its permissions, and the errors for maps and locations it cannot use. */

import type { MapRecord } from '../domain/map.ts';
import type { MapView } from '../domain/public-view.ts';
import { ServiceError } from '../errors.ts';
import type { MapUnavailable, TokenScope } from '../storage/storage.ts';

/** In place of a token id, for the command line. */
export const OPERATOR_TOKEN_ID = 'operator';

export interface Caller {
  readonly ownerId: string;
  /** Empty in a gateway: only the upstream knows the owner. */
  readonly ownerName: string;
  readonly scope: TokenScope;
  /** The only map that the caller may use; null for all maps of its owner. */
  readonly mapId: string | null;
  /** Idempotency keys, rate limits and quotas are counted by it. For a JWT: its owner's name and scope. */
  readonly tokenId: string;
  /** Milliseconds since the epoch; null for never. */
  readonly expiresAt: number | null;
  /** False until the first write of an owner named by a JWT; {@link storedOwnerId} creates the owner. */
  readonly isOwnerStored: boolean;
}

export function unauthenticated(message: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', message);
}

/** @throws ServiceError UNAUTHENTICATED if the request has no token */
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

/** The same error for unknown, deleted and unpublished maps. */
export function mapNotPublic(): ServiceError {
  return new ServiceError('MAP_NOT_FOUND', 'There is no such map, or it is not public.');
}

export function mapDeleted(): ServiceError {
  return new ServiceError('MAP_DELETED', 'The map is deleted; restoring it makes it usable again.');
}

/** The error for a map that a store refused to use. */
export function mapUnavailableError({ kind }: MapUnavailable): ServiceError {
  return kind === 'map-deleted' ? mapDeleted() : mapNotFound();
}

export function locationNotFound(): ServiceError {
  return new ServiceError('LOCATION_NOT_FOUND', 'There is no such location in this map.');
}

/** Whether the map belongs to the caller's owner, and the caller is not limited to another one. */
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
