/** The doctor reports each kind of damage, in stores damaged by the test, and changes nothing. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Db, Document } from 'mongodb';
import { MongoClient } from 'mongodb';

import { examineStore } from '../../../src/services/store/doctor.ts';
import { prepareSecrets } from '../../../src/services/secrets/secret-rotation.ts';
import { createSecrets } from '../../../src/services/secrets/secrets.ts';
import { examineStorage, openStorage } from '../../../src/storage/open.ts';
import { openDatabase } from '../../../src/storage/sqlite/engine/driver.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { aSecret, aSession } from '../../contract/storage/accounts.ts';
import {
  anInsert,
  append,
  collect,
  insertAll,
  insertOne,
  insertOrders,
  listPage,
  seedMap,
} from '../../contract/storage/fixtures.ts';
import { emptyDatabase } from '../../support/mongodb-adapter.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { temporaryFolder } from '../../storage/sqlite/temporary.ts';
import { seedEverything, seedHistory } from '../backup/fixtures.ts';

const SECRET_KEY = 'correct horse battery staple, and more of it';

/** A line for each reported problem: its check and message. */
async function examine(
  url: string,
  secretKey: string | null = null,
  fallback: string | null = null,
): Promise<readonly string[]> {
  const store = await examineStorage(url, { timeoutMs: 30_000 });
  try {
    const problems = await collect(examineStore(store, createSecrets(secretKey, fallback)));
    store.assertUnchanged();
    return problems.map((each) => {
      if ('unlooked' in each) return `${each.check} was not looked at: ${each.unlooked}`;
      expect(each.remedy).toMatch(/^[A-Z].+\.$/);
      return `${each.check}: ${each.message}`;
    });
  } finally {
    await store.close();
  }
}

/** Records of every kind, some of them changed or deleted, and a map with many positions. */
async function seed(storage: Storage): Promise<string> {
  const { map, owner } = await seedEverything(storage);
  await storage.insertSession(aSession(owner.id, 'session_1'));
  for (const [hash, ownerId] of [
    ['one', owner.id],
    ['other', owner.id],
    ['first', null],
  ] as const)
    await storage.insertOneTimeSecret(aSecret(hash, { ownerId }));
  await seedHistory(storage, map.id);
  const { id } = await seedMap(storage, { ownerId: map.ownerId, id: 'm'.repeat(16) });
  const inserts = Array.from({ length: 40 }, (_, index) => {
    const [latitude, longitude] = [(index * 37) % 80, (index * 91) % 170];
    const texts = { Name: `Café ${index}`, Address: 'Straße', Ünï: 'ΑΒΓ ΣΑΣ', N: index / 3 };
    return anInsert(id, {
      location: { latitude, longitude, name: texts.Name, properties: texts, externalId: `x${index}` },
    });
  });
  await insertAll(storage, id, inserts);
  const [first, second] = await listPage(storage, id);
  await storage.deleteLocation(id, first!.id);
  await storage.moveLocations(id, { ids: [second!.id], position: { kind: 'end' } }, 1);
  await insertOrders(storage, id, ['text', null, '-3.5']);
  return id;
}

const FOREIGN = 'PRAGMA foreign_keys = OFF;';
const M = `(SELECT number FROM maps WHERE id = '${'m'.repeat(16)}')`;
const ONE = `(SELECT min(id) FROM locations WHERE map_number = ${M})`;

/** SQL that damages a file, and the expected lines. */
const SQLITE: Record<string, readonly [sql: string, ...lines: RegExp[]]> = {
  'a map without an owner': [
    `${FOREIGN} INSERT INTO owners (id, name, created_at) VALUES ('o2', 'o2', 1); UPDATE maps SET owner_id = 'o2' WHERE number = ${M};
     DELETE FROM owners WHERE id = 'o2'`,
    /^orphans: Maps refer to a missing owner: 1 map \(m{16}\)\.$/,
    /^indexes: Maps are missing in the lists of their members: 1 map \(m{16}\)\.$/,
  ],
  'a member without an owner': [
    `${FOREIGN} INSERT INTO map_members SELECT 'nobody', created_at, id FROM maps WHERE number = ${M};
     UPDATE maps SET members = json_array(
       json_object('ownerId', owner_id, 'role', 'owner', 'since', 1),
       json_object('ownerId', 'nobody', 'role', 'viewer', 'since', 1)
     ) WHERE number = ${M}`,
    /^orphans: Members of maps refer to a missing owner: 1 map \(m{16}\)\.$/,
  ],
  'a map whose owner is no member': [
    `UPDATE maps SET members = '[]' WHERE number = ${M}; DELETE FROM map_members WHERE map_id = '${'m'.repeat(16)}'`,
    /^integrity: Maps have an owner who is not among their members: 1 map \(m{16}\)\.$/,
  ],
  'a map whose owner is a viewer': [
    `UPDATE maps SET members = json_array(json_object('ownerId', owner_id, 'role', 'viewer', 'since', 1))
       WHERE number = ${M}`,
    /^integrity: Maps have an owner who is not among their members: 1 map \(m{16}\)\.$/,
  ],
  'members that are not valid JSON': [
    `UPDATE maps SET members = '[{' WHERE number = ${M}`,
    /^integrity: The members of 1 map \(m{16}\) are not valid JSON\.$/,
  ],
  'a map missing in the list of its owner': [
    `DELETE FROM map_members WHERE map_id = '${'m'.repeat(16)}'`,
    /^indexes: Maps are missing in the lists of their members: 1 map \(m{16}\)\.$/,
  ],
  'a map in the list of somebody who is no member': [
    `INSERT INTO owners (id, name, created_at) VALUES ('o2', 'o2', 1);
     INSERT INTO map_members SELECT 'o2', created_at, id FROM maps WHERE number = ${M}`,
    /^indexes: The lists of members have maps that they are no members of \(1\)\.$/,
  ],
  'accounts, sessions and links without an owner': [
    `${FOREIGN} UPDATE accounts SET owner_id = 'nobody' WHERE is_disabled = 1; UPDATE sessions SET owner_id = 'someone';
     UPDATE one_time_secrets SET owner_id = 'someone' WHERE owner_id IS NOT NULL`,
    /^orphans: Accounts refer to a missing owner: 1 account \(nobody\)\.$/,
    /^orphans: Sessions refer to a missing account: 1 session \(session_1\)\.$/,
    /^orphans: One-time links refer to a missing account: 1 account \(someone\)\.$/,
  ],
  'a session and links of an owner without an account': [
    'DELETE FROM accounts',
    /^orphans: Sessions refer to a missing account: 1 session \(session_1\)\.$/,
    /^orphans: One-time links refer to a missing account: 1 account \(owner_\w+\)\.$/,
  ],
  'a token without an owner': [
    `${FOREIGN} UPDATE tokens SET owner_id = 'nobody' WHERE id = 'token_1'`,
    /^orphans: Tokens refer to a missing owner: 1 token \(token_1\)\.$/,
  ],
  'a token without its map': [
    `${FOREIGN} UPDATE tokens SET map_id = 'none' WHERE id = 'token_2'`,
    /^orphans: Tokens refer to a missing map: 1 token \(token_2\)\.$/,
  ],
  'locations without their map': [
    `${FOREIGN} DELETE FROM maps WHERE number = ${M}`,
    /^orphans: Members refer to a missing map: 1 map \(m{16}\)\.$/,
    /^orphans: Locations refer to a missing map: 42 locations \(m{16}_\w+, m{16}_\w+, m{16}_\w+, …\)\.$/,
  ],
  'idempotency records without their map': [
    `${FOREIGN} UPDATE idempotency_records SET map_id = 'none'`,
    /^orphans: Idempotency records refer to a missing map: 2 idempotency records \(token_1 none, token_1 none\)\.$/,
  ],
  'calls under an idempotency key without their map': [
    `${FOREIGN} INSERT INTO keyed_calls VALUES ('none', 'token_1', 'key', 'digest', 'call', NULL, 0, 0)`,
    /^orphans: Calls with an idempotency key refer to a missing map: 1 idempotency record \(token_1 none\)\.$/,
  ],
  'history without its map': [
    `UPDATE versions SET map_number = 99; UPDATE history SET map_number = 99; UPDATE changes SET calls = NULL`,
    /^orphans: Former states refer to a missing map: 4 former states \(\w{16}_\w+, \w{16}_\w+, \w{16}_\w+, …\)\.$/,
    /^orphans: Calls refer to a missing map: 4 calls \(history_\w+, history_\w+, history_\w+, …\)\.$/,
  ],
  'former properties that are not valid JSON': [
    `UPDATE versions SET properties = '{"a":' WHERE version = 2`,
    /^integrity: Former properties are not valid JSON: 1 location \(\w{16}_\w+\)\.$/,
  ],
  'a location in the trash that exists': [
    `UPDATE versions SET is_in_trash = 1 WHERE version = 2`,
    /^history: Locations are in the trash and in their map: 1 location \(\w{16}_\w+\)\.$/,
  ],
  'a former state that is not older': [
    `UPDATE versions SET version = 4 WHERE version = 3`,
    /^history: Locations have former states that are not older than they: 1 location \(\w{16}_\w+\)\.$/,
  ],
  'a call whose changes are missing in the log': [
    `UPDATE changes SET calls = NULL WHERE calls = (SELECT max(id) FROM history)`,
    /^history: The map \w{16} has calls whose changes are not all in its log: 1 call \(history_\w+\)\.$/,
  ],
  'a location at another position than its order': [
    `UPDATE locations SET order_key = '3zzz' WHERE id = ${ONE}`,
    /^orders: The map m{16} has 1 location \(m{16}_\w+\) whose order key does not match their order\.$/,
  ],
  'a list without its largest number': [
    `UPDATE maps SET largest_number = '7' WHERE number = ${M}`,
    /^orders: The stored end of the list of map m{16} is wrong: /,
  ],
  'a list without its last sequence number': [
    `UPDATE maps SET last_sequence = 3 WHERE number = ${M}`,
    /^orders: The stored end of the list of map m{16} is wrong: /,
  ],
  'a sequence number twice': [
    `UPDATE locations SET sequence = (SELECT max(sequence) FROM locations WHERE map_number = ${M} AND id <> ${ONE}) WHERE id = ${ONE}`,
    /^orders: The map m{16} has duplicate sequence numbers \(1\)\.$/,
  ],
  'a wrong total': [
    `UPDATE maps SET location_count = 7 WHERE number = ${M}`,
    /^totals: The map m{16} has 42 locations, but its count says 7\.$/,
  ],
  'a wrong sum of a cell': [
    `UPDATE cell_sums SET latitudes = latitudes + 1 WHERE map_number = ${M} AND level = 4
       AND cell = (SELECT min(cell) FROM cell_sums WHERE map_number = ${M} AND level = 4)`,
    /^totals: The map m{16} has wrong cell sums \(1\)/,
  ],
  'a wrong box of a cell': [
    `UPDATE cell_sums SET north = north + 1 WHERE map_number = ${M} AND level = 12
       AND cell = (SELECT min(cell) FROM cell_sums WHERE map_number = ${M} AND level = 12)`,
    /^totals: The map m{16} has wrong cell sums \(1\)/,
  ],
  'cells without sums': [
    `DELETE FROM cell_sums WHERE map_number = ${M} AND level = 4`,
    /^totals: The map m{16} has wrong cell sums \(\d+\)/,
  ],
  'sums of empty cells': [
    `INSERT INTO cell_sums (map_number, level, cell, count, latitudes, longitudes) VALUES (${M}, 4, 255, 1, 1, 1)`,
    /^totals: The map m{16} has wrong cell sums \(1\)/,
  ],
  'an index that is missing': [
    'DROP INDEX locations_by_cell',
    /^indexes: The index locations_by_cell is missing\.$/,
  ],
  'an index that is another': [
    'DROP INDEX tokens_by_owner; CREATE INDEX tokens_by_owner ON tokens (owner_id)',
    /^indexes: The index tokens_by_owner differs from the one that this release creates\.$/,
  ],
  'a location indexed at another point': [
    `UPDATE locations SET cell = cell + 1 WHERE id = ${ONE}`,
    /^indexes: The map m{16} has 1 location \(m{16}_\w+\) that searches or pages show at another point\.$/,
  ],
  'a location displayed at another point': [
    `UPDATE locations SET lat = '1.25' WHERE id = ${ONE}`,
    /^indexes: The map m{16} has 1 location \(m{16}_\w+\) that searches or pages show at another point\.$/,
  ],
  'words of a location missing from the index': [
    `DELETE FROM location_words WHERE rowid = (SELECT number FROM locations WHERE id = ${ONE})`,
    /^indexes: The word index does not match the locations \(\d+ entries, \d+ expected\)/,
  ],
  'indexed words of a former name': [
    `UPDATE locations SET name = 'Other' WHERE id = ${ONE}`,
    /^indexes: The word index does not match the locations \(\d+ entries/,
  ],
  'unreadable properties': [
    `UPDATE locations SET properties = '{"a"' WHERE id = ${ONE}`,
    /^integrity: The map m{16} has 1 location \(m{16}_\w+\) whose properties are not valid JSON\.$/,
    /^indexes: The word index/,
  ],
  'an id twice': [
    `DROP INDEX locations_by_id;
     UPDATE locations SET id = ${ONE} WHERE id = (SELECT max(id) FROM locations WHERE map_number = ${M})`,
    /^indexes: The index locations_by_id is missing\.$/,
    /^duplicates: Several rows have the same unique value: 1 location id \(m{16}_\w+\)\.$/,
  ],
  'an external id twice': [
    `DROP INDEX locations_by_external_id; UPDATE locations SET external_id = 'x9' WHERE external_id = 'x8'`,
    /^indexes: The index locations_by_external_id is missing\.$/,
    /^duplicates: Several rows have the same unique value: 1 external id \(m{16}_\w+\)\.$/,
  ],
  'a key that cannot be decrypted': [
    `UPDATE maps SET geocoding_api_key = 'aes-256-gcm:AAAA' WHERE number = ${M}`,
    /^keys: The API keys of 1 map \(m{16}\) cannot be decrypted\.$/,
  ],
  'an invitation without its map': [
    `${FOREIGN} INSERT INTO invitations SELECT 'invitation_9', 'none', 'h', 'viewer', NULL, 1, 0, id, 1, 2 FROM owners LIMIT 1`,
    /^orphans: Invitations refer to a missing map: 1 invitation \(invitation_9\)\.$/,
  ],
  'an invitation without its creator': [
    `${FOREIGN} INSERT INTO invitations VALUES ('invitation_9', '${'m'.repeat(16)}', 'h', 'viewer', NULL, 1, 0, 'nobody', 1, 2)`,
    /^orphans: Invitations refer to a missing owner: 1 invitation \(invitation_9\)\.$/,
  ],
  'a logo without its map': [
    `${FOREIGN} INSERT INTO logos VALUES ('none', 'image/png', '', '')`,
    /^orphans: Logos refer to a missing map: 1 logo \(none\)\.$/,
  ],
  'a webhook without its map': [
    `${FOREIGN} UPDATE webhooks SET map_id = 'none' WHERE id = 'webhook_1'`,
    /^orphans: Webhooks refer to a missing map: 1 webhook \(webhook_1\)\.$/,
  ],
  'an index of webhooks that is missing': [
    'DROP INDEX webhooks_enabled',
    /^indexes: The index webhooks_enabled is missing\.$/,
  ],
  'secrets that cannot be decrypted': [
    `UPDATE webhooks SET secret = 'aes-256-gcm:AAAA' WHERE id = 'webhook_2';
     UPDATE webhooks SET former_secret = 'aes-256-gcm:AAAA' WHERE id = 'webhook_1'`,
    /^keys: The secrets of 2 webhooks \(webhook_\d, webhook_\d\) cannot be decrypted\.$/,
  ],
  'a restore that was interrupted': [
    `INSERT INTO meta VALUES ('restore', '{"id":"a","beat":0,"revokedLists":0,"completedAt":null}')`,
    /^complete: The store is being restored from a backup, or a restore was interrupted\.$/,
  ],
  'an interrupted copy': [
    `INSERT INTO meta VALUES ('copy', '{"source":"s","digest":null}')`,
    /^complete: The store is an unfinished copy of another one\.$/,
  ],
};

/** SQL for the number of a table's first page, from 0. */
const rootPageOf = (table: string) => `(SELECT rootpage - 1 FROM sqlite_schema WHERE name = '${table}')`;

describe('SQLite', () => {
  const folder = temporaryFolder();
  let sound: Buffer;
  beforeAll(async () => {
    const path = join(folder, 'sound.db');
    const storage = await openStorage(`sqlite:${path}`, { timeoutMs: 5_000 });
    await seed(storage);
    await storage.close();
    sound = readFileSync(path);
  });

  let files = 0;
  /** A new copy of the file, damaged by the SQL. */
  function damaged(sql: string): string {
    const path = join(folder, `${(files += 1)}.db`);
    writeFileSync(path, sound);
    const database = openDatabase(path);
    database.exec(sql);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    return path;
  }

  const stateOf = (path: string) => {
    const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(path));
    return names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
  };

  it('reports nothing for a sound store, and neither changes nor adds a file', async () => {
    const path = damaged('SELECT 1');
    const before = stateOf(path);
    expect(await examine(`sqlite:${path}`)).toEqual([]);
    expect(stateOf(path)).toEqual(before);
    expect(before).toHaveLength(1);
  });

  for (const [name, [sql, ...lines]] of Object.entries(SQLITE)) {
    it(`finds ${name}, and leaves it so`, async () => {
      const path = damaged(sql);
      const before = stateOf(path);
      expect(await examine(`sqlite:${path}`)).toEqual(lines.map((line) => expect.stringMatching(line)));
      expect(stateOf(path)).toEqual(before);
    });
  }

  for (const [where, first, pages] of [
    ['it cannot be opened', '18', 10],
    ['its rows are damaged', rootPageOf('locations'), 1],
    ['its webhooks are damaged', rootPageOf('webhooks'), 1],
    ['its maps are damaged', rootPageOf('maps'), 1],
    ['its own values are damaged', rootPageOf('meta'), 1],
  ] as const) {
    it(`reports a damaged file: ${where}`, async () => {
      const path = damaged('SELECT 1');
      const database = openDatabase(path);
      const page = Number(database.prepare(`SELECT ${first} AS page`).get()?.page);
      database.close();
      const bytes = readFileSync(path);
      bytes.fill(0x5a, page * 4096, (page + pages) * 4096);
      writeFileSync(path, bytes);
      const found = await examine(`sqlite:${path}`);
      expect(found.length).toBeGreaterThan(0);
      expect(found[0]).toMatch(/^integrity: The database file is damaged: /);
      expect(readFileSync(path).equals(bytes)).toBe(true);
    });
  }

  it('reads a snapshot of a store that is being served', async () => {
    const path = damaged('SELECT 1');
    const storage = await openStorage(`sqlite:${path}`, { timeoutMs: 5_000 });
    await append(storage, 'm'.repeat(16));
    const store = await examineStorage(`sqlite:${path}`, { timeoutMs: 5_000 });
    const found = examineStore(store, createSecrets(null))[Symbol.asyncIterator]();
    const first = found.next();
    await append(storage, 'm'.repeat(16));
    expect(await first).toEqual({ done: true, value: undefined });
    store.assertUnchanged();
    await store.close();
    await storage.close();
  });

  it('refuses a missing file, a file that is no store, and another version', async () => {
    const at = (path: string) => examineStorage(`sqlite:${path}`, { timeoutMs: 1_000 });
    const absent = join(folder, 'absent.db');
    await expect(at(absent)).rejects.toThrow('There is no store yet.');
    writeFileSync(join(folder, 'notes.txt'), 'no database at all, but some text\n'.repeat(100));
    await expect(at(join(folder, 'notes.txt'))).rejects.toThrow('not an SQLite database');
    await expect(at(damaged('PRAGMA user_version = 5'))).rejects.toThrow('has version 5');
    await expect(at(damaged('PRAGMA user_version = 999'))).rejects.toThrow('newer release');
    expect(readdirSync(folder).filter((name) => name.startsWith('absent'))).toEqual([]);
  });

  it('reports a missing or wrong SECRET_KEY', async () => {
    const path = damaged('SELECT 1');
    const storage = await openStorage(`sqlite:${path}`, { timeoutMs: 5_000 });
    await prepareSecrets(storage, createSecrets(SECRET_KEY));
    await storage.close();
    expect(await examine(`sqlite:${path}`, SECRET_KEY)).toEqual([]);
    expect(await examine(`sqlite:${path}`)).toEqual([expect.stringMatching(/^keys: .* none is set\.$/)]);
    expect(await examine(`sqlite:${path}`, 'x'.repeat(40))).toEqual([
      expect.stringMatching(/^keys: SECRET_KEY is not the one/),
    ]);
  });

  it('reports keys encrypted with an unknown key', async () => {
    const path = damaged('SELECT 1');
    const storage = await openStorage(`sqlite:${path}`, { timeoutMs: 5_000 });
    const former = createSecrets(SECRET_KEY);
    await prepareSecrets(storage, former);
    const patch = { geocodingApiKey: former.seal('a key') };
    await storage.updateMap('m'.repeat(16), patch, { evenIfDeleted: true });
    const other = 'x'.repeat(40);
    await prepareSecrets(storage, createSecrets(other, SECRET_KEY));
    await storage.close();
    expect(await examine(`sqlite:${path}`, other, SECRET_KEY)).toEqual([]);
    expect(await examine(`sqlite:${path}`, SECRET_KEY, other)).toEqual([]);
    expect(await examine(`sqlite:${path}`, other)).toEqual([
      expect.stringMatching(/^keys: Some API keys may be encrypted with a key other/),
      expect.stringMatching(/^keys: The API keys of \d+ maps? \(.*m{16}.*\) cannot be decrypted\.$/),
      expect.stringMatching(/^keys: The secrets of 1 webhook \(webhook_1\) cannot be decrypted\.$/),
    ]);
  });
});

const MAP = 'm'.repeat(16);
type Damage = readonly [damage: (db: Db) => Promise<unknown>, ...lines: RegExp[]];

/** A location of the map with an external id. */
const one = async (db: Db): Promise<Document> =>
  (await db.collection('locations').findOne({ mapId: MAP, externalId: 'x20' }))!;
const change = async (db: Db, update: Document) =>
  db.collection('locations').updateOne({ _id: (await one(db))._id, mapId: MAP }, update);
const changeMap = (db: Db, update: Document) =>
  db.collection<{ _id: string }>('maps').updateOne({ _id: MAP }, update);
const changeToken = (db: Db, id: string, update: Document) =>
  db.collection<{ _id: string }>('tokens').updateOne({ _id: id }, update);

const changeWebhook = (db: Db, id: string, update: Document) =>
  db.collection('webhooks').updateOne({ id }, update);

const MONGODB: Record<string, Damage> = {
  'a map without an owner': [
    (db) => changeMap(db, { $set: { ownerId: 'nobody' } }),
    /^orphans: Maps refer to a missing owner: 1 map \(m{16}\)\.$/,
    /^integrity: Maps have an owner who is not among their members: 1 map \(m{16}\)\.$/,
  ],
  'a member without an owner': [
    (db) => changeMap(db, { $push: { members: { ownerId: 'nobody', role: 'viewer', since: new Date() } } }),
    /^orphans: Members of maps refer to a missing owner: 1 map \(m{16}\)\.$/,
  ],
  'an invitation without its creator': [
    (db) => changeMap(db, { $set: { invitations: [{ id: 'invitation_1', createdBy: 'nobody' }] } }),
    /^orphans: Invitations refer to a missing owner: 1 invitation \(invitation_1\)\.$/,
  ],
  'a map whose owner is a viewer': [
    (db) => changeMap(db, { $set: { 'members.0.role': 'viewer' } }),
    /^integrity: Maps have an owner who is not among their members: 1 map \(m{16}\)\.$/,
  ],
  'accounts, sessions and links without an owner': [
    async (db) => {
      const account = (await db.collection('accounts').findOne({ isDisabled: true }))!;
      await db.collection('accounts').deleteOne({ _id: account._id });
      await db.collection<Document & { _id: string }>('accounts').insertOne({ ...account, _id: 'nobody' });
      await db.collection('sessions').updateMany({}, { $set: { ownerId: 'someone' } });
      const links = db.collection('oneTimeSecrets');
      await links.updateMany({ ownerId: { $exists: true } }, { $set: { ownerId: 'someone' } });
    },
    /^orphans: Accounts refer to a missing owner: 1 account \(nobody\)\.$/,
    /^orphans: Sessions refer to a missing account: 1 session \(session_1\)\.$/,
    /^orphans: One-time links refer to a missing account: 1 account \(someone\)\.$/,
  ],
  'a token without an owner': [
    (db) => changeToken(db, 'token_1', { $set: { ownerId: 'nobody' } }),
    /^orphans: Tokens refer to a missing owner: 1 token \(token_1\)\.$/,
  ],
  'a token without its map': [
    (db) => changeToken(db, 'token_2', { $set: { mapId: 'none' } }),
    /^orphans: Tokens refer to a missing map: 1 token \(token_2\)\.$/,
  ],
  'records of a missing map': [
    (db) => db.collection<{ _id: string }>('maps').deleteOne({ _id: MAP }),
    /^orphans: Locations refer to a missing map: 1 map \(m{16}\)\.$/,
    /^orphans: External ids refer to a missing map: 1 map \(m{16}\)\.$/,
  ],
  'idempotency records without their map': [
    (db) => db.collection('claims').updateOne({}, { $set: { mapId: 'none' } }),
    /^orphans: Idempotency records refer to a missing map: 1 map \(none\)\.$/,
  ],
  'calls under an idempotency key without their map': [
    (db) => db.collection('keyedCalls').insertOne({ mapId: 'none', tokenId: 'token_1', key: 'key' }),
    /^orphans: Calls with an idempotency key refer to a missing map: 1 map \(none\)\.$/,
  ],
  'history without its map': [
    async (db) => {
      for (const name of ['versions', 'history']) {
        const documents = await db.collection<Document & { _id: string }>(name).find().toArray();
        await db.collection(name).deleteMany({});
        await db.collection<Document & { _id: string }>(name).insertMany(
          documents.map((document) => ({
            ...document,
            _id: document._id.replace(/^\w{16}/, 'z'.repeat(16)),
            mapId: 'z'.repeat(16),
          })),
        );
      }
    },
    /^orphans: Former states refer to a missing map: 1 map \(z{16}\)\.$/,
    /^orphans: Calls refer to a missing map: 1 map \(z{16}\)\.$/,
  ],
  'former properties that are not valid JSON': [
    async (db) => {
      await db
        .collection('versions')
        .updateOne({ state: { $exists: true } }, { $set: { 'state.properties': '{' } });
      await db
        .collection('locations')
        .updateOne({ trash: { $exists: true } }, { $set: { 'trash.location.properties': '{' } });
    },
    /^integrity: Former properties are not valid JSON: 2 locations \(\w{16}_\w+, \w{16}_\w+\)\.$/,
  ],
  'a location in the trash under another id': [
    (db) =>
      db
        .collection('locations')
        .updateOne({ trash: { $exists: true } }, { $set: { 'trash.key': 'history_1 other' } }),
    /^history: Locations are in the trash under another id: 1 location \(\w{16}_\w+\)\.$/,
  ],
  'a sequence number of the trash that would be used again': [
    (db) =>
      db
        .collection('locations')
        .updateOne({ trash: { $exists: true } }, { $set: { 'trash.location.sequence': 1_000 } }),
    /^orders: The stored end of the list of map \w{16} is wrong/,
  ],
  'a call whose changes are missing in the log': [
    (db) =>
      db.collection('history').updateOne({ 'counts.deleted': { $gt: 0 } }, { $inc: { 'counts.deleted': 1 } }),
    /^history: The map \w{16} has calls whose changes are not all in its log: 1 call \(history_\w+\)\.$/,
  ],
  'a location of another map’s id': [
    async (db) => {
      const { _id: _, ...rest } = await one(db);
      await db.collection('locations').deleteOne({ mapId: MAP, externalId: 'x20' });
      await db
        .collection<Document & { _id: string }>('locations')
        .insertOne({ ...rest, _id: `${'k'.repeat(16)}_0` });
    },
    /^orphans: The map m{16} has 1 location \(k{16}_0\) whose id does not belong to this map\.$/,
    /^indexes: The map m{16} has 1 location \(k{16}_0\) whose external id is not reserved: another location could get it too\.$/,
  ],
  'a location at another position than its order': [
    (db) => change(db, { $set: { order: '555.5' } }),
    /^orders: The map m{16} has 1 location \(m{16}_\w+\) whose position does not match their order\.$/,
    /^orders: The stored end of the list of map m{16} is wrong/,
  ],
  'a list without its end': [
    (db) => changeMap(db, { $set: { 'end.sequence': 3 } }),
    /^orders: The stored end of the list of map m{16} is wrong/,
  ],
  'a wrong total': [
    (db) => changeMap(db, { $inc: { 'count.settled.0.count': 5 } }),
    /^totals: The map m{16} has 42 locations that no write is changing, but its count says 47\.$/,
  ],
  'an index that is missing': [
    (db) => db.collection('locations').dropIndex('locations_by_cell'),
    /^indexes: The index locations_by_cell of locations is missing\.$/,
  ],
  'an index that is another': [
    async (db) => {
      await db.collection('claims').dropIndex('claims_by_key');
      await db.collection('claims').createIndex({ mapId: 1, tokenId: 1, key: 1 }, { name: 'claims_by_key' });
    },
    /^indexes: The index claims_by_key of claims differs from the one that this release creates\.$/,
  ],
  'a location missing from the spatial index': [
    (db) => change(db, { $inc: { cell: 1 } }),
    /^indexes: The map m{16} has 1 location \(m{16}_\w+\) whose search index does not match their content\.$/,
  ],
  'a location missing from the word index': [
    (db) => change(db, { $pop: { terms: 1 } }),
    /^indexes: The map m{16} has 1 location \(m{16}_\w+\) whose search index does not match their content\.$/,
  ],
  'an external id without its reservation': [
    (db) => db.collection('externalIds').deleteOne({ mapId: MAP, externalId: 'x20' }),
    /^indexes: The map m{16} has 1 location \(m{16}_\w+\) whose external id is not reserved: another location could get it too\.$/,
  ],
  'unreadable properties': [
    (db) => change(db, { $set: { properties: '{"a"' } }),
    /^integrity: The map m{16} has 1 location \(m{16}_\w+\) whose properties are not valid JSON\.$/,
  ],
  'an external id and a sequence number twice': [
    async (db) => {
      const other = { _id: `${MAP}_zzz`, ...{ externalId: 'x20' } };
      await db
        .collection<Document & { _id: string }>('locations')
        .insertOne({ ...(await one(db)), ...other });
    },
    /^duplicates: Several documents have the same unique value: 1 sequence number in a map \(m{16}_\w+\)\.$/,
    /^duplicates: Several documents have the same unique value: 1 external id in a map \(m{16}_\w+\)\.$/,
    /^indexes: The map m{16} has 1 location \(m{16}_zzz\) whose external id is not reserved: another location could get it too\.$/,
    /^totals: The map m{16} has 43 locations .+, but its count says 42\.$/,
  ],
  'a token’s hash twice': [
    async (db) => {
      await db.collection('tokens').dropIndex('tokens_by_hash');
      const { hash } = (await db
        .collection<Document & { _id: string }>('tokens')
        .findOne({ _id: 'token_1' }))!;
      await changeToken(db, 'token_3', { $set: { hash: hash as string } });
    },
    /^indexes: The index tokens_by_hash of tokens is missing\.$/,
    /^duplicates: Several documents have the same unique value: 1 hash of a token \(token_1\)\.$/,
  ],
  'a key that cannot be decrypted': [
    (db) => changeMap(db, { $set: { geocodingApiKey: 'aes-256-gcm:AAAA' } }),
    /^keys: The API keys of 1 map \(m{16}\) cannot be decrypted\.$/,
  ],
  'a logo without its map': [
    (db) =>
      db.collection<{ _id: string }>('logos').insertOne({ _id: 'none/ab', mapId: 'none' } as { _id: string }),
    /^orphans: Logos refer to a missing map: 1 logo \(none\/ab\)\.$/,
  ],
  'a webhook without its map': [
    (db) => changeWebhook(db, 'webhook_1', { $set: { mapId: 'none' } }),
    /^orphans: Webhooks refer to a missing map: 1 map \(none\)\.$/,
  ],
  'a webhook’s id twice': [
    async (db) => {
      await db.collection('webhooks').dropIndex('webhooks_by_id');
      await changeWebhook(db, 'webhook_2', { $set: { id: 'webhook_1' } });
    },
    /^indexes: The index webhooks_by_id of webhooks is missing\.$/,
    /^duplicates: Several documents have the same unique value: 1 id of a webhook \(\w+_0\)\.$/,
  ],
  'secrets that cannot be decrypted': [
    async (db) => {
      await changeWebhook(db, 'webhook_1', { $set: { 'formerSecret.secret': 'aes-256-gcm:AAAA' } });
      await changeWebhook(db, 'webhook_2', { $set: { secret: 'aes-256-gcm:AAAA' } });
    },
    /^keys: The secrets of 2 webhooks \(webhook_\d, webhook_\d\) cannot be decrypted\.$/,
  ],
  'a restore that was interrupted': [
    (db) =>
      db
        .collection<Document & { _id: string }>('meta')
        .insertOne({ _id: 'restore', value: '{"completedAt":null}' }),
    /^complete: The store is being restored from a backup, or a restore was interrupted\.$/,
  ],
};

const server = await testServer();
describeUnless(server === null && NO_MONGODB, 'MongoDB', () => {
  const url = server === null ? '' : ownDatabase(server);
  const client = new MongoClient(url === '' ? 'mongodb://localhost' : url);
  const db = client.db();
  afterAll(() => client.close());

  /** All documents and indexes. */
  const stateOf = async () => {
    const collections = await db.listCollections().toArray();
    const names = collections.map(({ name }) => name).sort();
    return Promise.all(
      names.map(async (name) => [
        name,
        await db.collection(name).find().sort({ _id: 1 }).toArray(),
        await db.collection(name).listIndexes().toArray(),
      ]),
    );
  };

  beforeEach(async () => {
    await emptyDatabase(db);
    await db.collection('externalIds').deleteMany({});
    // Creates the indexes that the previous case dropped.
    await db
      .collection('claims')
      .dropIndex('claims_by_key')
      .catch(() => {});
    const storage = await openStorage(url, { timeoutMs: 30_000 });
    await seed(storage);
    await storage.close();
  });

  it('reports nothing for a sound store, and changes nothing', async () => {
    const before = await stateOf();
    expect(await examine(url)).toEqual([]);
    expect(await stateOf()).toEqual(before);
  });

  for (const [name, [damage, ...lines]] of Object.entries(MONGODB)) {
    it(`finds ${name}, and leaves it so`, async () => {
      await damage(db);
      const before = await stateOf();
      expect(await examine(url)).toEqual(lines.map((line) => expect.stringMatching(line)));
      expect(await stateOf()).toEqual(before);
    });
  }

  it('reports nothing during concurrent writes', async () => {
    const storage = await openStorage(url, { timeoutMs: 30_000 });
    const state = { isEnded: false };
    const writing = (async () => {
      while (!state.isEnded) {
        const location = await append(storage, MAP);
        await insertOne(storage, MAP, { location: { externalId: `w ${location.id}` } });
        await storage.deleteLocation(MAP, location.id);
      }
    })();
    const found = [...(await examine(url)), ...(await examine(url))];
    state.isEnded = true;
    await writing;
    await storage.close();
    expect(found.filter((line) => !line.includes('was not checked'))).toEqual([]);
  });

  it('refuses an empty database and another version', async () => {
    const at = () => examineStorage(url, { timeoutMs: 10_000 });
    await db.collection('meta').deleteMany({});
    await expect(at()).rejects.toThrow('There is no store yet');
    const say = (value: string) =>
      db.collection<Document & { _id: string }>('meta').insertOne({ _id: 'schema-version', value });
    await say('2');
    await expect(at()).rejects.toThrow('has version 2');
    await db.collection('meta').deleteMany({});
    await say('999');
    await expect(at()).rejects.toThrow('newer release');
  });
});
