/** Owners, their accounts, sessions and tokens. */

import type { SecretPurpose, TokenScope } from '../../storage.ts';

export interface OwnerDocument {
  readonly _id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly createdAt: Date;
}

export interface AccountDocument {
  /** The owner's id. */
  readonly _id: string;
  readonly passwordHash?: string;
  readonly isDisabled: boolean;
  readonly createdAt: Date;
}

export interface OneTimeSecretDocument {
  /** SHA-256. */
  readonly _id: string;
  readonly purpose: SecretPurpose;
  readonly ownerId?: string;
  readonly data?: string;
  readonly expiresAt: Date;
}

export interface SessionDocument {
  readonly _id: string;
  readonly hash: string;
  readonly ownerId: string;
  /** Copied from the owner, as in a token. */
  readonly ownerName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent?: string;
  /** Sealed. */
  readonly idToken?: string;
}

export interface SignInAttemptsDocument {
  /** What the attempts count for. */
  readonly _id: string;
  readonly attempts: readonly { readonly id: string; readonly until: Date }[];
  /** When the last of them expires. */
  readonly expiresAt: Date;
}

export interface TokenDocument {
  readonly _id: string;
  /** Absent for a token. */
  readonly kind?: 'link';
  readonly hash: string;
  readonly ownerId: string;
  /** Copied from the owner, since every request needs it; renaming an owner changes the copies. */
  readonly ownerName: string;
  readonly name?: string;
  readonly scope: TokenScope;
  readonly mapId?: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
}
