/**
 * The marks of a store: a known text, sealed with each SECRET_KEY that its API keys may be sealed with, separated by
 * blanks. They tell at a start whether the settings open everything. There are two of them from the first start with
 * another SECRET_KEY until `secrets rotate` is done.
 */

import type { Storage } from '../../storage/storage.ts';
import { sealAnew } from './seal-anew.ts';
import type { Secrets } from './secrets.ts';
import { SecretKeyError } from './secrets.ts';

/** The key of the store's own value that holds the marks. */
export const SECRET_KEY_CHECK = 'secret-key-check';
const CHECK_TEXT = 'map-locations';

/**
 * Runs at every start, before anything is served. Refuses settings that cannot open what the store holds, and seals keys
 * that were stored in the clear.
 *
 * @throws SecretKeyError naming SECRET_KEY
 */
export async function prepareSecrets(storage: Storage, secrets: Secrets): Promise<void> {
  let marks = await storage.getMeta(SECRET_KEY_CHECK);
  if (marks === null && secrets.hasKey) {
    // Only the first process sets it, even when processes with different keys start at once.
    await storage.setMetaIfAbsent(SECRET_KEY_CHECK, secrets.seal(CHECK_TEXT));
    marks = await storage.getMeta(SECRET_KEY_CHECK);
  }
  if (marks === null) return;
  assertOpens(secrets, marks);
  // Before the first key is sealed with it.
  if (!isMarked(secrets, marks)) {
    await storage.setMeta(SECRET_KEY_CHECK, `${marks} ${secrets.seal(CHECK_TEXT)}`);
  }
  // The last run may have been cut short, or a process without SECRET_KEY may have stored more keys.
  await sealAnew(storage, secrets, 'plain');
}

/** From now on SECRET_KEY alone is needed. */
export async function markRotated(storage: Storage, secrets: Secrets): Promise<void> {
  await storage.setMeta(SECRET_KEY_CHECK, secrets.seal(CHECK_TEXT));
}

/** How many of the keys that a store may be sealed with are given. */
export function opened(secrets: Secrets, marks: string): 'all' | 'some' | 'none' {
  const each = marks.split(' ').map((mark) => isOpened(secrets, mark));
  if (each.every(Boolean)) return 'all';
  return each.some(Boolean) ? 'some' : 'none';
}

function isOpened(secrets: Secrets, mark: string): boolean {
  try {
    // A mark in the clear says nothing.
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
      : 'SECRET_KEY is one of two that API keys in this store are encrypted with: set SECRET_KEY_FALLBACK to the other, until map-locations secrets rotate is done.',
  );
}
