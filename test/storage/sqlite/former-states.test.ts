/** The queries for former states: each reads an index from where it starts, and a file of version 19 gets that index. */

import { join } from 'node:path';

import { sqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { VERSIONS_BY_SEQUENCE } from '../../../src/storage/sqlite/migrations/versions-from-17.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { collect, NOW, seedMap } from '../../contract/storage/fixtures.ts';
import { aCall, change, insert, remove } from '../../contract/storage/history.ts';
import { expectHistory } from '../../support/history.ts';
import { plansOf } from './plans.ts';
import { openConnection, temporaryFolder, valueOf } from './temporary.ts';

const SEARCH = /^SEARCH versions USING INDEX versions_by_sequence \(map_number=\? AND sequence=\?/;

const path = join(temporaryFolder(), 'history.db');
const connection = await openConnection(path);
const storage = sqliteStorage(connection);
const { id: mapId } = await seedMap(storage);
const [kept, deleted, restored] = await insert(storage, mapId, aCall(), [null, null, null]);
const changing = aCall();
const changed = await change(storage, kept!, changing);
await change(storage, deleted!, changing);
await remove(storage, [deleted!, restored!], aCall());
await storage.restoreLocations(mapId, [restored!], NOW, { call: aCall() });

describe('the step from version 19', () => {
  it('keeps its history, with a sequence number for each deletion', async () => {
    const before = await collect(storage.dump(NOW));
    // As version 19 had it.
    connection.run('DROP INDEX versions_by_sequence');
    connection.run('DROP INDEX versions_in_trash_by_id');
    connection.run('CREATE UNIQUE INDEX versions_by_location ON versions (id, version)');
    connection.run('UPDATE versions SET sequence = NULL WHERE name IS NULL');
    connection.exec(VERSIONS_BY_SEQUENCE);
    expect(await collect(storage.dump(NOW))).toEqual(before);
    await expectHistory(storage, mapId);
    expect(valueOf(connection, 'SELECT count(*) FROM versions WHERE name IS NULL AND sequence = 3')).toBe(1);
  });
});

describe('a dump', () => {
  it('has the versions by location and version, in batches', async () => {
    const store = sqliteStorage(await openConnection(':memory:'));
    const map = await seedMap(store);
    const all = await insert(store, map.id, aCall(), Array<null>(250).fill(null));
    for (const location of all) await change(store, location, aCall());
    await remove(store, all.slice(0, 120), aCall());
    const versions = (await collect(store.dump(NOW))).flatMap((item) =>
      item.kind === 'version' ? [`${item.version.locationId} ${item.version.version}`] : [],
    );
    expect(versions).toHaveLength(250 + 120);
    expect(versions).toEqual(versions.toSorted());
    await store.close();
  });
});

describe('the former states of a location', () => {
  const all = { limit: 10, before: null };
  const calls: [string, (store: Storage) => Promise<unknown>][] = [
    ['are listed', (store) => store.listVersions(mapId, kept!.id, all)],
    ['are found by their call', (store) => store.findReplacedVersions(mapId, changing.id, [deleted!.id])],
    [
      'are removed when they are over the limit',
      (store) => change(store, changed, { ...aCall(), mostVersions: 1 }),
    ],
    ['are removed by a deletion that keeps no trash', (store) => store.deleteLocations(mapId, [kept!.id])],
    ['are purged', (store) => store.purgeLocations(mapId, [deleted!.id])],
  ];
  it.each(calls)('%s by the sequence number of the location', async (_, call) => {
    const plans = await plansOf(connection, call);
    const searches = plans.filter((plan) => SEARCH.test(plan));
    expect(searches).toHaveLength(1);
    for (const plan of plans) expect(plan).not.toMatch(/^SCAN (?!CONSTANT)/);
  });
});
