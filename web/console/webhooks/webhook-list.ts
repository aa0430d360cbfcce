/** The webhooks of a map, in order of creation. */

import type { Webhook } from './webhooks.ts';
import { Polled, put } from '../common/polled.svelte.ts';
import type { Session } from '../common/session.svelte.ts';
import { WebhooksDocument } from '../generated/operations.ts';

export class WebhookList extends Polled<readonly Webhook[]> {
  constructor(session: Session, mapId: string) {
    super(async (signal) => {
      const { map } = await session.request(WebhooksDocument, { id: mapId }, signal);
      return map?.webhooks ?? [];
    });
  }

  /** Adds or replaces a webhook returned by a mutation. */
  put(webhook: Webhook): void {
    this.set(put(this.current ?? [], webhook));
  }

  drop(id: string): void {
    this.set((this.current ?? []).filter((one) => one.id !== id));
  }
}
