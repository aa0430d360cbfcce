/** A store with records of every kind, and backups in memory. */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import type { CheckedBackup } from '../../../src/services/backup/check.ts';
import { checkBackup } from '../../../src/services/backup/check.ts';
import type { RestoreOptions } from '../../../src/services/backup/restore.ts';
import { restoreBackup } from '../../../src/services/backup/restore.ts';
import type { BackupOptions } from '../../../src/services/backup/write.ts';
import { writeBackup } from '../../../src/services/backup/write.ts';
import { OWN_META } from '../../../src/services/store/store-marks.ts';
import type { Storage, StoredItem } from '../../../src/storage/storage.ts';
import {
  DAY,
  NOW,
  aLogo,
  aMapLink,
  aToken,
  aWebhook,
  anInsert,
  anInvitation,
  anUpdate,
  collect,
  insertOne,
  insertOrders,
  locationOf,
  seedMap,
  seedOwner,
  setLogo,
  updateOne,
} from '../../contract/storage/fixtures.ts';
import { anAccount } from '../../contract/storage/accounts.ts';
import { aCall, change, remove, restore } from '../../contract/storage/history.ts';

export async function seedEverything(storage: Storage) {
  const owner = await seedOwner(storage, 'Ünal');
  await storage.setDisplayName(owner.id, 'Ünal {"$where": "é\u2028"}');
  await storage.insertAccount(anAccount(owner.id));
  const map = await seedMap(storage, {
    ownerId: owner.id,
    name: 'Cafés {"$where": 1}',
    providerMapApiKey: 'plain:provider-key',
    geocodingApiKey: 'plain:geocoding-key',
    geocoding: {
      countries: ['DE', 'FR'],
      bounds: { south: -0.1, west: 170, north: 1e-7, east: -170 },
      language: null,
    },
    language: 'de',
    timeZone: 'Europe/Berlin',
    theme: { accent: '#ffcc00', font: 'serif', appearance: 'light', poweredBy: false },
    categories: [{ value: 'Café', label: 'Cafés', color: '#0b6bcb', icon: 'cafe' }],
    fields: [
      { name: 'Name', type: 'placeName' },
      { name: 'Address', type: 'address' },
      { name: 'Notes', type: 'text', isPublic: false },
    ],
  });
  const member = await seedOwner(storage, 'A member');
  await storage.insertAccount(anAccount(member.id, { passwordHash: null, isDisabled: true }));
  const joined = { ownerId: member.id, role: 'editor', since: NOW + 1 } as const;
  await storage.changeMembers(map.id, { kind: 'set', ...joined }, NOW);
  for (const [id, createdBy, note] of [
    ['invitation_1', owner.id, 'For the café {"$gt": "é\u2028"}'],
    ['invitation_2', owner.id, null],
  ] as const) {
    await storage.insertInvitation(anInvitation(map.id, createdBy, { id, note, uses: 2, maxUses: 5 }));
  }
  await setLogo(storage, aLogo(map.id));
  await storage.insertMapLink(aMapLink(map.id, owner.id, { scope: 'write', expiresAt: NOW + DAY }));
  const deleted = await seedMap(storage, { ownerId: owner.id, isPublished: true });
  const [first] = await insertOrders(storage, map.id, ['x', '10', '-1', '2', '2.0']);
  await updateOne(storage, map.id, anUpdate(first!, { externalId: 'own id', latitude: -0.1 + 1e-9 }));
  const properties = JSON.parse(
    '{"__proto__": {"a": [1, null, "é\\u2028"]}, "$x": 1e-7, "": true}',
  ) as object;
  await insertOne(storage, map.id, { location: { properties: { ...properties }, externalId: '' + 'é 2' } });
  await insertOne(storage, map.id, { key: 'kept', tokenId: 'token_1' });
  const outcome = await insertOne(storage, map.id, { key: 'of a deleted one', tokenId: 'token_1' });
  if (outcome.kind === 'inserted') await storage.deleteLocation(map.id, outcome.location.id);
  await insertOrders(storage, deleted.id, [null]);
  for (const webhook of [
    aWebhook(map.id, {
      id: 'webhook_1',
      url: 'https://example.com/ü?{"$where": 1}',
      events: ['moved', 'deleted', 'created', 'updated'],
      secret: 'plain:whsec_current',
      formerSecret: { secret: 'plain:whsec_former', until: NOW + DAY },
      version: 9,
      delivery: {
        place: { number: 2 ** 40, stamp: 'aB9' },
        failures: 2,
        failingSince: NOW - 2,
        nextAttemptAt: NOW + 1,
        lastAttemptAt: NOW - 1,
        lastStatus: 503,
        lastError: 'It responded 503 {"$gt": "é\u2028"}.',
      },
    }),
    aWebhook(deleted.id, { id: 'webhook_2', secret: null, isEnabled: false }),
  ]) {
    await storage.insertWebhook(webhook, 1);
  }
  await storage.updateMap(deleted.id, { isDeleted: true }, { evenIfDeleted: false });
  await storage.insertToken(aToken(owner.id, { id: 'token_1', name: 'laptop', lastUsedAt: NOW }));
  await storage.insertToken(
    aToken(owner.id, { id: 'token_2', mapId: map.id, scope: 'read', revokedAt: NOW }),
  );
  await storage.insertToken(aToken(owner.id, { id: 'token_3', expiresAt: NOW + DAY }));
  await storage.setMetaIfAbsent('demo-map', map.id);
  await storage.putGeocode({
    ...{ key: 'k', provider: 'google', mapId: null, place: null, storedAt: NOW, expiresAt: null },
  });
  return { owner, map, deleted };
}

/** A location with a former state that was restored from the trash, and one that is in the trash. */
export async function seedHistory(storage: Storage, mapId: string): Promise<void> {
  const call = aCall({ actor: { kind: 'token', id: 'token_1' }, operation: 'importÜ' });
  const properties = { 'ü "$x"': [1e-7, { 2: null, 1: true }] };
  const inserts = [1, 2].map((n) =>
    anInsert(mapId, { order: `h${n}`, location: { properties, longitude: 1e-17 } }),
  );
  const inserted = await storage.insertLocations(mapId, inserts, NOW, { call });
  const [kept, trashed] = inserted.kind === 'done' ? inserted.outcomes.map((each) => locationOf(each)) : [];
  const changed = await change(storage, kept!, aCall());
  await remove(storage, [changed, trashed!]);
  await restore(storage, changed, aCall({ actor: { kind: 'account', id: 'owner_1' } }));
}

/** The content of a store that a backup must hold. */
export async function contentOf(storage: Storage): Promise<readonly StoredItem[]> {
  const items = await collect(storage.dump(NOW));
  return items.filter((item) => {
    if (item.kind === 'meta') return !OWN_META.includes(item.key);
    return item.kind !== 'geocode';
  });
}

export async function linesOfBackup(
  storage: Storage,
  options: Partial<BackupOptions> = {},
): Promise<readonly string[]> {
  const chunks = await collect(
    writeBackup(storage, { withoutSecrets: false, program: '1.2.3', clock: () => NOW, ...options }),
  );
  return Buffer.concat(chunks).toString().trimEnd().split('\n');
}

export async function backupOf(storage: Storage, options: Partial<BackupOptions> = {}): Promise<Buffer> {
  return compress(await linesOfBackup(storage, options));
}

/** The lines with a valid end line. */
export function ended(lines: readonly string[], counts = { maps: 1, locations: 0 }): Buffer {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return compress([...lines, JSON.stringify({ kind: 'end', ...counts, sha256: hash.digest('hex') })]);
}

export function compress(lines: readonly string[]): Buffer {
  return gzipSync(lines.map((line) => `${line}\n`).join(''));
}

export function check(file: Buffer): Promise<CheckedBackup> {
  return checkBackup(() => Readable.from([file]));
}

/** No server uses these stores, so that a restore need not wait. */
export const ALONE: RestoreOptions = { replace: false, noticeMs: 0, clock: () => NOW };

export async function restoreTo(target: Storage, file: Buffer, options: Partial<RestoreOptions> = {}) {
  return restoreBackup(await check(file), target, { ...ALONE, ...options });
}
