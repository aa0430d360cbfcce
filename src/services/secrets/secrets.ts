/**
 * Encrypts API keys of maps and secrets of webhooks. The stored form is `plain:` and the secret if there is no SECRET_KEY,
 * else `aes-256-gcm:` and the base64url of nonce, tag and ciphertext.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import { OperatorError } from '../../errors.ts';

const PLAIN = 'plain:';
const SEALED = 'aes-256-gcm:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Secrets {
  /** False without SECRET_KEY: secrets are then stored in the clear. */
  readonly hasKey: boolean;
  seal(secret: string): string;
  /** @throws SecretKeyError if neither SECRET_KEY nor SECRET_KEY_FALLBACK opens it */
  open(stored: string): string;
  /** Whether `seal` would store it in the same way: with SECRET_KEY if there is one. */
  isCurrent(stored: string): boolean;
}

/** SECRET_KEY is missing, or is not the one that sealed the secret. */
export class SecretKeyError extends OperatorError {}

/**
 * @param secretKey at least 32 characters; null stores secrets in the clear
 * @param fallback opens what `secretKey` does not; never seals
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

/** SECRET_KEY has enough entropy, so HKDF (RFC 5869) suffices to derive a key of the right length. */
function deriveKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'map-locations api keys', 32));
}

function encrypt(key: Buffer, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

/** Null if this key does not open it. */
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
