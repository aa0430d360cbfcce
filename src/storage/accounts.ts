/**
 * Accounts, their sessions, and what signing in needs: part of the storage port. All times are milliseconds since the epoch.
 *
 * Accounts are part of dumps, snapshots and copies. Sessions, one-time secrets and attempts are not: a copy of a store must
 * not be a way to sign in.
 */

import type { StorageScope } from './storage-scope.ts';

/** An owner that signs in. */
export interface AccountRecord {
  readonly ownerId: string;
  /** With the parameters of its function; null for an account without a password. */
  readonly passwordHash: string | null;
  /** True: nobody signs in. */
  readonly isDisabled: boolean;
  readonly createdAt: number;
}

export type AccountPatch = Partial<Pick<AccountRecord, 'passwordHash' | 'isDisabled'>>;

/** A link that sets up an account, a link that resets its password, or a sign-in that is under way at a provider. */
export type SecretPurpose = 'setup' | 'reset' | 'provider';

export interface OneTimeSecret {
  /** SHA-256 of the secret, lower-case hex. The secret itself is never stored. */
  readonly hash: string;
  readonly purpose: SecretPurpose;
  /** Null if the secret is for no account yet. */
  readonly ownerId: string | null;
  readonly data: string | null;
  readonly expiresAt: number;
}

export interface SessionRecord {
  readonly id: string;
  /** SHA-256 of the secret in the cookie, lower-case hex. */
  readonly hash: string;
  readonly ownerId: string;
  readonly createdAt: number;
  /** Stored at intervals; see {@link AccountStorage.saveSessionUses}. */
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  /** Of the request that signed in. */
  readonly userAgent: string | null;
  /** The provider's id token, sealed, for signing out there; null for a session of a password. */
  readonly idToken: string | null;
}

export interface SessionWithOwner extends SessionRecord {
  readonly ownerName: string;
}

/** A request authenticated with a session. */
export interface SessionUse {
  readonly sessionId: string;
  readonly usedAt: number;
  /** The session's new expiry. */
  readonly expiresAt: number;
}

/** All sessions of an owner, but for one: that of the request, if there is one. */
export interface OtherSessions {
  readonly except: string | null;
}

/** An attempt to sign in, counted under a name. */
export interface Attempt {
  readonly name: string;
  readonly id: string;
}

export interface AttemptLimit {
  /** Attempts that count at the same time. */
  readonly most: number;
  readonly now: number;
  /** When the new attempts stop counting. */
  readonly expiresAt: number;
}

export interface AccountStorage {
  /** Stores an account of a stored owner. Resolves to false if the owner has one. */
  insertAccount(account: AccountRecord): Promise<boolean>;
  findAccount(ownerId: string, scope?: StorageScope): Promise<AccountRecord | null>;
  /** All accounts by owner id. */
  listAccounts(): Promise<readonly AccountRecord[]>;
  /**
   * Applies the patch atomically.
   *
   * @param ifPasswordHash changes only an account with this password hash
   * @returns whether there is such an account
   */
  updateAccount(ownerId: string, patch: AccountPatch, ifPasswordHash?: string): Promise<boolean>;

  insertOneTimeSecret(secret: OneTimeSecret): Promise<void>;
  /** Null for one that has expired by `now`. */
  findOneTimeSecret(hash: string, now: number): Promise<OneTimeSecret | null>;
  /** As {@link findOneTimeSecret}, and removes it: one of several concurrent calls gets it. */
  takeOneTimeSecret(hash: string, now: number): Promise<OneTimeSecret | null>;
  /** Removes all secrets of the owner. */
  removeOneTimeSecrets(ownerId: string): Promise<void>;

  insertSession(session: SessionRecord): Promise<void>;
  /** Finds expired sessions, too. */
  findSessionByHash(hash: string, scope?: StorageScope): Promise<SessionWithOwner | null>;
  /** An owner's sessions, including expired ones, by time of creation, then id. */
  listSessions(ownerId: string, scope?: StorageScope): Promise<readonly SessionRecord[]>;
  /**
   * Removes these sessions of the owner. Ignores unknown ids.
   *
   * @returns the ids of the sessions that this call removed, in any order
   */
  removeSessions(ownerId: string, which: readonly string[] | OtherSessions): Promise<readonly string[]>;
  /** Stores when sessions were last used, and their new expiry; as {@link Storage.saveTokenUses}. */
  saveSessionUses(uses: readonly SessionUse[], intervalMs: number): Promise<void>;

  /**
   * Counts an attempt under each of the names, or under none if one of them has reached the limit. Concurrent calls never
   * exceed the limit together.
   *
   * @returns the attempts; or when the first attempt of the name at its limit stops counting
   */
  takeAttempts(
    names: readonly string[],
    limit: AttemptLimit,
  ): Promise<
    | { readonly kind: 'taken'; readonly attempts: readonly Attempt[] }
    | { readonly kind: 'full'; readonly until: number }
  >;
  /** Uncounts attempts, such as those that succeeded. */
  returnAttempts(attempts: readonly Attempt[]): Promise<void>;
}
