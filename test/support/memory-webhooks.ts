/** In-memory webhooks, over an in-memory log of one map. */

import type { DeliveryStorage } from '../../src/services/webhooks/worker.ts';
import type { ChangeOffset } from '../../src/storage/changes.ts';
import type { WebhookPatch, WebhookRecord } from '../../src/storage/webhooks.ts';
import type { MemoryLog } from './memory-log.ts';

export interface MemoryWebhooks {
  readonly storage: DeliveryStorage;
  readonly webhooks: Map<string, WebhookRecord>;
  /** The number of calls of each method. */
  readonly calls: { updateWebhook: number; listWebhooks: number; pageWebhooks: number; holdLease: number };
  /** Adds a webhook, by default at the end of the log. */
  add(more?: Partial<WebhookRecord> & { readonly place?: ChangeOffset }): WebhookRecord;
  /** Changes it as another user would. */
  change(id: string, patch: WebhookPatch): WebhookRecord;
  get(id: string): WebhookRecord;
  /** The holder of the lease, and its expiry by the monotonic clock; null if it never had one. */
  lease: { holder: string; until: number } | null;
  /** Makes this many of the next saves fail. */
  failSaves(times: number): void;
}

export function createMemoryWebhooks(mapId: string, log: MemoryLog): MemoryWebhooks {
  const webhooks = new Map<string, WebhookRecord>();
  const calls = { updateWebhook: 0, listWebhooks: 0, pageWebhooks: 0, holdLease: 0 };
  let failures = 0;
  let versions = 0;
  const all = () => [...webhooks.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  const change = (id: string, patch: WebhookPatch) => {
    const found = webhooks.get(id);
    if (found === undefined) throw new Error(`Webhook ${id} does not exist.`);
    const changed = structuredClone({ ...found, ...patch, version: found.version + 1 });
    webhooks.set(id, changed);
    return changed;
  };
  const memory: MemoryWebhooks = {
    webhooks,
    calls,
    lease: null,
    change,
    add({ place = log.place(), ...more } = {}) {
      versions += 1;
      const webhook: WebhookRecord = {
        id: `webhook_${String(versions).padStart(16, '0')}`,
        mapId,
        url: 'https://example.org/hook',
        events: ['created', 'updated', 'moved', 'deleted'],
        isEnabled: true,
        secret: 'plain:whsec_c2VjcmV0',
        formerSecret: null,
        createdAt: 0,
        version: 1,
        delivery: {
          ...{ place, failures: 0, failingSince: null, nextAttemptAt: null },
          ...{ lastAttemptAt: null, lastStatus: null, lastError: null },
        },
        ...more,
      };
      webhooks.set(webhook.id, webhook);
      return webhook;
    },
    get(id) {
      const found = webhooks.get(id);
      if (found === undefined) throw new Error(`Webhook ${id} does not exist.`);
      return found;
    },
    failSaves(times) {
      failures = times;
    },
    storage: {
      ...log.storage,
      insertWebhook: (webhook) => {
        webhooks.set(webhook.id, webhook);
        return Promise.resolve({ kind: 'inserted' });
      },
      listWebhooks: () => {
        calls.listWebhooks += 1;
        return Promise.resolve(all());
      },
      pageWebhooks: ({ limit, after, enabledOnly }) => {
        calls.pageWebhooks += 1;
        const found = all().filter(
          ({ id, isEnabled }) => (after === null || id > after) && (isEnabled || !enabledOnly),
        );
        return Promise.resolve(found.slice(0, limit));
      },
      updateWebhook: (_mapId, id, patch, ifVersion) => {
        calls.updateWebhook += 1;
        if (failures > 0) {
          failures -= 1;
          return Promise.reject(new Error('The store is unavailable.'));
        }
        const found = webhooks.get(id);
        if (found === undefined) return Promise.resolve({ kind: 'missing' });
        if (ifVersion !== null && found.version !== ifVersion) {
          return Promise.resolve({ kind: 'changed', webhook: found });
        }
        return Promise.resolve({ kind: 'updated', webhook: change(id, patch) });
      },
      deleteWebhook: (_mapId, id) => Promise.resolve(webhooks.delete(id)),
      holdLease: (_name, holder, milliseconds) => {
        calls.holdLease += 1;
        const { lease } = memory;
        if (lease !== null && lease.holder !== holder && lease.until > performance.now()) {
          return Promise.resolve(false);
        }
        memory.lease = { holder, until: performance.now() + milliseconds };
        return Promise.resolve(true);
      },
      dropLease: (_name, holder) => {
        if (memory.lease?.holder === holder) memory.lease = null;
        return Promise.resolve();
      },
    },
  };
  return memory;
}
