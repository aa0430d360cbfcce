/** What a caller is told where the server refuses a statement: that of its state is no mistake of the program. */

import type { Proxy } from '../../support/mongodb-proxy.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/mongodb-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: statements that the server refuses', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let proxy: Proxy;
  let storage: Storage;
  let code = 0;
  beforeAll(async () => {
    proxy = await startProxy(url, {
      instead: (name) => (name === 'find' && code > 0 ? { ok: 0, code, errmsg: 'refused' } : undefined),
    });
    storage = await openMongodbStorage(proxy.url, { timeoutMs: 10_000 });
  });
  afterAll(async () => {
    await storage.close();
    await proxy.close();
  });

  const listPage = () =>
    storage.listLocations('map', { limit: 1, fromEnd: false, after: null, before: null });

  it.each([
    [11602, 'another primary is elected'],
    [10107, 'it is no longer the primary'],
    [112, 'another transaction has written the same'],
    [175, 'an index that a query goes by is dropped'],
    [246, 'a snapshot is older than an index'],
    [43, 'a cursor is lost'],
  ])('of its state, code %d: the store is unavailable, since %s', async (refused) => {
    code = refused;
    await expect(listPage()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('of what it was asked: a mistake of the program, told as it is', async () => {
    code = 2;
    await expect(listPage()).rejects.toMatchObject({ name: 'MongoServerError', code: 2 });
  });
});
