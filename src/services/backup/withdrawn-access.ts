/**
 * Access that a store has withdrawn, by revoking tokens and disabling accounts: a restore does not give it back. While the
 * restore runs, it is kept in meta values, so that none is lost if the restore crashes.
 */

import type { AccountRecord, OwnerRecord, Storage } from '../../storage/storage.ts';

export interface WithdrawnAccess {
  /** Times of revocation in milliseconds since the epoch, by token id. */
  readonly revocations: ReadonlyMap<string, number>;
  /** By owner id. */
  readonly disabledAccounts: ReadonlyMap<string, DisabledAccount>;
}

/** `name` is its owner's. */
type DisabledAccount = Pick<OwnerRecord, 'name'> & Pick<AccountRecord, 'createdAt'>;

/** Numbers of meta values that hold withdrawn access. */
export interface SavedLists {
  readonly revokedLists: number;
  readonly disabledLists: number;
}

export const NO_LISTS: SavedLists = { revokedLists: 0, disabledLists: 0 };

/** Entries per meta value; far below the maximum size of a MongoDB document. */
const ENTRIES_PER_LIST = 10_000;
const REVOKED = 'restore-revoked';
const DISABLED = 'restore-disabled';

/** The keys of the meta values. */
export function keysOf({ revokedLists, disabledLists }: SavedLists): readonly string[] {
  return [...keys(REVOKED, revokedLists), ...keys(DISABLED, disabledLists)];
}

/** That of the store, and that which an interrupted restore has saved. */
export async function readWithdrawnAccess(storage: Storage, saved: SavedLists): Promise<WithdrawnAccess> {
  const revocations = new Map(await readLists<number>(storage, keys(REVOKED, saved.revokedLists)));
  for (const { id, revokedAt } of await storage.listTokens()) {
    if (revokedAt !== null && !revocations.has(id)) revocations.set(id, revokedAt);
  }
  const disabledAccounts = new Map(
    await readLists<DisabledAccount>(storage, keys(DISABLED, saved.disabledLists)),
  );
  const disabled = (await storage.listAccounts()).filter(({ isDisabled }) => isDisabled);
  const owners = await storage.findOwners(disabled.map(({ ownerId }) => ownerId));
  for (const [index, { ownerId, createdAt }] of disabled.entries()) {
    const name = owners[index]?.name;
    if (name !== undefined) disabledAccounts.set(ownerId, { name, createdAt });
  }
  return { revocations, disabledAccounts };
}

export async function saveWithdrawnAccess(
  storage: Storage,
  { revocations, disabledAccounts }: WithdrawnAccess,
): Promise<SavedLists> {
  return {
    revokedLists: await saveLists(storage, REVOKED, [...revocations]),
    disabledLists: await saveLists(storage, DISABLED, [...disabledAccounts]),
  };
}

/**
 * Disables accounts in a store that a backup was loaded into. One that the backup lacks is made: otherwise its person could
 * sign up again at a provider.
 */
export async function disableAccounts(
  storage: Storage,
  accounts: WithdrawnAccess['disabledAccounts'],
  now: number,
): Promise<void> {
  for (const [id, { name, createdAt }] of accounts) {
    const owner =
      (await storage.findOwner(id)) ?? (await storage.findOrCreateOwner({ id, name, createdAt: now })).owner;
    const account = { ownerId: owner.id, passwordHash: null, isDisabled: true, createdAt };
    if (!(await storage.insertAccount(account))) await storage.updateAccount(owner.id, { isDisabled: true });
  }
}

function keys(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

type Entry<T> = readonly [id: string, value: T];

async function readLists<T>(storage: Storage, names: readonly string[]): Promise<readonly Entry<T>[]> {
  const entries: Entry<T>[] = [];
  for (const key of names) {
    entries.push(...(JSON.parse((await storage.getMeta(key)) ?? '[]') as readonly Entry<T>[]));
  }
  return entries;
}

/** @returns the number of lists */
async function saveLists(storage: Storage, prefix: string, entries: readonly Entry<unknown>[]) {
  const count = Math.ceil(entries.length / ENTRIES_PER_LIST);
  for (const [index, key] of keys(prefix, count).entries()) {
    const part = entries.slice(index * ENTRIES_PER_LIST, (index + 1) * ENTRIES_PER_LIST);
    await storage.setMeta(key, JSON.stringify(part));
  }
  return count;
}
