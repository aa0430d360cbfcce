/** Pages in order of creation, by row numbers, which are not all in the block of their map. */

import { EVERYTHING, readFilter } from '../../../../src/domain/filter/location-filter.ts';
import type { LocationFilter } from '../../../../src/domain/filter/location-filter.ts';
import { SEQUENCE_ORDER } from '../../../../src/domain/filter/location-order.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import { withNext } from '../../../../src/domain/paging/pages.ts';
import { WALK_PAGE } from '../../../../src/storage/search.ts';
import { findHitsInline } from '../../../../src/storage/sqlite/search/pages.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import { anInsert, append, insertAll, seedMap } from '../../../contract/storage/fixtures.ts';
import { idsOfHits, walkHits, WHOLE } from '../../../contract/storage/search-world.ts';
import { plansOf } from '../plans.ts';
import { openConnection } from '../temporary.ts';

const COUNT = 12;
/** Sequence numbers in a block, and maps with blocks. */
const [BLOCK, BLOCKS] = [2 ** 32, 2 ** 21];

/** Changes a map before its locations are created, and after. */
interface Layout {
  readonly before?: string;
  readonly after?: string;
  /** Rows that are then in the map's block. */
  readonly inBlock: number;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'all rows in the block of the map': { inBlock: COUNT },
  'the first rows outside of the block, in any order, as in files of earlier versions': {
    after: `UPDATE locations SET number = 1 + (sequence * 7) % ${COUNT} WHERE sequence <= ${COUNT - 4}`,
    inBlock: 4,
  },
  'the last rows outside of the block, since there are no more sequence numbers': {
    before: `UPDATE maps SET last_sequence = ${BLOCK - 6}`,
    inBlock: 5,
  },
  'a map after those with blocks': { before: `UPDATE maps SET number = ${BLOCKS}`, inBlock: 0 },
};

describe('locations in order of creation', () => {
  const filters: readonly [string, LocationFilter][] = [
    ['all', EVERYTHING],
    ['those in a box', readFilter({ bbox: { south: -90, west: -180, north: 90, east: 180 } }, 'filter')],
  ];

  for (const [name, { before, after, inBlock }] of Object.entries(LAYOUTS)) {
    it.each(filters)(`with ${name}: %s`, async (_name, filter) => {
      const connection = await openConnection(':memory:');
      const storage = sqliteStorage(connection);
      const other = await seedMap(storage);
      const map: MapRecord = await seedMap(storage);
      await append(storage, other.id);
      const change = (sql: string) => {
        // Only the tested map.
        connection.exec(
          sql.includes('WHERE') ? `${sql} AND map_number = 2` : `${sql} WHERE id = '${map.id}'`,
        );
      };
      if (before !== undefined) change(before);
      const ids: string[] = [];
      for (let index = 0; index < COUNT; index += 1) ids.push((await append(storage, map.id)).id);
      await storage.moveLocations(map.id, { ids: [ids[7]!], position: { kind: 'start' } }, 1);
      if (after !== undefined) change(after);
      const numbers = connection.get(
        'SELECT count(*) AS n FROM locations WHERE number >= ? AND map_number != 1',
        BLOCK,
      );
      expect(numbers).toEqual({ n: inBlock });
      for (const fromEnd of [false, true]) {
        for (const limit of [1, 2, 5, COUNT]) {
          const search = { maps: [map], filter, order: SEQUENCE_ORDER };
          expect(idsOfHits(await walkHits(storage, search, { limit, fromEnd }))).toEqual(ids);
          const reverse = { ...search, order: { ...SEQUENCE_ORDER, direction: 'desc' } as const };
          expect(idsOfHits(await walkHits(storage, reverse, { limit, fromEnd }))).toEqual(ids.toReversed());
        }
      }
      await connection.close();
    });
  }

  it('are read from any position without a scan or a sort', async () => {
    const connection = await openConnection(':memory:');
    const storage = sqliteStorage(connection);
    const map = await seedMap(storage);
    for (let index = 0; index < COUNT; index += 1) await append(storage, map.id);
    const search = { maps: [map], filter: EVERYTHING, order: SEQUENCE_ORDER };
    const [first] = await storage.findLocations(search, { ...WHOLE, limit: 1 });
    const plans = await plansOf(connection, async (store) => {
      await store.findLocations(search, { ...WHOLE, limit: 3, after: first!.key });
    });
    expect(
      plans.some((plan) => /SEARCH locations USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/.test(plan)),
    ).toBe(true);
    for (const plan of plans) expect(plan).not.toMatch(/^SCAN locations|TEMP B-TREE/);
    await connection.close();
  });

  it('are read on the event loop, up to a page of a walk', async () => {
    const connection = await openConnection(':memory:');
    const storage = sqliteStorage(connection);
    const map = await seedMap(storage);
    const inserts = Array.from({ length: WALK_PAGE * 2 }, () => anInsert(map.id));
    await insertAll(storage, map.id, inserts);
    const search = { maps: [map], filter: EVERYTHING, order: SEQUENCE_ORDER };
    const inline = (limit: number) =>
      findHitsInline(connection, { search, page: withNext({ ...WHOLE, limit }) });
    expect(inline(WALK_PAGE)).toHaveLength(WALK_PAGE + 1);
    expect(inline(WALK_PAGE * 2)).toBeNull();
    await connection.close();
  });
});
