/**
 * Keeps which tokens are revoked in a store while all that it holds is replaced. It is stored before anything is removed,
 * in values of the store's own, so that a restore which dies loses no revocation.
 */

import type { Storage } from '../../storage/storage.ts';

/** Tokens of one value, which stays far below what a document of MongoDB may hold. */
const TOKENS_OF_LIST = 10_000;

/** When each token was revoked, milliseconds since the epoch, by its id. */
export type Revocations = ReadonlyMap<string, number>;

export function revokedListsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `restore-revoked-${index}`);
}

/** Those of the store's tokens, and those that an interrupted restore has kept in its lists. */
export async function readRevocations(storage: Storage, keptLists: number): Promise<Revocations> {
  const revocations = new Map<string, number>();
  for (const key of revokedListsOf(keptLists)) {
    const entries = JSON.parse((await storage.getMeta(key)) ?? '[]') as [string, number][];
    for (const [id, revokedAt] of entries) revocations.set(id, revokedAt);
  }
  for (const { id, revokedAt } of await storage.listTokens()) {
    if (revokedAt !== null && !revocations.has(id)) revocations.set(id, revokedAt);
  }
  return revocations;
}

/** @returns in how many lists */
export async function keepRevocations(storage: Storage, revocations: Revocations): Promise<number> {
  const entries = [...revocations];
  const count = Math.ceil(entries.length / TOKENS_OF_LIST);
  for (const [index, key] of revokedListsOf(count).entries()) {
    const part = entries.slice(index * TOKENS_OF_LIST, (index + 1) * TOKENS_OF_LIST);
    await storage.setMeta(key, JSON.stringify(part));
  }
  return count;
}
