/** Iterates over the webhooks of a store in order of id, including those of deleted maps. */

import type { WebhookRecord, WebhookStorage } from '../../storage/webhooks.ts';

/** Webhooks per read. */
const PAGE = 500;

export async function* allWebhooks(
  storage: Pick<WebhookStorage, 'pageWebhooks'>,
  { enabledOnly = false } = {},
): AsyncGenerator<WebhookRecord> {
  for (let after: string | null = null; ;) {
    const page: readonly WebhookRecord[] = await storage.pageWebhooks({ limit: PAGE, after, enabledOnly });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}
