/** The content of stores from release 0.1. */

import { readFileSync } from 'node:fs';

import type { LocationRecord } from '../../../src/domain/location.ts';
import { creatorOf } from '../../../src/domain/members.ts';
import type { Storage, StoredItem } from '../../../src/storage/storage.ts';
import {
  append,
  aWebhook,
  collect,
  insertOne,
  listPage,
  locationOf,
} from '../../contract/storage/fixtures.ts';

/** The maps: one of numbers, one of texts, a deleted one, and one without locations. */
export const NUMBERS = 'a'.repeat(16);
export const TEXTS = 'b'.repeat(16);
export const DELETED = 'c'.repeat(16);
export const EMPTY = 'd'.repeat(16);

const CONTENT = (
  JSON.parse(readFileSync(new URL('content.json', import.meta.url), 'utf8')) as readonly StoredItem[]
).map((item) => {
  if (item.kind === 'map') {
    const { ownerId, createdAt } = item.map;
    const members = [creatorOf(ownerId, createdAt)];
    const page = { language: null, timeZone: null, theme: null, logo: null, categories: [] };
    return { ...item, map: { ...item.map, members, updatedAt: createdAt, geocoding: null, ...page } };
  }
  if (item.kind === 'owner') return { ...item, owner: { ...item.owner, displayName: null } };
  if (item.kind === 'location') return { ...item, location: inCurrentForm(item.location) };
  if (item.kind === 'token')
    return { ...item, token: { ...item.token, kind: 'token', name: null, lastUsedAt: null } };
  if (item.kind !== 'idempotency') return item;
  return { ...item, record: { ...item.record, location: inCurrentForm(item.record.location) } };
});

/** Release 0.1 had no versions, updates, external ids, labels or marks. */
function inCurrentForm(location: LocationRecord): LocationRecord {
  const geocoding = { ...location.geocoding, label: null, isAmbiguous: false, isChecked: false };
  return { ...location, externalId: null, version: 1, updatedAt: location.createdAt, geocoding };
}

/** Expects all content and its counts. */
export async function expectContent(storage: Storage): Promise<void> {
  for (const [mapId, count] of [
    [NUMBERS, 9],
    [TEXTS, 6],
    [DELETED, 2],
    [EMPTY, 0],
  ] as const) {
    expect([mapId, await storage.countLocations(mapId)]).toEqual([mapId, count]);
    expect(await listPage(storage, mapId)).toHaveLength(count);
  }
  expect(await collect(storage.dump(0))).toEqual(CONTENT);
}

/** Expects lists to continue where they ended, idempotency keys to replay, and webhooks and leases to work. */
export async function expectContinues(storage: Storage): Promise<void> {
  const next = await append(storage, NUMBERS);
  expect([next.order, next.sequence]).toEqual([`1${'0'.repeat(39)}2`, 11]);
  expect((await append(storage, TEXTS)).order).toBe('\u{1f600}');
  for (const key of ['kept', 'deleted']) {
    const again = await insertOne(storage, NUMBERS, { key, tokenId: 'token_1', digest: `digest ${key}` });
    locationOf(again, 'replayed');
  }
  const webhook = aWebhook(NUMBERS);
  expect(await storage.insertWebhook(webhook, 1)).toEqual({ kind: 'inserted' });
  expect(await storage.listWebhooks(NUMBERS)).toEqual([webhook]);
  expect(await storage.holdLease('lease', 'holder', 60_000)).toBe(true);
}
