/** Reads owner, scope and expiry from a JWT whose signature, issuer, audience and times are verified. */

import { isSubject, ownerNameOf } from '../domain/owner-name.ts';
import { ServiceError } from '../errors.ts';
import type { VerifiedJwt } from './jwt.ts';

export interface ClaimNames {
  readonly owner: string;
  readonly scope: string;
}

export type Payload = Readonly<Record<string, unknown>>;

const READ = 'map-locations:read';
const WRITE = 'map-locations:write';

/** The latest time of a Date, in seconds since the epoch. */
const MAX_TIME = 8.64e12;

/** @throws ServiceError UNAUTHENTICATED */
export function readClaims(payload: Payload, issuer: string, names: ClaimNames): VerifiedJwt {
  const owner = claimOf(payload, names.owner);
  if (typeof owner !== 'string' || !isSubject(owner)) throw invalidClaim(names.owner);
  const expiry = claimOf(payload, 'exp');
  if (typeof expiry !== 'number' || Math.abs(expiry) > MAX_TIME) throw invalidClaim('exp');
  return {
    ownerName: ownerNameOf(issuer, owner),
    scope: scopeOf(claimOf(payload, names.scope)),
    expiresAt: Math.floor(expiry * 1000),
  };
}

/** @param claim the name of the claim, never its value, which may be a secret */
export function invalidClaim(claim: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', `The token is not valid: its claim ${claim} is not accepted.`);
}

/** Claim names are settings, so they must not reach inherited properties. */
function claimOf(payload: Payload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

/** Write access includes read access. */
function scopeOf(claim: unknown): VerifiedJwt['scope'] {
  const scopes: readonly unknown[] =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  if (scopes.includes(WRITE)) return 'write';
  return scopes.includes(READ) ? 'read' : null;
}
