/** Index reads of a search before it reads locations. */

import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../../src/domain/filter/location-order.ts';
import { findPage } from '../../../../src/storage/sqlite/search/pages.ts';
import { runToCompletion } from '../../../../src/storage/sqlite/threads/long-reads.ts';
import type { Reader } from '../../../../src/storage/sqlite/engine/statements.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import { anInsert, insertAll, seedMap } from '../../../contract/storage/fixtures.ts';
import { openConnection } from '../temporary.ts';

/** Beyond the start of the list, which is tried before lookups are counted completely. */
const LOCATIONS = 1_500;

describe('a search in list order', () => {
  it('reads the property presences of a map once, however many there are', async () => {
    const connection = await openConnection(':memory:');
    const storage = sqliteStorage(connection);
    const map = await seedMap(storage);
    // Each location has its own set of properties. Only the last lacks x.
    const inserts = Array.from({ length: LOCATIONS }, (_, index) =>
      anInsert(map.id, {
        location: { properties: { [`p${index}`]: 1, ...(index < LOCATIONS - 1 && { x: 1 }) } },
      }),
    );
    await insertAll(storage, map.id, inserts);
    const queried: string[] = [];
    const reader: Reader = {
      all: (sql, ...values) => connection.all(sql, ...values),
      tuples: (sql, ...values) => connection.tuples(sql, ...values),
      iterate: (sql, ...values) => connection.iterate(sql, ...values),
      get: (sql, ...values) => {
        if (sql.includes('location_words_seen') && sql.includes('properties'))
          queried.push(String(values[0]));
        return connection.get(sql, ...values);
      },
    };
    const filter = readFilter({ property: { name: 'x', exists: false } }, 'filter');
    const page = { limit: 1, fromEnd: false, after: null, before: null };
    const found = runToCompletion(
      findPage(reader, { search: { maps: [map], filter, order: LIST_ORDER }, page }),
    );
    expect(found).toHaveLength(1);
    expect(queried.length).toBeGreaterThan(1);
    expect(new Set(queried).size).toBe(queried.length);
    await connection.close();
  });
});
