/**
 * Webhooks in MongoDB.
 *
 * Concurrent inserts never exceed a map's limit. Each webhook of a map has its own slot, a number in its `_id`. A new one
 * takes the lowest free slot, and only if fewer webhooks than the limit were read. So its slot is below the limit, and there
 * are only so many of these. If the limit was larger once, higher slots may be occupied; then the last lower slots stay free.
 */

import type { UpdateFilter } from 'mongodb';

import type { WebhookDelivery, WebhookPatch, WebhookRecord, WebhookStorage } from '../webhooks.ts';
import type { Database } from './database.ts';
import { isDuplicateKey } from './errors.ts';
import { mapUnavailable } from './maps.ts';
import type { Collections, DeliveryDocument, WebhookDocument } from './schema.ts';
import { toDate } from './schema.ts';

type WebhookStore = Omit<WebhookStorage, 'holdLease' | 'dropLease'>;

export function webhookStore(database: Database): WebhookStore {
  return {
    insertWebhook: (webhook, limit, scope) =>
      database.run((collections) => insertWebhook(collections, webhook, limit), scope),

    listWebhooks: (mapId, scope) =>
      database.run(
        async (collections) => (await readWebhooks(collections, mapId)).toSorted(byCreation),
        scope,
      ),

    pageWebhooks: ({ limit, after, enabledOnly }) =>
      database.run(async ({ webhooks }) => {
        // The empty string precedes every id.
        const afterId = { id: { $gt: after ?? '' } };
        const found = await (
          enabledOnly
            ? webhooks.find({ isEnabled: true, ...afterId }).hint('webhooks_enabled')
            : webhooks.find(afterId).hint('webhooks_by_id')
        )
          .sort({ id: 1 })
          .limit(limit)
          .toArray();
        return found.map(toWebhook);
      }),

    updateWebhook: (mapId, id, patch, ifVersion, scope) =>
      database.run((collections) => updateWebhook(collections, { mapId, id, patch, ifVersion }), scope),

    deleteWebhook: (mapId, id, scope) =>
      database.run(async ({ webhooks }) => {
        const filter = { id: { $eq: id }, mapId: { $eq: mapId } };
        const { deletedCount } = await webhooks.deleteOne(filter, { hint: 'webhooks_by_id' });
        return deletedCount === 1;
      }, scope),
  };
}

async function insertWebhook(
  collections: Collections,
  webhook: WebhookRecord,
  limit: number,
): ReturnType<WebhookStore['insertWebhook']> {
  const unavailable = await mapUnavailable(collections, webhook.mapId);
  if (unavailable !== null) return unavailable;
  for (;;) {
    const taken = (await slotsOf(collections, [webhook.mapId])).get(webhook.mapId) ?? new Set();
    if (taken.size >= limit) return { kind: 'too-many' };
    try {
      await collections.webhooks.insertOne(toWebhookDocument(webhook, lowestFree(taken)));
      return { kind: 'inserted' };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // The slot is taken by now, or the id: not every server says which.
      if (await exists(collections, webhook.id)) throw error;
    }
  }
}

interface WebhookUpdate {
  readonly mapId: string;
  readonly id: string;
  readonly patch: WebhookPatch;
  readonly ifVersion: number | null;
}

async function updateWebhook(
  collections: Collections,
  { mapId, id, patch, ifVersion }: WebhookUpdate,
): ReturnType<WebhookStore['updateWebhook']> {
  const before = await findWebhook(collections, mapId, id);
  if (before === null) return { kind: 'missing' };
  if (ifVersion !== null && before.version !== ifVersion) {
    return { kind: 'changed', webhook: toWebhook(before) };
  }
  const changed = await collections.webhooks.findOneAndUpdate(
    // Without the map's id, which was checked and never changes: it could select another index.
    { id: { $eq: id }, ...(ifVersion === null ? {} : { version: { $eq: ifVersion } }) },
    toUpdate(patch),
    { returnDocument: 'after' },
  );
  if (changed !== null) return { kind: 'updated', webhook: toWebhook(changed) };
  const now = await findWebhook(collections, mapId, id);
  return now === null ? { kind: 'missing' } : { kind: 'changed', webhook: toWebhook(now) };
}

/** The webhooks of a map, in any order. */
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

/** Loads webhooks of another store. Their maps must get no other webhooks meanwhile. */
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

/** The occupied slots of each map. */
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

async function exists({ webhooks }: Collections, id: string): Promise<boolean> {
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
