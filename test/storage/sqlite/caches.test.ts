/** Cached rows are never older than the last completed write, by any gateway. */

import { join } from 'node:path';

import fc from 'fast-check';

import type { MapRecord } from '../../../src/domain/map.ts';
import { now } from '../../../src/storage/read-timestamp.ts';
import type { Storage, TokenRecord } from '../../../src/storage/storage.ts';
import type { Database } from '../../../src/storage/sqlite/database.ts';
import { RowCache } from '../../../src/storage/sqlite/caches.ts';
import { openSqliteStorage, sqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { aToken, collect, NOW, rejectionOf, seedMap, seedOwner } from '../../contract/storage/fixtures.ts';
import { openConnection, temporaryFolder } from './temporary.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = () => join(folder, `${(files += 1)}.db`);

describe('a cached row', () => {
  it('is read once per version', () => {
    const source = { now: 1, version: () => source.now };
    const memory = new RowCache<{ readonly text: string }>(source);
    let reads = 0;
    const get = (key: string) =>
      memory.get(key, undefined, () => ({ text: `${key}, read ${(reads += 1)}` }))?.text;
    expect([get('a'), get('a'), get('b'), get('a')]).toEqual([
      'a, read 1',
      'a, read 1',
      'b, read 2',
      'a, read 1',
    ]);
    source.now = 2;
    expect([get('b'), get('a'), get('a')]).toEqual(['b, read 3', 'a, read 4', 'a, read 4']);
  });

  it('is read again while it is missing', () => {
    const memory = new RowCache<{ readonly text: string }>({ version: () => 1 });
    const found = [null, null, { text: 'there' }];
    const get = () => memory.get('a', undefined, () => found.shift() ?? null);
    expect([get(), get(), get(), get()]).toEqual([null, null, { text: 'there' }, { text: 'there' }]);
  });

  it('is dropped if it changes while being read', () => {
    const source = { now: 1, version: () => source.now };
    const memory = new RowCache<{ readonly text: string }>(source);
    memory.get('a', undefined, () => {
      source.now = 2;
      return { text: 'either' };
    });
    expect(memory.get('a', undefined, () => ({ text: 'new' }))).toEqual({ text: 'new' });
  });
});

describe('the version of a store', () => {
  const openTwins = async (): Promise<[Database, Database]> => {
    const path = newPath();
    const twins = [await openConnection(path), await openConnection(path)] as const;
    await twins[0].write(() => twins[0].exec('CREATE TABLE notes (text TEXT) STRICT'));
    return [...twins];
  };
  const write = (connection: Database) =>
    connection.write(() => connection.run("INSERT INTO notes VALUES ('')"));

  it('changes with every commit, by this or another connection', async () => {
    const [mine, other] = await openTwins();
    const versions = [mine.version()];
    for (const connection of [mine, other, other, mine, other, mine, mine]) {
      await write(connection);
      versions.push(mine.version());
    }
    expect(new Set(versions).size).toBe(versions.length);
    await mine.close();
    await other.close();
  });

  it('does not change without writes', async () => {
    const [mine, other] = await openTwins();
    const before = mine.version();
    other.read(() => other.get('SELECT * FROM notes'));
    expect([mine.version(), mine.version()]).toEqual([before, before]);
    await mine.close();
    await other.close();
  });

  it('is read once for all requests that have started', async () => {
    const [mine, other] = await openTwins();
    const [first, second] = [now(), now()];
    const before = mine.version(second);
    await write(other);
    // Both started before the check, so they may see the state of that time.
    expect([mine.version(first), mine.version(second)]).toEqual([before, before]);
    const third = now();
    const after = mine.version(third);
    expect(after).not.toBe(before);
    expect([mine.version(first), mine.version(third)]).toEqual([after, after]);
    await mine.close();
    await other.close();
  });

  it('is read again after a failed read', async () => {
    const [mine, other] = await openTwins();
    const before = mine.version();
    await write(other);
    const [first, second] = [now(), now()];
    const get = mine.get.bind(mine);
    mine.get = () => {
      throw new Error('SQLITE_BUSY');
    };
    expect(() => mine.version(first)).toThrow('SQLITE_BUSY');
    mine.get = get;
    // Both started before the failed check.
    expect(mine.version(second)).not.toBe(before);
    await mine.close();
    await other.close();
  });

  it('includes own writes, however old the read timestamp', async () => {
    const [mine, other] = await openTwins();
    const moment = now();
    const before = mine.version(moment);
    await write(mine);
    expect(mine.version(moment)).not.toBe(before);
    await mine.close();
    await other.close();
  });

  it('has changed when a write of a group completes', async () => {
    const [mine, other] = await openTwins();
    const before = mine.version();
    const failing = mine.write(() => {
      throw new Error('refused');
    });
    const seen = write(mine).then(() => mine.version());
    await rejectionOf(failing);
    expect(await seen).not.toBe(before);
    await mine.close();
    await other.close();
  });
});

describe('tokens and maps of two gateways on one store', () => {
  interface Model {
    readonly maps: MapRecord[];
    readonly tokens: TokenRecord[];
  }

  const twinsOf = async (path: string): Promise<readonly [Storage, Storage]> => {
    const open = () => openSqliteStorage(`sqlite:${path}`, { timeoutMs: 5_000, pageCacheBytes: 100_000 });
    return [await open(), await open()];
  };

  async function expectAll(storage: Storage, { maps, tokens }: Model): Promise<void> {
    expect(await storage.getMaps(maps.map(({ id }) => id))).toEqual(maps);
    for (const token of tokens) {
      expect(await storage.findTokenByHash(token.hash)).toEqual({ ...token, ownerName: 'someone' });
    }
  }

  it('have the state of the last completed write', async () => {
    const step = fc.record({
      kind: fc.constantFrom('map', 'token', 'rename', 'delete', 'restore', 'revoke', 'read', 'read'),
      by: fc.constantFrom(0, 1),
      at: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const twins = await twinsOf(newPath());
        const owner = await seedOwner(twins[0]);
        const model: Model = { maps: [], tokens: [] };
        for (const { kind, by, at } of steps) {
          const storage = twins[by];
          const index = at % Math.max(1, model.maps.length);
          const map = model.maps[index];
          const patch = async (changes: Partial<MapRecord>) => {
            if (map === undefined) return;
            await storage.updateMap(map.id, changes, { evenIfDeleted: true });
            model.maps[index] = { ...map, ...changes };
          };
          if (kind === 'map') model.maps.push(await seedMap(storage, { ownerId: owner.id }));
          else if (kind === 'rename') await patch({ name: `Name ${at}` });
          else if (kind === 'delete') await patch({ isDeleted: true });
          else if (kind === 'restore') await patch({ isDeleted: false });
          else if (kind === 'token') {
            const token = aToken(owner.id, {
              hash: String(at).padStart(64, String(model.tokens.length % 10)),
            });
            if (model.tokens.some(({ hash }) => hash === token.hash)) continue;
            await storage.insertToken(token);
            model.tokens.push(token);
          } else if (kind === 'revoke') {
            const which = at % Math.max(1, model.tokens.length);
            const token = model.tokens[which];
            if (token?.revokedAt !== null) continue;
            await storage.revokeToken(token.id, NOW);
            model.tokens[which] = { ...token, revokedAt: NOW };
          }
          for (const reader of twins) await expectAll(reader, model);
        }
        for (const store of twins) await store.close();
      }),
      { numRuns: 25 },
    );
  });

  it('are as new as the start of a request, and up to date for the next request', async () => {
    const [storage, other] = await twinsOf(newPath());
    const map = await seedMap(storage);
    const renamed = { ...map, name: 'Renamed' };
    const request = { readTimestamp: now() };
    expect(await storage.getMaps([map.id], request)).toEqual([map]);
    await other.updateMap(map.id, { name: 'Renamed' }, { evenIfDeleted: false });
    const [seen] = await storage.getMaps([map.id], request);
    expect([map, renamed]).toContainEqual(seen);
    expect(await storage.getMaps([map.id], { readTimestamp: now() })).toEqual([renamed]);
    // Its own writes are always visible.
    await storage.updateMap(map.id, { isPublished: true }, { evenIfDeleted: false }, request);
    expect(await storage.getMaps([map.id], request)).toEqual([{ ...renamed, isPublished: true }]);
    for (const store of [storage, other]) await store.close();
  });

  it('are empty after removeAll, and have the copied state after a load', async () => {
    const [storage, other] = await twinsOf(newPath());
    const map = await seedMap(storage);
    const token = aToken(map.ownerId);
    await storage.insertToken(token);
    const items = await collect(storage.dump(0));
    await expectAll(other, { maps: [map], tokens: [token] });
    await storage.removeAll([]);
    expect(await other.getMaps([map.id])).toEqual([null]);
    expect(await other.findTokenByHash(token.hash)).toBeNull();
    await storage.load(items);
    await expectAll(other, { maps: [map], tokens: [token] });
    for (const store of [storage, other]) await store.close();
  });

  it('would be stale if a commit went unnoticed', async () => {
    const path = newPath();
    const [connection, writer] = [await openConnection(path), await openConnection(path)];
    const [reader, other] = [sqliteStorage(connection), sqliteStorage(writer)];
    const map = await seedMap(other);
    connection.version = () => 0;
    await reader.getMaps([map.id]);
    await other.updateMap(map.id, { name: 'Renamed' }, { evenIfDeleted: false });
    expect(await reader.getMaps([map.id])).toEqual([map]);
    for (const store of [reader, other]) await store.close();
  });
});
