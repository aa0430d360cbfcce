/** How a stored secret is to be kept from now on. */

import type { Secrets } from './secrets.ts';
import { isPlain, SecretKeyError } from './secrets.ts';

/** Those in the clear alone, or all that are not sealed with SECRET_KEY. */
export type SecretsToSeal = 'plain' | 'all';

export type Resealed =
  | { readonly kind: 'kept' }
  | { readonly kind: 'sealed'; readonly stored: string }
  /** It cannot be decrypted. */
  | { readonly kind: 'unreadable' };

/** @param stored null where there is none */
export function reseal(stored: string | null, secrets: Secrets, which: SecretsToSeal): Resealed {
  if (stored === null || secrets.isCurrent(stored)) return { kind: 'kept' };
  if (which === 'plain' && !isPlain(stored)) return { kind: 'kept' };
  try {
    return { kind: 'sealed', stored: secrets.seal(secrets.open(stored)) };
  } catch (error) {
    if (error instanceof SecretKeyError) return { kind: 'unreadable' };
    throw error;
  }
}
