/** Records whose parent is missing. */

import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Reader } from '../engine/statements.ts';
import { textOf } from '../engine/statements.ts';

interface Reference {
  readonly thing: string;
  readonly parent: string;
  /** Selects `name` of the records whose parent is missing. */
  readonly sql: string;
  readonly remedy: string;
}

const REFERENCES: readonly Reference[] = [
  {
    thing: 'map',
    parent: 'owner',
    sql: 'SELECT id AS name FROM maps WHERE owner_id NOT IN (SELECT id FROM owners)',
    // Such a store cannot be backed up.
    remedy: RESTORE_LAST,
  },
  {
    thing: 'token',
    parent: 'owner',
    sql: 'SELECT id AS name FROM tokens WHERE owner_id NOT IN (SELECT id FROM owners)',
    remedy: REBUILD,
  },
  {
    thing: 'token',
    parent: 'map',
    sql: 'SELECT id AS name FROM tokens WHERE map_id IS NOT NULL AND map_id NOT IN (SELECT id FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'location',
    parent: 'map',
    sql: 'SELECT id AS name FROM locations WHERE map_number NOT IN (SELECT number FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'idempotency record',
    parent: 'map',
    sql: "SELECT token_id || ' ' || map_id AS name FROM idempotency_records WHERE map_id NOT IN (SELECT id FROM maps)",
    remedy: REBUILD,
  },
  {
    thing: 'webhook',
    parent: 'map',
    sql: 'SELECT id AS name FROM webhooks WHERE map_id NOT IN (SELECT id FROM maps)',
    remedy: REBUILD,
  },
];

export function* findOrphans(reader: Reader): Generator<Finding> {
  for (const { thing, parent, sql, remedy } of REFERENCES) {
    const wrongs = new Wrongs();
    for (const row of reader.iterate(sql)) wrongs.add(textOf(row, 'name'));
    const some = wrongs.describe(thing);
    if (some === null) continue;
    yield { check: 'orphans', message: `Of ${some} there is no ${parent}.`, remedy };
  }
}
