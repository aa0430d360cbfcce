/** Backups of each store, restored into each. */

import { MongoClient } from 'mongodb';

import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { append, aWebhook, insertOne, locationOf } from '../../contract/storage/fixtures.ts';
import { emptyDatabase } from '../../support/mongodb-adapter.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { backupOf, contentOf, restoreTo, seedEverything, seedHistory } from './fixtures.ts';

const server = await testServer();
const databases = server === null ? null : { source: ownDatabase(server), target: ownDatabase(server) };

type Kind = 'SQLite' | 'MongoDB';

async function openEmpty(kind: Kind, role: 'source' | 'target'): Promise<Storage> {
  if (kind === 'SQLite') return openStorage('sqlite::memory:', { timeoutMs: 1_000 });
  const url = databases![role];
  const client = new MongoClient(url);
  await emptyDatabase(client.db());
  await client.db().collection('externalIds').deleteMany({});
  await client.close();
  return openStorage(url, { timeoutMs: 30_000 });
}

for (const [from, to] of [
  ['SQLite', 'SQLite'],
  ['SQLite', 'MongoDB'],
  ['MongoDB', 'SQLite'],
  ['MongoDB', 'MongoDB'],
] as const) {
  const needsServer = from === 'MongoDB' || to === 'MongoDB';
  describeUnless(
    needsServer && databases === null && NO_MONGODB,
    `a backup of ${from}, restored into ${to}`,
    () => {
      let source: Storage;
      let target: Storage;
      beforeAll(async () => {
        [source, target] = await Promise.all([openEmpty(from, 'source'), openEmpty(to, 'target')]);
      });
      afterAll(() => Promise.all([source.close(), target.close()]));

      it('holds everything but the caches, and the restored store accepts writes', async () => {
        const { map } = await seedEverything(source);
        await seedHistory(source, map.id);
        const result = await restoreTo(target, await backupOf(source));
        expect(result).toEqual({ kind: 'restored', counts: { maps: 2, locations: 9 }, withoutExternalId: 0 });
        expect(await contentOf(target)).toEqual(await contentOf(source));
        const kinds = new Set((await contentOf(target)).map(({ kind }) => kind));
        expect([...kinds]).toEqual(expect.arrayContaining(['history', 'changes', 'version']));
        const [ours, theirs] = [await append(source, map.id), await append(target, map.id)];
        expect([theirs.order, theirs.orderKey, theirs.sequence]).toEqual([
          ours.order,
          ours.orderKey,
          ours.sequence,
        ]);
        const again = { key: 'kept', tokenId: 'token_1' };
        expect(locationOf(await insertOne(target, map.id, again), 'replayed')).toEqual(
          locationOf(await insertOne(source, map.id, again), 'replayed'),
        );
        const taken = await insertOne(target, map.id, { location: { externalId: 'own id' } });
        expect(taken.kind).toBe('external-id-taken');
        expect(await target.insertWebhook(aWebhook(map.id), 1)).toEqual({ kind: 'too-many' });
      });

      it('replaces the whole content of another store', async () => {
        const before = await contentOf(source);
        expect(await contentOf(target)).not.toEqual(before);
        const file = await backupOf(source);
        expect((await restoreTo(target, file)).kind).toBe('refused');
        expect((await restoreTo(target, file, { replace: true })).kind).toBe('restored');
        expect(await contentOf(target)).toEqual(before);
      });
    },
  );
}
