/** Cached pages are never another page's, and never older than the request. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { createTemplate } from '../../../src/domain/location-template.ts';
import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { append, insertOrders, seedMap } from '../../contract/storage/fixtures.ts';

const IDS = createTemplate([{ value: 'id' }]);
const NAMES = createTemplate([{ value: 'name' }]);
const FIRST: PageRequest<SortKey> = { limit: 3, fromEnd: false, after: null, before: null };
const LAST: PageRequest<SortKey> = { ...FIRST, fromEnd: true };

const folder = mkdtempSync(join(tmpdir(), 'map-locations-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Two gateways on one store, like two processes. */
async function openTwins(pageCacheBytes = 1_000_000): Promise<[Storage, Storage]> {
  const url = `sqlite:${join(folder, `${(files += 1)}.db`)}`;
  const open = () => openSqliteStorage(url, { timeoutMs: 5_000, pageCacheBytes });
  return [await open(), await open()];
}

describe('a page requested again', () => {
  it('is cached from the second request on, while nothing changes', async () => {
    const [storage, other] = await openTwins();
    const map = await seedMap(storage);
    await insertOrders(storage, map.id, ['1', '2', '3', '4']);
    const read = () => storage.listLocationsJson(map.id, FIRST, IDS);
    const [first, second, third] = [await read(), await read(), await read()];
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    // Another map's list, and anything that is not a list, does not affect it.
    const neighbour = await seedMap(other, { ownerId: map.ownerId });
    await append(other, neighbour.id);
    await other.updateMap(map.id, { name: 'Renamed' }, { evenIfDeleted: false });
    expect(await read()).toBe(second);
    for (const store of [storage, other]) await store.close();
  });

  it('differs by range, size, direction, template and map', async () => {
    const [storage, other] = await openTwins();
    const map = await seedMap(storage);
    const neighbour = await seedMap(storage, { ownerId: map.ownerId });
    const list = await insertOrders(storage, map.id, ['1', '2', '3', '4', '5']);
    await insertOrders(storage, neighbour.id, ['1', '2']);
    const [low, high] = [list[0]!, list[3]!];
    const requests = [map.id, neighbour.id].flatMap((id) =>
      [FIRST, LAST, { ...FIRST, limit: 2 }, { ...FIRST, after: low }, { ...FIRST, before: high }].flatMap(
        (page) => [IDS, NAMES].map((template) => [id, page, template] as const),
      ),
    );
    for (let round = 0; round < 3; round += 1) {
      for (const one of requests) {
        const [mine, fresh] = [
          await storage.listLocationsJson(...one),
          await other.listLocationsJson(...one),
        ];
        expect({ ...mine, json: mine.json.text }).toEqual({ ...fresh, json: fresh.json.text });
      }
    }
    for (const store of [storage, other]) await store.close();
  });

  it('is never older than the last completed write, by any gateway', async () => {
    const step = fc.record({
      kind: fc.constantFrom('append', 'insert', 'delete', 'read', 'read', 'read'),
      by: fc.constantFrom(0, 1),
      at: fc.integer({ min: 0, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const twins = await openTwins(20_000);
        const map = await seedMap(twins[0]);
        await insertOrders(twins[0], map.id, ['1', '2', '3', '4']);
        for (const { kind, by, at } of steps) {
          const storage = twins[by];
          const list = await storage.listLocations(map.id, { ...FIRST, limit: 100 });
          if (kind === 'append') await append(storage, map.id);
          else if (kind === 'insert') await insertOrders(storage, map.id, [String(at)]);
          else if (kind === 'delete' && list[at] !== undefined)
            await storage.deleteLocation(map.id, list[at].id);
          for (const reader of twins) {
            for (const page of [FIRST, LAST]) {
              const listed = await reader.listLocations(map.id, page);
              const { json } = await reader.listLocationsJson(map.id, page, IDS);
              expect(JSON.parse(json.text)).toEqual(listed.map(({ id }) => id));
            }
          }
        }
        for (const store of twins) await store.close();
      }),
      { numRuns: 25 },
    );
  });

  it('is read again after a copy has refilled the store', async () => {
    const [storage, other] = await openTwins();
    const map = await seedMap(storage);
    await insertOrders(storage, map.id, ['1', '2']);
    const items = [];
    for await (const item of storage.dump(0)) items.push(item);
    const read = async () => (await other.listLocationsJson(map.id, FIRST, IDS)).json.text;
    const before = [await read(), await read(), await read()];
    await storage.removeAll([]);
    expect(await read()).toBe('[]');
    // The same map with one location less and an equally long history; then the original.
    const locations = items.filter(({ kind }) => kind === 'location');
    const others = items.filter(({ kind }) => kind !== 'location');
    await storage.load([...others, ...locations.slice(1)]);
    expect(JSON.parse(await read())).toHaveLength(1);
    expect(JSON.parse(await read())).toHaveLength(1);
    await storage.load(locations.slice(0, 1));
    expect(await read()).toBe(before[0]);
    for (const store of [storage, other]) await store.close();
  });

  it('is not cached without a memory limit', async () => {
    const [storage, other] = await openTwins(0);
    const map = await seedMap(storage);
    const read = () => storage.listLocationsJson(map.id, FIRST, IDS);
    const [, second, third] = [await read(), await read(), await read()];
    expect(third).not.toBe(second);
    for (const store of [storage, other]) await store.close();
  });

  it('evicts the least recently requested page', async () => {
    const [storage, other] = await openTwins(5_000);
    const map = await seedMap(storage);
    await insertOrders(storage, map.id, ['1', '2', '3']);
    const read = (limit: number) => storage.listLocationsJson(map.id, { ...FIRST, limit }, IDS);
    const cached = [await read(1), await read(1)][1];
    for (let limit = 2; limit < 12; limit += 1) for (const _ of [1, 2]) await read(limit);
    expect(await read(1)).not.toBe(cached);
    expect(await read(11)).toBe(await read(11));
    for (const store of [storage, other]) await store.close();
  });
});
