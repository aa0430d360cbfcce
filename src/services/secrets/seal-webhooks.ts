/** Seals the stored secrets of webhooks again, while they are read and changed. */

import type { Storage } from '../../storage/storage.ts';
import type { WebhookPatch, WebhookRecord } from '../../storage/webhooks.ts';
import { allWebhooks } from '../webhooks/all-webhooks.ts';
import type { SecretsToSeal } from './reseal.ts';
import { reseal } from './reseal.ts';
import type { Sealed } from './seal-keys.ts';
import type { Secrets } from './secrets.ts';

/** Where somebody else changes a webhook meanwhile, it is looked at once more: a delivery is a change, too. */
export async function sealWebhooks(
  storage: Storage,
  secrets: Secrets,
  which: SecretsToSeal,
): Promise<Sealed> {
  const unreadable: string[] = [];
  let found = 0;
  let changed = 0;
  for await (const webhook of allWebhooks(storage)) {
    for (let current: WebhookRecord | null = webhook; current !== null;) {
      const { mapId, id, version }: WebhookRecord = current;
      const resealed = resealWebhook(current, secrets, which);
      if (resealed.isUnreadable && !unreadable.includes(id)) unreadable.push(id);
      if (resealed.count === 0) break;
      const outcome = await storage.updateWebhook(mapId, id, resealed.patch, version);
      found += resealed.count;
      if (outcome.kind === 'updated') changed += resealed.count;
      current = outcome.kind === 'changed' ? outcome.webhook : null;
    }
  }
  return { found, changed, unreadable };
}

interface ResealedWebhook {
  readonly patch: WebhookPatch;
  /** How many secrets the patch changes. */
  readonly count: number;
  readonly isUnreadable: boolean;
}

function resealWebhook(
  { secret, formerSecret }: WebhookRecord,
  secrets: Secrets,
  which: SecretsToSeal,
): ResealedWebhook {
  const current = reseal(secret, secrets, which);
  const former = reseal(formerSecret?.secret ?? null, secrets, which);
  const patch: WebhookPatch = {
    ...(current.kind === 'sealed' ? { secret: current.stored } : {}),
    ...(former.kind === 'sealed' && formerSecret !== null
      ? { formerSecret: { ...formerSecret, secret: former.stored } }
      : {}),
  };
  return {
    patch,
    count: Object.keys(patch).length,
    isUnreadable: current.kind === 'unreadable' || former.kind === 'unreadable',
  };
}
