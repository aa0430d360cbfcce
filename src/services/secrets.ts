/**
 * Keeps the maps' provider keys. Every stored key begins with how it is kept: `plain:` when the deployment has no
 * SECRET_KEY, else `aes-256-gcm:`, followed by base64url of nonce, tag and ciphertext.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import { OperatorError } from '../errors.ts';
import type { MapPatch, Storage } from '../storage/storage.ts';

const PLAIN = 'plain:';
const SEALED = 'aes-256-gcm:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Key of the store's own value that tells, at the start, whether SECRET_KEY is the one that sealed its keys. */
export const SECRET_KEY_CHECK = 'secret-key-check';
const CHECK_TEXT = 'map-locations';

export interface Secrets {
  seal(secret: string): string;
  open(stored: string): string;
}

/** The server cannot start: SECRET_KEY is missing, or is not the one that sealed the store's keys. */
export class SecretKeyError extends OperatorError {}

/** @param secretKey at least 32 characters; null keeps keys in the clear */
export function createSecrets(secretKey: string | null): Secrets {
  const key = secretKey === null ? null : deriveKey(secretKey);
  return {
    seal: (secret) => (key === null ? PLAIN + secret : SEALED + encrypt(key, secret)),
    open: (stored) => {
      if (stored.startsWith(PLAIN)) return stored.slice(PLAIN.length);
      if (key === null || !stored.startsWith(SEALED)) throw new SecretKeyError('A stored key is sealed.');
      return decrypt(key, stored.slice(SEALED.length));
    },
  };
}

/** The setting is a passphrase with enough entropy, not a password. HKDF (RFC 5869) gives it the right length. */
function deriveKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'map-locations api keys', 32));
}

function encrypt(key: Buffer, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

function decrypt(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  );
}

/**
 * Runs at every start, before anything is served. Refuses a SECRET_KEY that cannot open what the store holds, and seals
 * keys that were stored without one.
 *
 * @throws SecretKeyError naming SECRET_KEY
 */
export async function prepareSecrets(
  storage: Storage,
  secrets: Secrets,
  hasSecretKey: boolean,
): Promise<void> {
  let check = await storage.getMeta(SECRET_KEY_CHECK);
  if (check === null && hasSecretKey) {
    // Only the first process sets it, even when processes with different keys start at once.
    await storage.setMetaIfAbsent(SECRET_KEY_CHECK, secrets.seal(CHECK_TEXT));
    check = await storage.getMeta(SECRET_KEY_CHECK);
  }
  if (check === null) return;
  assertOpens(secrets, check, hasSecretKey);
  await sealPlainKeys(storage, secrets);
}

/** At every start: the last run may have been cut short, or a process without SECRET_KEY may have stored more keys. */
async function sealPlainKeys(storage: Storage, secrets: Secrets): Promise<void> {
  for await (const { id, providerMapApiKey, geocodingApiKey } of storage.listMapsWithKeys()) {
    const patch: MapPatch = {
      ...(isPlain(providerMapApiKey) && { providerMapApiKey: resealed(secrets, providerMapApiKey) }),
      ...(isPlain(geocodingApiKey) && { geocodingApiKey: resealed(secrets, geocodingApiKey) }),
    };
    if (Object.keys(patch).length > 0) await storage.updateMap(id, patch, { evenIfDeleted: true });
  }
}

function isPlain(stored: string | null): stored is string {
  return stored?.startsWith(PLAIN) === true;
}

function resealed(secrets: Secrets, stored: string): string {
  return secrets.seal(secrets.open(stored));
}

/** @param check as {@link SECRET_KEY_CHECK} keeps it */
export function opensWith(secretKey: string | null, check: string): boolean {
  try {
    return secretKey !== null && createSecrets(secretKey).open(check) === CHECK_TEXT;
  } catch {
    return false;
  }
}

function assertOpens(secrets: Secrets, check: string, hasSecretKey: boolean): void {
  try {
    if (hasSecretKey && secrets.open(check) === CHECK_TEXT) return;
  } catch {
    // Why it cannot be opened does not help the operator: there is one message for all reasons.
  }
  throw new SecretKeyError(
    hasSecretKey
      ? 'SECRET_KEY is not the one that the API keys in this store were encrypted with.'
      : 'SECRET_KEY is not set, but the API keys in this store are encrypted with one.',
  );
}
