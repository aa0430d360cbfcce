/** Every query of the port uses an index within bounds; on mongod, also without a sort. */

import { readFileSync } from 'node:fs';

import type { Document } from 'mongodb';
import { MongoClient } from 'mongodb';

import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Access } from '../../support/mongodb-explain.ts';
import { explain, filterOf, isQuery, line, settled } from '../../support/mongodb-explain.ts';
import type { Proxy } from '../../support/mongodb-proxy.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NEEDS_MONGOD, NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless, itUnless } from '../../support/skip.ts';
import { everyCall, everyCallOfCopy, seed, seedCopy } from './explain-calls.ts';
import { EXPECTED } from './explain-expected.ts';

/** Calls about all maps. */
const ALL_MAPS = new Set(['removeAll', 'removeOldHistory, the next trash']);
const README = new URL('../../../src/storage/mongodb/README.md', import.meta.url);

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: plans on 50,000 locations in 200 maps', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  const copyUrl = ownDatabase(server);
  const sent: Document[] = [];
  const accesses = new Map<string, readonly Access[]>();
  const commands = new Map<string, readonly Document[]>();
  const proxies: Proxy[] = [];
  const stores: Storage[] = [];
  const clients = [new MongoClient(url), new MongoClient(copyUrl)] as const;
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await Promise.all(clients.map((client) => client.close()));
  });

  const openListening = async (target: string) => {
    const proxy = await startProxy(target, {
      judge: (_name, command) => {
        sent.push(command);
        return 'pass';
      },
    });
    const store = await openMongodbStorage(proxy.url, { timeoutMs: 30_000 });
    proxies.push(proxy);
    stores.push(store);
    return store;
  };

  beforeAll(async () => {
    const storage = await openListening(url);
    const seeded = await seed(storage);
    const copy = await openListening(copyUrl);
    await seedCopy(copy);
    const calls: Record<keyof typeof EXPECTED, () => Promise<unknown>> = {
      ...everyCall(storage, seeded),
      ...everyCallOfCopy(copy, () => (sent.length = 0)),
    };
    for (const [name, call] of Object.entries(calls)) {
      await settled(
        clients.map((client) => client.db()),
        sent,
      );
      sent.length = 0;
      await call();
      const own = sent.splice(0);
      commands.set(name, own);
      const isCopy = ['setMeta', 'removeMeta', 'dump', 'snapshot', 'load', 'removeAll'].includes(name);
      const db = clients[isCopy ? 1 : 0].db();
      const found: Access[] = [];
      for (const command of own.filter((some) => isQuery(some))) {
        found.push(await explain(db, command, server.isMongod));
      }
      accesses.set(name, found);
    }
  });

  for (const [name, expected] of Object.entries(EXPECTED)) {
    it(`${name}: ${expected.length > 0 ? expected.join('; ') : 'no query'}`, () => {
      expect([...new Set(accesses.get(name)?.map(line))]).toEqual(expected);
    });
  }

  it('has each of these plans in the README of the adapter', () => {
    const readme = readFileSync(README, 'utf8');
    for (const text of new Set(Object.values(EXPECTED).flat())) expect(readme).toContain(`\`${text}\``);
  });

  itUnless(!server.isMongod && NEEDS_MONGOD, 'has no collection scan and no sort', () => {
    for (const [name, list] of accesses) {
      for (const { stages } of list) {
        expect(stages).not.toEqual([]);
        expect(stages).not.toContain('COLLSCAN');
        // Clusters are sorted after they are grouped, which no index can do.
        if (name !== 'findClusters') expect(stages).not.toContain('SORT');
      }
    }
  });

  it('has the map in every query about locations, except when a copy empties its target, or to find the next trash', () => {
    for (const [name, list] of commands) {
      const about = list.filter((command) => Object.values(command)[0] === 'locations');
      for (const command of about.filter((some) => !('createIndexes' in some) && !ALL_MAPS.has(name))) {
        const documents = 'insert' in command ? (command['documents'] as Document[]) : [filterOf(command)];
        for (const { mapId } of documents) {
          const { $eq, $in } = (mapId ?? {}) as Document;
          const values = ($in ?? [$eq ?? mapId]) as readonly unknown[];
          expect([name, ...values.map((value) => typeof value)]).toEqual([
            name,
            ...values.map(() => 'string'),
          ]);
        }
      }
    }
  });
});
