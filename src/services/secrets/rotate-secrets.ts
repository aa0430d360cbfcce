/** Seals everything with SECRET_KEY that SECRET_KEY_FALLBACK has sealed, so that the latter is needed no longer. */

import type { Storage } from '../../storage/storage.ts';
import { sealAnew } from './seal-anew.ts';
import { markRotated } from './secret-key-marks.ts';
import type { Secrets } from './secrets.ts';

export interface Rotation {
  /** API keys, and secrets of webhooks, that were sealed anew. */
  readonly changed: number;
  /** Of maps with a key that neither opens. Where there is one, the store keeps asking for both. */
  readonly unreadable: readonly string[];
  /** The same of webhooks. */
  readonly unreadableWebhooks: readonly string[];
}

/**
 * It goes through all of them until it finds none to change: servers store others meanwhile. A process that still seals
 * with the former key after that leaves one which only the former opens.
 */
export async function rotateSecrets(storage: Storage, secrets: Secrets): Promise<Rotation> {
  let changed = 0;
  for (;;) {
    const round = await sealAnew(storage, secrets, 'all');
    changed += round.changed;
    if (round.found > 0) continue;
    const { unreadable, unreadableWebhooks } = round;
    if (unreadable.length + unreadableWebhooks.length === 0) await markRotated(storage, secrets);
    return { changed, unreadable, unreadableWebhooks };
  }
}
