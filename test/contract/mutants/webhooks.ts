/** Mutants that lose, confuse or leak webhooks, and leases that are no lock. */

import type { Storage } from '../../../src/storage/storage.ts';
import type { WebhookPatch, WebhookRecord } from '../../../src/storage/webhooks.ts';
import type { Mutant } from './mutant.ts';
import { pause } from './mutant.ts';

function broken(name: string, breaks: (good: Storage) => Partial<Storage>): Mutant {
  return { name, topic: 'webhooks', breaks };
}

/** Changes every webhook that a store returns. */
function reading(name: string, change: (webhook: WebhookRecord) => WebhookRecord): Mutant {
  return broken(name, (good) => ({
    listWebhooks: async (mapId) => (await good.listWebhooks(mapId)).map(change),
  }));
}

function definedOf(patch: WebhookPatch): WebhookPatch {
  const members: [string, unknown][] = Object.entries(patch);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

const ALL = { limit: 1_000, after: null, enabledOnly: false };

async function find(good: Storage, mapId: string, id: string): Promise<WebhookRecord | undefined> {
  return (await good.listWebhooks(mapId)).find((webhook) => webhook.id === id);
}

export const webhookMutants: readonly Mutant[] = [
  reading('a webhook loses its error', (webhook) => ({
    ...webhook,
    delivery: { ...webhook.delivery, lastError: null },
  })),
  reading('a webhook loses its former secret', (webhook) => ({ ...webhook, formerSecret: null })),
  reading('a missing secret becomes empty', (webhook) => ({ ...webhook, secret: webhook.secret ?? '' })),
  reading('the events of a webhook are sorted', (webhook) => ({
    ...webhook,
    events: webhook.events.toSorted(),
  })),
  broken('webhooks are listed by id', (good) => ({
    listWebhooks: async (mapId) =>
      (await good.listWebhooks(mapId)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  })),
  broken('webhooks of equal times are listed by descending id', (good) => ({
    listWebhooks: async (mapId) =>
      (await good.listWebhooks(mapId)).toReversed().toSorted((a, b) => a.createdAt - b.createdAt),
  })),
  broken('each map lists the webhooks of all maps', (good) => ({
    listWebhooks: () => good.pageWebhooks(ALL),
  })),
  broken('a deleted map has no webhooks', (good) => ({
    listWebhooks: async (mapId) => {
      const [map] = await good.getMaps([mapId]);
      return map?.isDeleted ? [] : good.listWebhooks(mapId);
    },
  })),
  broken('a deleted map accepts a webhook', (good) => ({
    insertWebhook: async (webhook, most) => {
      const response = await good.insertWebhook(webhook, most);
      if (response.kind !== 'map-deleted') return response;
      await good.updateMap(webhook.mapId, { isDeleted: false }, { evenIfDeleted: true });
      const stored = await good.insertWebhook(webhook, most);
      await good.updateMap(webhook.mapId, { isDeleted: true }, { evenIfDeleted: true });
      return stored;
    },
  })),
  broken('a missing map is reported as full', (good) => ({
    insertWebhook: async (webhook, most) => {
      const response = await good.insertWebhook(webhook, most);
      return response.kind === 'map-missing' ? { kind: 'too-many' } : response;
    },
  })),
  broken('a map accepts any number of webhooks', (good) => ({
    insertWebhook: (webhook) => good.insertWebhook(webhook, 1_000),
  })),
  broken('a map accepts one webhook too many', (good) => ({
    insertWebhook: (webhook, most) => good.insertWebhook(webhook, most + 1),
  })),
  broken('concurrent inserts exceed the limit', (good) => ({
    insertWebhook: async (webhook, most) => {
      const { length } = await good.listWebhooks(webhook.mapId);
      await pause();
      return good.insertWebhook(webhook, length < most ? 1_000 : most);
    },
  })),
  broken('a deleted webhook still counts', (good) => {
    const deleted = new Map<string, number>();
    return {
      insertWebhook: (webhook, most) => good.insertWebhook(webhook, most - (deleted.get(webhook.mapId) ?? 0)),
      deleteWebhook: async (mapId, id) => {
        const isThere = await good.deleteWebhook(mapId, id);
        if (isThere) deleted.set(mapId, (deleted.get(mapId) ?? 0) + 1);
        return isThere;
      },
    };
  }),
  broken('loaded webhooks do not count', (good) => {
    const loaded = new Map<string, number>();
    return {
      load: async (items) => {
        for (const item of items) {
          if (item.kind !== 'webhook') continue;
          const { mapId } = item.webhook;
          loaded.set(mapId, (loaded.get(mapId) ?? 0) + 1);
        }
        await good.load(items);
      },
      insertWebhook: (webhook, most) => good.insertWebhook(webhook, most + (loaded.get(webhook.mapId) ?? 0)),
    };
  }),
  broken('an update ignores the version', (good) => ({
    updateWebhook: (mapId, id, patch) => good.updateWebhook(mapId, id, patch, null),
  })),
  broken('an update checks the version before it writes', (good) => ({
    updateWebhook: async (mapId, id, patch, ifVersion) => {
      const before = await find(good, mapId, id);
      if (before === undefined) return { kind: 'missing' };
      if (ifVersion !== null && before.version !== ifVersion) return { kind: 'changed', webhook: before };
      await pause();
      return good.updateWebhook(mapId, id, patch, null);
    },
  })),
  broken('an update writes back all members that it has read', (good) => ({
    updateWebhook: async (mapId, id, patch, ifVersion) => {
      const before = await find(good, mapId, id);
      await pause();
      const defined = definedOf(patch);
      const { url, events, isEnabled, secret, formerSecret, delivery } = { ...before! };
      const whole = { url, events, isEnabled, secret, formerSecret, delivery };
      return good.updateWebhook(mapId, id, { ...whole, ...defined }, ifVersion);
    },
  })),
  broken('an empty update keeps the version', (good) => ({
    updateWebhook: async (mapId, id, patch, ifVersion) => {
      const webhook = await find(good, mapId, id);
      const isEmpty = Object.keys(definedOf(patch)).length === 0;
      if (isEmpty && webhook?.version === ifVersion) return { kind: 'updated', webhook };
      return good.updateWebhook(mapId, id, patch, ifVersion);
    },
  })),
  broken('a removed secret stays', (good) => ({
    updateWebhook: (mapId, id, { secret, ...patch }, ifVersion) =>
      good.updateWebhook(mapId, id, { ...patch, secret: secret ?? undefined }, ifVersion),
  })),
  broken('null members of a delivery keep their former values', (good) => ({
    updateWebhook: async (mapId, id, patch, ifVersion) => {
      const before = await find(good, mapId, id);
      if (patch.delivery === undefined || before === undefined)
        return good.updateWebhook(mapId, id, patch, ifVersion);
      const named = Object.entries(patch.delivery).filter(([, value]) => value !== null);
      const delivery = { ...before.delivery, ...Object.fromEntries(named) };
      return good.updateWebhook(mapId, id, { ...patch, delivery }, ifVersion);
    },
  })),
  broken('an update ignores the map', (good) => ({
    updateWebhook: async (mapId, id, ...rest) => {
      const all = await good.pageWebhooks(ALL);
      const own = all.find((webhook) => webhook.id === id)?.mapId ?? mapId;
      return good.updateWebhook(own, id, ...rest);
    },
  })),
  broken('a deletion ignores the map', (good) => ({
    deleteWebhook: async (mapId, id) => {
      const all = await good.pageWebhooks(ALL);
      return good.deleteWebhook(all.find((webhook) => webhook.id === id)?.mapId ?? mapId, id);
    },
  })),
  broken('every deletion reports success', (good) => ({
    deleteWebhook: async (mapId, id) => {
      await good.deleteWebhook(mapId, id);
      return true;
    },
  })),
  broken('several concurrent deletions report success', (good) => ({
    deleteWebhook: async (mapId, id) => {
      const webhook = await find(good, mapId, id);
      await pause();
      await good.deleteWebhook(mapId, id);
      return webhook !== undefined;
    },
  })),
  broken('pages of webhooks are sorted by time of creation', (good) => ({
    pageWebhooks: async ({ limit, after, enabledOnly }) => {
      const all = await good.pageWebhooks({ ...ALL, enabledOnly });
      const sorted = all.toSorted((a, b) => a.createdAt - b.createdAt);
      const begin = sorted.findIndex(({ id }) => id === after) + 1;
      return sorted.slice(begin, begin + limit);
    },
  })),
  broken('a page of webhooks repeats the last one of the previous page', (good) => ({
    pageWebhooks: async ({ limit, after, enabledOnly }) => {
      const all = await good.pageWebhooks({ ...ALL, enabledOnly });
      return all.filter(({ id }) => after === null || id >= after).slice(0, limit);
    },
  })),
  broken('pages of enabled webhooks include disabled ones', (good) => ({
    pageWebhooks: (page) => good.pageWebhooks({ ...page, enabledOnly: false }),
  })),
  broken('pages of enabled webhooks skip those of deleted maps', (good) => ({
    pageWebhooks: async (page) => {
      const all = await good.pageWebhooks({ ...page, limit: 1_000 });
      const maps = await good.getMaps(all.map(({ mapId }) => mapId));
      return all.filter((_, index) => maps[index]?.isDeleted === false).slice(0, page.limit);
    },
  })),
  broken('a dump leaves out webhooks', (good) => ({
    async *dump(expiringAfter) {
      for await (const item of good.dump(expiringAfter)) if (item.kind !== 'webhook') yield item;
    },
  })),
  broken('a snapshot leaves out webhooks', (good) => ({
    async *snapshot(expiringAfter) {
      for await (const item of good.snapshot(expiringAfter)) if (item.kind !== 'webhook') yield item;
    },
  })),
  broken('a load resets the delivery of a webhook', (good) => ({
    load: (items) =>
      good.load(
        items.map((item) =>
          item.kind === 'webhook'
            ? {
                ...item,
                webhook: { ...item.webhook, delivery: { ...item.webhook.delivery, failures: 0 } },
              }
            : item,
        ),
      ),
  })),
  broken('a lease is always granted', () => ({ holdLease: () => Promise.resolve(true) })),
  broken('a lease is never granted', () => ({ holdLease: () => Promise.resolve(false) })),
  broken('concurrent requests all get the lease', (good) => {
    const holders = new Map<string, string>();
    return {
      holdLease: async (name, holder, milliseconds) => {
        const isTaken = holders.has(name) && holders.get(name) !== holder;
        await pause();
        if (isTaken) return good.holdLease(name, holder, milliseconds);
        holders.set(name, holder);
        await good.holdLease(name, holder, milliseconds);
        return true;
      },
    };
  }),
  broken('a lease cannot be renewed', (good) => {
    const held = new Set<string>();
    return {
      holdLease: async (name, holder, milliseconds) => {
        const key = JSON.stringify([name, holder]);
        if (held.has(key)) return false;
        const isHeld = await good.holdLease(name, holder, milliseconds);
        if (isHeld) held.add(key);
        return isHeld;
      },
    };
  }),
  broken('a renewal does not extend a lease', (good) => {
    const holders = new Map<string, string>();
    return {
      holdLease: async (name, holder, milliseconds) => {
        if (holders.get(name) === holder) return true;
        const isHeld = await good.holdLease(name, holder, milliseconds);
        if (isHeld) holders.set(name, holder);
        return isHeld;
      },
      dropLease: async (name, holder) => {
        if (holders.get(name) === holder) holders.delete(name);
        await good.dropLease(name, holder);
      },
    };
  }),
  broken('a renewal cannot shorten a lease', (good) => {
    const longest = new Map<string, number>();
    return {
      holdLease: (name, holder, milliseconds) => {
        const key = JSON.stringify([name, holder]);
        longest.set(key, Math.max(longest.get(key) ?? 0, milliseconds));
        return good.holdLease(name, holder, longest.get(key)!);
      },
    };
  }),
  broken('a lease never expires', (good) => ({
    holdLease: (name, holder) => good.holdLease(name, holder, 1_000_000_000),
  })),
  broken('a lease expires at once', (good) => ({
    holdLease: (name, holder) => good.holdLease(name, holder, 0),
  })),
  broken('a dropped lease stays', () => ({ dropLease: () => Promise.resolve() })),
  broken('any holder can drop a lease', (good) => {
    const holders = new Map<string, string>();
    return {
      holdLease: async (name, holder, milliseconds) => {
        const isHeld = await good.holdLease(name, holder, milliseconds);
        if (isHeld) holders.set(name, holder);
        return isHeld;
      },
      dropLease: (name, holder) => good.dropLease(name, holders.get(name) ?? holder),
    };
  }),
  broken('all leases share one name', (good) => ({
    holdLease: (_name, ...rest) => good.holdLease('all', ...rest),
    dropLease: (_name, ...rest) => good.dropLease('all', ...rest),
  })),
  broken('an emptied store has no leases', (good) => {
    const held = new Map<string, string>();
    return {
      holdLease: async (name, holder, milliseconds) => {
        const isHeld = await good.holdLease(name, holder, milliseconds);
        if (isHeld) held.set(name, holder);
        return isHeld;
      },
      removeAll: async (kept) => {
        await good.removeAll(kept);
        for (const [name, holder] of held) await good.dropLease(name, holder);
      },
    };
  }),
];
