/** The caller of a service, its permissions, and the errors for maps and locations it cannot use. */

import type { MapView } from '../domain/public-view.ts';
import { ServiceError } from '../errors.ts';
import type { MapUnavailable, TokenScope } from '../storage/storage.ts';

/** In place of a token id, for the command line. */
export const OPERATOR_TOKEN_ID = 'operator';

/** How a caller has authenticated: with a token, a session, a JWT, a link to a map, or as the command line. */
export type CallerKind = 'token' | 'session' | 'jwt' | 'link' | 'operator';

export interface Caller {
  readonly kind: CallerKind;
  /** For a link, its own id: it has none of the rights of the owner who made it. */
  readonly ownerId: string;
  /** Empty in a gateway: only the upstream knows the owner. `link:NAME` for a link. */
  readonly ownerName: string;
  readonly scope: TokenScope;
  /** The only map that the caller may use; null for all maps that its owner is a member of. */
  readonly mapId: string | null;
  /**
   * Idempotency keys, rate limits and quotas are counted by it. For a JWT: its owner's name and scope. For a session: its
   * owner's id, so that they outlive a sign-in.
   */
  readonly tokenId: string;
  /** Null for a caller without a session. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch; null for never. */
  readonly expiresAt: number | null;
  /** False until the first write of an owner named by a JWT; {@link storedOwnerId} creates the owner. */
  readonly isOwnerStored: boolean;
}

export function unauthenticated(message: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', message);
}

/** @throws ServiceError UNAUTHENTICATED if the request has neither a token nor a session */
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

/** Whether the caller may not act for its owner as a whole. */
export function isLimited({ scope, mapId }: Pick<Caller, 'scope' | 'mapId'>): boolean {
  return scope !== 'write' || mapId !== null;
}

/**
 * For what concerns no single map.
 *
 * @param what completes the sentence `This token is limited to one map; it may not …`
 * @throws ServiceError UNAUTHENTICATED, FORBIDDEN
 */
export function requireUnlimited(caller: Caller | null, what: string): Caller {
  const known = requireWriter(caller);
  if (known.mapId !== null) {
    throw new ServiceError('FORBIDDEN', `This token is limited to one map; it may not ${what}.`);
  }
  return known;
}

/**
 * For the sessions and the password of an account, which are its person's, not a program's.
 *
 * @throws ServiceError UNAUTHENTICATED, FORBIDDEN
 */
export function requireSession(caller: Caller | null): Caller & { readonly sessionId: string } {
  const { sessionId, ...known } = requireCaller(caller);
  if (sessionId === null) {
    throw new ServiceError('FORBIDDEN', 'A token may not do this; it needs a session of the console.');
  }
  return { ...known, sessionId };
}

/** For what concerns the members of a map. @throws ServiceError FORBIDDEN for a link */
export function requireNoLink({ kind }: Caller, what: string): void {
  if (kind === 'link') throw new ServiceError('FORBIDDEN', `A link to a map may not ${what}.`);
}

/** The same error for an unknown map and for one that the caller is no member of. */
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

/** @throws ServiceError MAP_DELETED */
export function requireNotDeleted<M extends MapView>(map: M): M {
  if (map.isDeleted) throw mapDeleted();
  return map;
}
