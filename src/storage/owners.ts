/** Owners of maps: part of the storage port. */

import type { StorageScope } from './storage-scope.ts';

export interface OwnerRecord {
  readonly id: string;
  /** Unique in the store. */
  readonly name: string;
  /** What the identity provider calls the person. Not unique; null if there is no such name. */
  readonly displayName: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export type NewOwner = Omit<OwnerRecord, 'displayName'>;

export interface OwnerStorage {
  /** Finds the owner with that name, or stores this one. Of several concurrent calls one stores its owner. */
  findOrCreateOwner(owner: NewOwner): Promise<{ owner: OwnerRecord; created: boolean }>;
  findOwnerByName(name: string, scope?: StorageScope): Promise<OwnerRecord | null>;
  findOwner(id: string): Promise<OwnerRecord | null>;
  /** One entry per id, in order; null for an unknown owner. */
  findOwners(ids: readonly string[], scope?: StorageScope): Promise<readonly (OwnerRecord | null)[]>;
  /** Resolves to false if there is no such owner, or another one has the name. */
  renameOwner(id: string, name: string): Promise<boolean>;
  /** Ignores an unknown owner. */
  setDisplayName(ownerId: string, displayName: string | null): Promise<void>;
  /** All owners, by name. */
  listOwners(): Promise<readonly OwnerRecord[]>;
}
