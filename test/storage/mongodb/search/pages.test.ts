/** The strategies of a search in MongoDB: which one is used, what it costs, and when it stops. */

import type { Document } from 'mongodb';

import type { FilterInput } from '../../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../../src/domain/filter/location-order.ts';
import { readOrder } from '../../../../src/domain/filter/location-order.ts';
import type { JsonObject } from '../../../../src/domain/json/json.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import { Deadline } from '../../../../src/storage/deadline.ts';
import type { SearchStore } from '../../../../src/storage/search.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage, StorageScope } from '../../../../src/storage/storage.ts';
import { anInsert, expectUnavailable, insertAll, seedMap } from '../../../contract/storage/fixtures.ts';
import type { Fate, Proxy } from '../../../support/mongodb-proxy.ts';
import { startProxy } from '../../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const COUNT = 3_000;
const TIMEOUT_MS = 30_000;
const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: search uses', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  const sent: Document[] = [];
  /** Resolves when a command may continue. */
  let hold: (command: Document) => Promise<void> = async () => {};
  let proxy: Proxy;
  let storage: Storage & SearchStore;
  let map: MapRecord;

  beforeAll(async () => {
    proxy = await startProxy(url, {
      judge: async (_name, command): Promise<Fate> => {
        sent.push(command);
        await hold(command);
        return 'pass';
      },
    });
    storage = await openMongodbStorage(proxy.url, { timeoutMs: TIMEOUT_MS });
    map = await seedMap(storage);
    for (let from = 0; from < COUNT; from += 1_000) {
      const inserts = Array.from({ length: 1_000 }, (_, at) => {
        const isLate = from + at >= COUNT - 1_500;
        const words = ['everywhere', isLate ? 'late' : 'early', (from + at) % 1_500 === 7 ? 'rare' : ''];
        // Two lack the one property that all others have.
        const properties: JsonObject = (from + at) % 1_500 === 8 ? {} : { Kind: 'a' };
        return anInsert(map.id, { location: { name: words.join(' '), properties } });
      });
      await insertAll(storage, map.id, inserts);
    }
  });
  beforeEach(() => {
    sent.length = 0;
    hold = async () => {};
  });
  afterAll(async () => {
    await storage.close();
    await proxy.close();
  });

  const find = async (
    input: FilterInput,
    order: OrderInput = { by: 'list' },
    page: { readonly limit?: number; readonly fromEnd?: boolean } = {},
    scope: StorageScope = {},
  ) => {
    const filter = readFilter(input, 'filter');
    const search = { maps: [map], filter, order: readOrder(order, filter, 'orderBy') };
    const bounds = { limit: 10, fromEnd: false, after: null, before: null, ...page };
    const found = await storage.findLocations(search, bounds, scope);
    return found.map(({ location }) => location.sequence);
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  /** The indexes of the queries, and the number of getMore commands. Closing a write adds queries of its own. */
  const ways = () =>
    sent.flatMap((command) => {
      if ('getMore' in command) return ['more'];
      const hint = command['hint'];
      if (hint === undefined || hint === 'locations_by_sequence' || hint === 'locations_by_geocoding')
        return [];
      return [`${'aggregate' in command ? 'count ' : ''}${String(hint)}`];
    });

  it('only the index for few locations', async () => {
    expect(await find({ search: 'rare' })).toEqual([8, 1_508]);
    expect(ways()).toEqual(['locations_by_term']);
  });

  it('the index of shapes, each of which it reads first, for a missing property', async () => {
    expect(await find({ property: { name: 'Kind', exists: false } })).toEqual([9, 1_509]);
    const shapes = ['locations_by_shape', 'locations_by_shape', 'locations_by_shape'];
    expect(ways()).toEqual(['_id_', ...shapes, 'locations_by_shape']);
    sent.length = 0;
    expect(await find({ property: { name: 'Kind', exists: false }, search: 'rare' })).toEqual([]);
    expect(ways()).toEqual(['count locations_by_term', 'locations_by_term']);
    sent.length = 0;
    // For a property that all have, or none has, it scans the list.
    expect(await find({ property: { name: 'Other', exists: false } })).toEqual(numbers(1, 10));
    expect(ways()).toEqual(['_id_', ...shapes, 'locations_in_order']);
  });

  it('the list for a page of very many matches, after a first share of the index', async () => {
    expect(await find({ search: 'everywhere' })).toEqual(numbers(1, 10));
    expect(
      await find({ search: 'everywhere' }, { by: 'list', direction: 'desc' }, { fromEnd: true }),
    ).toEqual(numbers(1, 10).toReversed());
    expect(await find({ search: 'everywhere' }, { by: 'list' }, { fromEnd: true })).toEqual(
      numbers(COUNT - 9, COUNT),
    );
    const each = ['locations_by_term', 'locations_in_order'];
    expect(ways().filter((way) => way !== 'more')).toEqual([...each, ...each, ...each]);
    const batchSizes = sent.map((command) => Number(command['batchSize'] ?? 0));
    expect(batchSizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3 * 1_100);
  });

  it('the strategy that finishes first for many matches late in the list', async () => {
    expect(await find({ search: 'late' })).toEqual(numbers(COUNT - 1_499, COUNT - 1_490));
    expect(ways()).toContain('locations_by_term');
  });

  it('the index for another order, or the whole map if no index helps', async () => {
    expect(await find({ search: 'rare' }, { by: 'name', direction: 'desc' })).toEqual([1_508, 8]);
    expect(await find({ not: { search: 'early' } }, { by: 'name' }, { limit: 2 })).toEqual([
      COUNT - 1_499,
      COUNT - 1_498,
    ]);
    expect(ways().filter((way) => way !== 'more')).toEqual(['locations_by_term', 'locations_in_order']);
  });

  it('the narrowest of several conditions, without counting the others if it is very narrow', async () => {
    const bbox = { south: 64, west: -22, north: 65, east: -21 };
    expect(await find({ bbox, search: 'everywhere rare' })).toEqual([8, 1_508]);
    expect(ways().at(-1)).toBe('locations_by_term');
    const last = sent.filter((command) => 'find' in command).at(-1);
    expect(JSON.stringify(last?.['filter'])).not.toContain('everywhere');
    sent.length = 0;
    expect(await find({ bbox, search: 'everywhere nowherewhatever' })).toEqual([]);
    expect(ways()).toEqual(['count locations_by_term', 'locations_by_term']);
  });

  it('the remaining time of the request as the limit of every query', async () => {
    const deadline = new Deadline({ totalMs: 60_000, storageMs: 0, searchMs: 5_000 });
    await find({ search: 'everywhere' }, { by: 'name' }, {}, { deadline });
    await find({ and: [{ search: 'late' }, { search: 'rare' }] }, { by: 'list' }, {}, { deadline });
    await find({ externalIds: ['x'] }, { by: 'list' }, {}, { deadline });
    const filter = readFilter({}, 'filter');
    const grid = { bits: 2, top: 0, bottom: 3, left: 0, columns: 4 };
    await storage.findClusters({ map, filter: null, grid, limit: 10 }, { deadline });
    await storage.countMatches({ maps: [map], filter }, { deadline });
    const queries = sent.filter((command) => 'find' in command || 'aggregate' in command);
    expect(queries.length).toBeGreaterThan(5);
    for (const { maxTimeMS } of queries) {
      expect(maxTimeMS).toBeGreaterThan(0);
      expect(maxTimeMS).toBeLessThanOrEqual(5_000);
    }
    expect(Number(queries.at(-1)?.['maxTimeMS'])).toBeLessThan(5_000);
  });

  it('no query after the time limit', async () => {
    const deadline = new Deadline({ totalMs: 60_000, storageMs: 60_000, searchMs: 200 });
    let release = () => {};
    hold = (command) =>
      'getMore' in command
        ? new Promise((resolve) => {
            release = resolve;
          })
        : Promise.resolve();
    await expectUnavailable(find({ search: 'everywhere' }, { by: 'name' }, {}, { deadline }));
    const queries = ways();
    const closed = new Promise<void>((resolve) => {
      hold = async (command) => {
        if ('killCursors' in command) resolve();
      };
    });
    release();
    await closed;
    expect(ways()).toEqual(queries);
  });

  it.each(['find', 'getMore'])('no more time when the caller aborts, even during a %s', async (name) => {
    const controller = new AbortController();
    const begun = performance.now();
    hold = (command) => {
      if (!(name in command)) return Promise.resolve();
      controller.abort();
      return new Promise(() => {});
    };
    await expectUnavailable(
      find({ search: 'everywhere' }, { by: 'name' }, {}, { signal: controller.signal }),
    );
    // Without the abort, it would end with the time limit of the call.
    expect(performance.now() - begun).toBeLessThan(TIMEOUT_MS / 2);
    hold = async () => {};
    expect(await find({ search: 'rare' })).toEqual([8, 1_508]);
  });

  it('no query for a caller that has aborted before', async () => {
    await expectUnavailable(find({ search: 'rare' }, { by: 'list' }, {}, { signal: AbortSignal.abort() }));
    expect(ways()).toEqual([]);
  });
});
