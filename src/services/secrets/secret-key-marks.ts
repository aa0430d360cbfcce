/**
 * The marks of a store: a known text, sealed with each SECRET_KEY that may have sealed the store's secrets, separated by
 * blanks. A start checks by them whether the settings open everything. A store has two marks from the first start with a
 * new SECRET_KEY until `secrets rotate` has completed.
 */

import type { Storage } from '../../storage/storage.ts';
import type { Secrets } from './secrets.ts';
import { SecretKeyError } from './secrets.ts';

/** Meta key of the marks. */
export const SECRET_KEY_CHECK = 'secret-key-check';
const CHECK_TEXT = 'map-locations';

/**
 * Marks the store with SECRET_KEY before the first secret is sealed with it.
 *
 * @returns false if the store has no mark and there is no SECRET_KEY
 * @throws SecretKeyError naming SECRET_KEY if the settings cannot open what the store holds
 */
export async function assertMarked(storage: Storage, secrets: Secrets): Promise<boolean> {
  let marks = await storage.getMeta(SECRET_KEY_CHECK);
  if (marks === null && secrets.hasKey) {
    // Only the first process sets it, even if processes with different keys start at once.
    await storage.setMetaIfAbsent(SECRET_KEY_CHECK, secrets.seal(CHECK_TEXT));
    marks = await storage.getMeta(SECRET_KEY_CHECK);
  }
  if (marks === null) return false;
  assertOpens(secrets, marks);
  if (!isMarked(secrets, marks)) {
    await storage.setMeta(SECRET_KEY_CHECK, `${marks} ${secrets.seal(CHECK_TEXT)}`);
  }
  return true;
}

/** From now on, SECRET_KEY alone opens everything. */
export async function markRotated(storage: Storage, secrets: Secrets): Promise<void> {
  await storage.setMeta(SECRET_KEY_CHECK, secrets.seal(CHECK_TEXT));
}

/** How many of the marks the settings open. */
export function opened(secrets: Secrets, marks: string): 'all' | 'some' | 'none' {
  const each = marks.split(' ').map((mark) => isOpened(secrets, mark));
  if (each.every(Boolean)) return 'all';
  return each.some(Boolean) ? 'some' : 'none';
}

function isOpened(secrets: Secrets, mark: string): boolean {
  try {
    // Anyone opens a mark in the clear, so it proves nothing.
    return secrets.hasKey && secrets.open(mark) === CHECK_TEXT;
  } catch (error) {
    if (error instanceof SecretKeyError) return false;
    throw error;
  }
}

function isMarked(secrets: Secrets, marks: string): boolean {
  return marks.split(' ').some((mark) => secrets.isCurrent(mark));
}

function assertOpens(secrets: Secrets, marks: string): void {
  const count = opened(secrets, marks);
  if (count === 'all') return;
  if (!secrets.hasKey) {
    throw new SecretKeyError('SECRET_KEY is not set, but the API keys in this store are encrypted with one.');
  }
  throw new SecretKeyError(
    count === 'none'
      ? 'SECRET_KEY is not the one that the API keys in this store were encrypted with.'
      : 'SECRET_KEY is one of two keys that API keys in this store are encrypted with: set SECRET_KEY_FALLBACK to the other one until map-locations secrets rotate has completed.',
  );
}
