/** Random secrets, which the store knows by their hash only. */

import { hash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** A secret has 256 random bits: its hash cannot be reversed by search, so it needs no salt. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}
