/** Duplicates of unique values, which only a missing or damaged index allows. */

import type { Finding } from '../../examination.ts';
import { RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Reader } from '../engine/statements.ts';
import { textOf } from '../engine/statements.ts';

/** Queries that bypass indexes, which may be damaged. The name shown is an id, never a hash or user data. */
const UNIQUE: readonly { readonly what: string; readonly sql: string }[] = [
  {
    what: 'location id',
    sql: 'SELECT min(id) AS name FROM locations NOT INDEXED GROUP BY id HAVING count(*) > 1',
  },
  {
    what: 'external id',
    sql: `SELECT min(id) AS name FROM locations NOT INDEXED WHERE external_id IS NOT NULL
      GROUP BY map_number, external_id HAVING count(*) > 1`,
  },
  { what: 'map id', sql: 'SELECT min(id) AS name FROM maps NOT INDEXED GROUP BY id HAVING count(*) > 1' },
  {
    what: 'owner name',
    sql: 'SELECT min(id) AS name FROM owners NOT INDEXED GROUP BY owners.name HAVING count(*) > 1',
  },
  {
    what: 'token digest',
    sql: 'SELECT min(id) AS name FROM tokens NOT INDEXED GROUP BY hash HAVING count(*) > 1',
  },
];

export function* findDuplicates(reader: Reader): Generator<Finding> {
  for (const { what, sql } of UNIQUE) {
    const wrongs = new Wrongs();
    for (const row of reader.iterate(sql)) wrongs.add(textOf(row, 'name'));
    yield* wrongs.report(what, {
      check: 'duplicates',
      remedy: RESTORE_LAST,
      message: (some) => `Several rows have the same unique value: ${some}.`,
    });
  }
}
