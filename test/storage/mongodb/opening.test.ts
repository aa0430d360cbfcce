/** Opening a database: indexes, several gateways at once, and servers that are unsuitable or refuse access. */

import type { Document } from 'mongodb';

import { ServiceError } from '../../../src/errors.ts';
import { INDEXES } from '../../../src/storage/mongodb/schema.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import { append, rejectionOf, seedMap } from '../../contract/storage/fixtures.ts';
import type { ProxyOptions } from '../../support/mongodb-proxy.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { PATIENCE_MS } from '../../support/until.ts';

const OPTIONS = { timeoutMs: PATIENCE_MS };
const PASSWORD = 'correct-horse-battery';

/** Everything readable of an error: message, stack, members, and the same of its causes. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const members = Object.getOwnPropertyNames(error).map((name) => {
    const value = (error as unknown as Record<string, unknown>)[name];
    return value instanceof Error ? allOf(value) : `${name}: ${String(JSON.stringify(value))}`;
  });
  return [error.name, error.message, ...members].join('\n');
}

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: opening', () => {
  if (server === null) return;

  const indexesOf = (url: string) =>
    withClient(url, async (client) => {
      const found: Document[] = [];
      for (const name of new Set(INDEXES.map(({ collection }) => collection))) {
        const indexes = await client.db().collection(name).indexes();
        found.push(...indexes.map((index) => ({ collection: name, ...index })));
      }
      return found.filter(({ name }) => name !== '_id_');
    });

  /** The error of opening through a proxy with these options. */
  const openingFailure = async (options: ProxyOptions, user = '') => {
    const proxy = await startProxy(ownDatabase(server), options);
    try {
      const url = proxy.url.replace('//', `//${user}`);
      return await rejectionOf(openMongodbStorage(url, OPTIONS));
    } finally {
      await proxy.close();
    }
  };

  it('waits for a missing server no longer than its limit, and reports the cause', async () => {
    const url = 'mongodb://127.0.0.1:1/maps';
    const times = { timeoutMs: 600_000, connectTimeoutMs: 600_000, openTimeoutMs: 200 };
    expect(await rejectionOf(openMongodbStorage(url, times))).toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      cause: { message: expect.stringContaining('ECONNREFUSED') },
    });
  });

  it('creates every index of the schema, and no other', async () => {
    const url = ownDatabase(server);
    await (await openMongodbStorage(url, OPTIONS)).close();
    const found = await indexesOf(url);
    const essence = (index: Document) => ({
      collection: index['collection'] as string,
      name: index['name'] as string,
      key: Object.entries(index['key'] as Document),
      unique: index['unique'] === true,
      expires: (index['expireAfterSeconds'] ?? null) as number | null,
    });
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(found.map(essence).toSorted(byName)).toEqual(
      INDEXES.map(({ options, ...index }) => essence({ ...index, ...options })).toSorted(byName),
    );
  });

  it('succeeds several times at once on an empty database, with every index once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const url = ownDatabase(server);
      const stores = await Promise.all([1, 2, 3].map(() => openMongodbStorage(url, OPTIONS)));
      const map = await seedMap(stores[0]!);
      for (const store of stores) await append(store, map.id);
      expect((await indexesOf(url)).map(({ name }) => String(name)).toSorted()).toEqual(
        INDEXES.map(({ name }) => name).toSorted(),
      );
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  it('refuses a server older than 5.0, with the version', async () => {
    for (const maxWireVersion of [12, 9, 6]) {
      const response = (document: Document) =>
        'maxWireVersion' in document ? { ...document, maxWireVersion } : document;
      const error = await openingFailure({ response });
      expect(String(error)).toContain('too old: version 5.0 or later is needed');
    }
  });

  it('wrong credentials are not an outage, and no error has them', async () => {
    // The test server requires no credentials; this is the response of a mongod that does.
    const response = (document: Document): Document =>
      'conversationId' in document || 'payload' in document || document['code'] === 18
        ? { ok: 0, errmsg: 'Authentication failed.', code: 18, codeName: 'AuthenticationFailed' }
        : { ...document, speculativeAuthenticate: undefined };
    const error = await openingFailure({ response }, `someone:${PASSWORD}@`);
    expect(error).not.toBeInstanceOf(ServiceError);
    expect(String(error)).toContain('uthentication failed');
    expect(allOf(error)).not.toContain(PASSWORD);
  });

  it('a malformed URL is refused without being quoted', async () => {
    const urls = [
      `mongodb://someone:${PASSWORD}@127.0.0.1:99999/`,
      `mongodb://someone:${PASSWORD}:more@127.0.0.1/`,
      `mongodb://${PASSWORD}/x:y@127.0.0.1/`,
      `mongodb+srv://someone:${PASSWORD}@localhost:27017/`,
      `mongodb://someone:${PASSWORD}%zz@127.0.0.1/`,
      `mongodb://someone:${PASSWORD}@127.0.0.1/?unknownOption=1`,
    ];
    for (const url of urls) {
      const error = await rejectionOf(openMongodbStorage(url, { timeoutMs: 200 }));
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(ServiceError);
      expect(allOf(error)).not.toContain(PASSWORD);
    }
  });

  it('an unreachable server is an outage, without the password in the error', async () => {
    const error = await rejectionOf(
      openMongodbStorage(`mongodb://someone:${PASSWORD}@127.0.0.1:9/`, { timeoutMs: 300 }),
    );
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).code).toBe('STORAGE_UNAVAILABLE');
    expect(allOf(error)).not.toContain(PASSWORD);
  });

  it('the path of the URL names the database, even if that is test', async () => {
    const url = ownDatabase(server);
    const name = new URL(url).pathname.slice(1);
    const storage = await openMongodbStorage(url, OPTIONS);
    await storage.setMetaIfAbsent('here', name);
    await storage.close();
    const found = await withClient(url, (client) =>
      client.db(name).collection<{ _id: string; value: string }>('meta').findOne({ _id: 'here' }),
    );
    expect(found?.value).toBe(name);
  });
});
