/**
 * Keeps the API keys of maps and the secrets of webhooks. Every stored one begins with how it is kept: `plain:` when the deployment has no
 * SECRET_KEY, else `aes-256-gcm:`, followed by base64url of nonce, tag and ciphertext.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import { OperatorError } from '../../errors.ts';

const PLAIN = 'plain:';
const SEALED = 'aes-256-gcm:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Secrets {
  /** False where there is no SECRET_KEY, so that everything is kept in the clear. */
  readonly hasKey: boolean;
  seal(secret: string): string;
  /** @throws SecretKeyError where neither key opens it */
  open(stored: string): string;
  /** Whether it is kept as `seal` keeps it: with SECRET_KEY, where there is one. */
  isCurrent(stored: string): boolean;
}

/** The server cannot start, or a key cannot be read: SECRET_KEY is missing, or is not the one that sealed it. */
export class SecretKeyError extends OperatorError {}

/**
 * @param secretKey at least 32 characters; null keeps keys in the clear
 * @param fallback opens what `secretKey` does not, and seals nothing
 */
export function createSecrets(secretKey: string | null, fallback: string | null = null): Secrets {
  const key = secretKey === null ? null : deriveKey(secretKey);
  const fallbackKey = fallback === null ? null : deriveKey(fallback);
  return {
    hasKey: key !== null,
    seal: (secret) => (key === null ? PLAIN + secret : SEALED + encrypt(key, secret)),
    open: (stored) => {
      if (isPlain(stored)) return stored.slice(PLAIN.length);
      const opened = openWith(key, stored) ?? openWith(fallbackKey, stored);
      if (opened === null) {
        throw new SecretKeyError(
          'A stored API key or secret cannot be decrypted with SECRET_KEY or SECRET_KEY_FALLBACK.',
        );
      }
      return opened;
    },
    isCurrent: (stored) => (key === null ? isPlain(stored) : openWith(key, stored) !== null),
  };
}

export function isPlain(stored: string): boolean {
  return stored.startsWith(PLAIN);
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

/** Null where this key did not seal it. Why it cannot be decrypted does not help anybody. */
function openWith(key: Buffer | null, stored: string): string | null {
  if (key === null || !stored.startsWith(SEALED)) return null;
  try {
    return decrypt(key, stored.slice(SEALED.length));
  } catch {
    return null;
  }
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
