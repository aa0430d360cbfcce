/** What the payload of a JWT means here. Its signature, issuer, audience and times were checked before. */

import { isBlank, isPlainText } from '../domain/text.ts';
import { ServiceError } from '../errors.ts';
import type { VerifiedJwt } from './jwt.ts';

export interface ClaimNames {
  readonly owner: string;
  readonly scope: string;
}

export type Payload = Readonly<Record<string, unknown>>;

const READ = 'map-locations:read';
const WRITE = 'map-locations:write';

/** Code points. OpenID Connect allows a `sub` of 255. */
const MAX_OWNER_CLAIM = 255;
/** The last time that a Date can hold, in seconds since the epoch. */
const MAX_TIME = 8.64e12;

/** @throws ServiceError UNAUTHENTICATED */
export function readClaims(payload: Payload, issuer: string, names: ClaimNames): VerifiedJwt {
  const owner = claimOf(payload, names.owner);
  if (typeof owner !== 'string' || !isOwner(owner)) throw invalidClaim(names.owner);
  const expiry = claimOf(payload, 'exp');
  if (typeof expiry !== 'number' || Math.abs(expiry) > MAX_TIME) throw invalidClaim('exp');
  return {
    ownerName: `${issuer}#${owner}`,
    scope: scopeOf(claimOf(payload, names.scope)),
    expiresAt: Math.floor(expiry * 1000),
  };
}

/** @param claim the name, never a value: that may be anybody's secret */
export function invalidClaim(claim: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', `The token is not valid: its claim ${claim} is not accepted.`);
}

/** The name of a claim is a setting: it must not reach what every object inherits. */
function claimOf(payload: Payload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

function isOwner(text: string): boolean {
  return isPlainText(text, MAX_OWNER_CLAIM) && !isBlank(text);
}

/** Writing includes reading. */
function scopeOf(claim: unknown): VerifiedJwt['scope'] {
  const scopes: readonly unknown[] =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  if (scopes.includes(WRITE)) return 'write';
  return scopes.includes(READ) ? 'read' : null;
}
