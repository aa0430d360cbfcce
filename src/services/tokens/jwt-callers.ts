/** Callers with a JWT: the JWT names their owner, who is created by the first write. */

import { derivedOwnerId } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import type { JwtVerifier } from '../../jwt/jwt.ts';
import type { Storage, StorageScope } from '../../storage/storage.ts';
import type { Caller } from '../caller.ts';

/** Every JWT has a dot; our own tokens have none. */
export function looksLikeJwt(token: string): boolean {
  return token.includes('.');
}

/** @throws ServiceError UNAUTHENTICATED, FORBIDDEN, ISSUER_UNAVAILABLE */
export async function callerOfJwt(
  token: string,
  verifier: JwtVerifier,
  storage: Pick<Storage, 'findOwnerByName'>,
  within?: StorageScope,
): Promise<Caller> {
  const { ownerName, scope, expiresAt } = await verifier.verify(token, within?.requestId);
  if (scope === null) {
    throw new ServiceError(
      'FORBIDDEN',
      'This token has neither of the scopes map-locations:read and map-locations:write.',
    );
  }
  const owner = await storage.findOwnerByName(ownerName, within);
  return {
    kind: 'jwt',
    ownerId: owner?.id ?? derivedOwnerId(ownerName),
    ownerName,
    scope,
    mapId: null,
    tokenId: `${ownerName} ${scope}`,
    sessionId: null,
    expiresAt,
    isOwnerStored: owner !== null,
  };
}

/**
 * The id of the caller's owner. Creates the owner if necessary, so call it after all checks of a write.
 *
 * @param now milliseconds since the epoch
 */
export async function storedOwnerId(
  storage: Pick<Storage, 'findOrCreateOwner'>,
  { ownerId, ownerName, isOwnerStored }: Caller,
  now: number,
): Promise<string> {
  if (isOwnerStored) return ownerId;
  const { owner } = await storage.findOrCreateOwner({ id: ownerId, name: ownerName, createdAt: now });
  return owner.id;
}
