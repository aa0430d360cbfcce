/** Seals what a store keeps secret again, while it is read and changed: API keys of maps, secrets of webhooks. */

import type { Storage } from '../../storage/storage.ts';
import type { SecretsToSeal } from './reseal.ts';
import { sealKeys } from './seal-keys.ts';
import { sealWebhooks } from './seal-webhooks.ts';
import type { Secrets } from './secrets.ts';

export interface SealedAnew {
  /** How many keys and secrets were not as they should be, whether or not somebody else changed them meanwhile. */
  readonly found: number;
  /** How many are sealed anew. */
  readonly changed: number;
  /** Of maps with a key that cannot be decrypted; they are left as they are. */
  readonly unreadable: readonly string[];
  /** Of webhooks with such a secret. */
  readonly unreadableWebhooks: readonly string[];
}

/**
 * Seals with SECRET_KEY: what is in the clear alone, or all that is not sealed with it. Every secret can be opened at any
 * moment, so that it can be interrupted anywhere.
 */
export async function sealAnew(
  storage: Storage,
  secrets: Secrets,
  which: SecretsToSeal,
): Promise<SealedAnew> {
  const keys = await sealKeys(storage, secrets, which);
  const webhooks = await sealWebhooks(storage, secrets, which);
  return {
    found: keys.found + webhooks.found,
    changed: keys.changed + webhooks.changed,
    unreadable: keys.unreadable,
    unreadableWebhooks: webhooks.unreadable,
  };
}
