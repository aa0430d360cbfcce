/**
 * Webhooks in MongoDB.
 *
 * How many a map may have holds, however many are inserted at once. Each webhook of a map has a slot of its own, a number,
 * which its `_id` sees to. A new one takes the lowest free slot, and only where fewer webhooks were seen than there may be.
 * So its slot is below the limit, and there are only so many of these. Where the limit was larger once, webhooks may have
 * higher slots; as many of the lower ones, the last of them, are then left free.
 */

import type { UpdateFilter } from 'mongodb';

import type { WebhookDelivery, WebhookPatch, WebhookRecord, WebhookStorage } from '../webhooks.ts';
import type { Collections, Database } from './database.ts';
import { toDate } from './dates.ts';
import type { DeliveryDocument, WebhookDocument } from './documents.ts';
import { isDuplicateKey } from './failures.ts';
import { mapUnavailable } from './maps.ts';

type WebhookStoreOptions = Omit<WebhookStorage, 'holdLease' | 'dropLease'>;

export function webhookStore(database: Database): WebhookStoreOptions {
  return {
    insertWebhook: (webhook, mostOfMap, scope) =>
      database.run(async (collections) => {
        const gone = await mapUnavailable(collections, webhook.mapId);
        if (gone !== null) return gone;
        for (;;) {
          const taken = (await slotsOf(collections, [webhook.mapId])).get(webhook.mapId) ?? new Set();
          if (taken.size >= mostOfMap) return { kind: 'too-many' };
          try {
            await collections.webhooks.insertOne(toWebhookDocument(webhook, lowestFree(taken)));
            return { kind: 'inserted' };
          } catch (error) {
            if (!isDuplicateKey(error)) throw error;
            // Another has the slot by now; not every server says that it is not the id that is taken.
            if (await isThere(collections, webhook.id)) throw error;
          }
        }
      }, scope),

    listWebhooks: (mapId, scope) =>
      database.run(
        async (collections) => (await readWebhooks(collections, mapId)).toSorted(byCreation),
        scope,
      ),

    pageWebhooks: ({ limit, after, enabledOnly }) =>
      database.run(async ({ webhooks }) => {
        // Every id is after the empty string.
        const beyond = { id: { $gt: after ?? '' } };
        const found = await (
          enabledOnly
            ? webhooks.find({ isEnabled: true, ...beyond }).hint('webhooks_enabled')
            : webhooks.find(beyond).hint('webhooks_by_id')
        )
          .sort({ id: 1 })
          .limit(limit)
          .toArray();
        return found.map(toWebhook);
      }),

    updateWebhook: (mapId, id, patch, ifVersion, scope) =>
      database.run(async (collections) => {
        const { webhooks } = collections;
        const before = await findWebhook(collections, mapId, id);
        if (before === null) return { kind: 'missing' };
        if (ifVersion !== null && before.version !== ifVersion)
          return { kind: 'changed', webhook: toWebhook(before) };
        const changed = await webhooks.findOneAndUpdate(
          // Not by the map, which stays the same: a server could go through its webhooks for that.
          { id: { $eq: id }, ...(ifVersion === null ? {} : { version: { $eq: ifVersion } }) },
          toUpdate(patch),
          { returnDocument: 'after' },
        );
        if (changed !== null) return { kind: 'updated', webhook: toWebhook(changed) };
        const now = await findWebhook(collections, mapId, id);
        return now === null ? { kind: 'missing' } : { kind: 'changed', webhook: toWebhook(now) };
      }, scope),

    deleteWebhook: (mapId, id, scope) =>
      database.run(async ({ webhooks }) => {
        const filter = { id: { $eq: id }, mapId: { $eq: mapId } };
        const { deletedCount } = await webhooks.deleteOne(filter, { hint: 'webhooks_by_id' });
        return deletedCount === 1;
      }, scope),
  };
}

/** Those of a map, in any order. */
export async function readWebhooks(
  { webhooks }: Collections,
  mapId: string,
): Promise<readonly WebhookRecord[]> {
  const found = await webhooks
    .find({ mapId: { $eq: mapId } })
    .hint('webhooks_by_map')
    .toArray();
  return found.map(toWebhook);
}

function byCreation(a: WebhookRecord, b: WebhookRecord): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** Stores webhooks of another store, whose maps get no others meanwhile. */
export async function loadWebhooks(
  collections: Collections,
  webhooks: readonly WebhookRecord[],
): Promise<void> {
  if (webhooks.length === 0) return;
  const taken = await slotsOf(collections, [...new Set(webhooks.map(({ mapId }) => mapId))]);
  const documents = webhooks.map((webhook) => {
    const ofMap = taken.get(webhook.mapId) ?? new Set();
    taken.set(webhook.mapId, ofMap);
    const slot = lowestFree(ofMap);
    ofMap.add(slot);
    return toWebhookDocument(webhook, slot);
  });
  await collections.webhooks.insertMany(documents);
}

/** The slots of each map that are taken. */
async function slotsOf(
  { webhooks }: Collections,
  mapIds: readonly string[],
): Promise<Map<string, Set<number>>> {
  const found = await webhooks
    .find({ mapId: { $in: mapIds } }, { projection: { mapId: 1, slot: 1 } })
    .hint('webhooks_by_map')
    .toArray();
  const slots = new Map<string, Set<number>>();
  for (const { mapId, slot } of found) slots.set(mapId, (slots.get(mapId) ?? new Set()).add(slot));
  return slots;
}

function findWebhook({ webhooks }: Collections, mapId: string, id: string): Promise<WebhookDocument | null> {
  return webhooks.findOne({ id: { $eq: id }, mapId: { $eq: mapId } }, { hint: 'webhooks_by_id' });
}

async function isThere({ webhooks }: Collections, id: string): Promise<boolean> {
  return (await webhooks.findOne({ id: { $eq: id } }, { hint: 'webhooks_by_id' })) !== null;
}

function lowestFree(taken: ReadonlySet<number>): number {
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

function toUpdate({ secret, formerSecret, delivery, ...rest }: WebhookPatch): UpdateFilter<WebhookDocument> {
  return {
    $set: {
      ...rest,
      secret: secret ?? undefined,
      formerSecret: toFormer(formerSecret ?? null),
      delivery: delivery && toDelivery(delivery),
    },
    $unset: {
      ...(secret === null ? { secret: '' } : {}),
      ...(formerSecret === null ? { formerSecret: '' } : {}),
    },
    $inc: { version: 1 },
  };
}

function toWebhookDocument(webhook: WebhookRecord, slot: number): WebhookDocument {
  const { createdAt, secret, formerSecret, delivery, ...rest } = webhook;
  return {
    _id: `${webhook.mapId}_${slot}`,
    slot,
    ...rest,
    secret: secret ?? undefined,
    formerSecret: toFormer(formerSecret),
    createdAt: new Date(createdAt),
    delivery: toDelivery(delivery),
  };
}

function toFormer(former: WebhookRecord['formerSecret']): WebhookDocument['formerSecret'] {
  return former === null ? undefined : { secret: former.secret, until: new Date(former.until) };
}

function toDelivery(delivery: WebhookDelivery): DeliveryDocument {
  const { place, failures, lastStatus, lastError } = delivery;
  return {
    place: { number: place.number, stamp: place.stamp },
    failures,
    failingSince: toDate(delivery.failingSince),
    nextAttemptAt: toDate(delivery.nextAttemptAt),
    lastAttemptAt: toDate(delivery.lastAttemptAt),
    lastStatus: lastStatus ?? undefined,
    lastError: lastError ?? undefined,
  };
}

function toWebhook(document: WebhookDocument): WebhookRecord {
  const { id, mapId, url, events, isEnabled, secret, formerSecret, createdAt, version } = document;
  const { place, failures, failingSince, nextAttemptAt, lastAttemptAt, lastStatus, lastError } =
    document.delivery;
  return {
    id,
    mapId,
    url,
    events,
    isEnabled,
    secret: secret ?? null,
    formerSecret:
      formerSecret === undefined
        ? null
        : { secret: formerSecret.secret, until: formerSecret.until.getTime() },
    createdAt: createdAt.getTime(),
    version,
    delivery: {
      place,
      failures,
      failingSince: failingSince?.getTime() ?? null,
      nextAttemptAt: nextAttemptAt?.getTime() ?? null,
      lastAttemptAt: lastAttemptAt?.getTime() ?? null,
      lastStatus: lastStatus ?? null,
      lastError: lastError ?? null,
    },
  };
}
