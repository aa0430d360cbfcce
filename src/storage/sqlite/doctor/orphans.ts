/** Records whose parent is missing. */

import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Reader } from '../engine/statements.ts';
import { textOf } from '../engine/statements.ts';

interface Reference {
  readonly thing: string;
  readonly children: string;
  readonly parent: string;
  /** Selects `name` of the records whose parent is missing. */
  readonly sql: string;
  readonly remedy: string;
}

const REFERENCES: readonly Reference[] = [
  {
    thing: 'map',
    children: 'Maps',
    parent: 'owner',
    sql: 'SELECT id AS name FROM maps WHERE owner_id NOT IN (SELECT id FROM owners)',
    // Such a store cannot be backed up.
    remedy: RESTORE_LAST,
  },
  {
    thing: 'map',
    children: 'Members of maps',
    parent: 'owner',
    sql: 'SELECT map_id AS name FROM map_members WHERE owner_id NOT IN (SELECT id FROM owners)',
    remedy: RESTORE_LAST,
  },
  {
    thing: 'map',
    children: 'Members',
    parent: 'map',
    sql: 'SELECT map_id AS name FROM map_members WHERE map_id NOT IN (SELECT id FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'account',
    children: 'Accounts',
    parent: 'owner',
    sql: 'SELECT owner_id AS name FROM accounts WHERE owner_id NOT IN (SELECT id FROM owners)',
    remedy: REBUILD,
  },
  {
    thing: 'session',
    children: 'Sessions',
    parent: 'account',
    sql: 'SELECT id AS name FROM sessions WHERE owner_id NOT IN (SELECT owner_id FROM accounts)',
    remedy: REBUILD,
  },
  {
    thing: 'account',
    children: 'One-time links',
    parent: 'account',
    sql: `SELECT DISTINCT owner_id AS name FROM one_time_secrets
          WHERE owner_id IS NOT NULL AND owner_id NOT IN (SELECT owner_id FROM accounts)`,
    remedy: REBUILD,
  },
  {
    thing: 'token',
    children: 'Tokens',
    parent: 'owner',
    sql: 'SELECT id AS name FROM tokens WHERE owner_id NOT IN (SELECT id FROM owners)',
    remedy: REBUILD,
  },
  {
    thing: 'token',
    children: 'Tokens',
    parent: 'map',
    sql: 'SELECT id AS name FROM tokens WHERE map_id IS NOT NULL AND map_id NOT IN (SELECT id FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'location',
    children: 'Locations',
    parent: 'map',
    sql: 'SELECT id AS name FROM locations WHERE map_number NOT IN (SELECT number FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'idempotency record',
    children: 'Idempotency records',
    parent: 'map',
    sql: "SELECT token_id || ' ' || map_id AS name FROM idempotency_records WHERE map_id NOT IN (SELECT id FROM maps)",
    remedy: REBUILD,
  },
  {
    thing: 'idempotency record',
    children: 'Calls with an idempotency key',
    parent: 'map',
    sql: "SELECT token_id || ' ' || map_id AS name FROM keyed_calls WHERE map_id NOT IN (SELECT id FROM maps)",
    remedy: REBUILD,
  },
  {
    thing: 'invitation',
    children: 'Invitations',
    parent: 'map',
    sql: 'SELECT id AS name FROM invitations WHERE map_id NOT IN (SELECT id FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'invitation',
    children: 'Invitations',
    parent: 'owner',
    sql: 'SELECT id AS name FROM invitations WHERE created_by NOT IN (SELECT id FROM owners)',
    remedy: REBUILD,
  },
  {
    thing: 'former state',
    children: 'Former states',
    parent: 'map',
    sql: 'SELECT id AS name FROM versions WHERE map_number NOT IN (SELECT number FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'call',
    children: 'Calls',
    parent: 'map',
    sql: 'SELECT id AS name FROM history WHERE map_number NOT IN (SELECT number FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'logo',
    children: 'Logos',
    parent: 'map',
    sql: 'SELECT map_id AS name FROM logos WHERE map_id NOT IN (SELECT id FROM maps)',
    remedy: REBUILD,
  },
  {
    thing: 'webhook',
    children: 'Webhooks',
    parent: 'map',
    sql: 'SELECT id AS name FROM webhooks WHERE map_id NOT IN (SELECT id FROM maps)',
    remedy: REBUILD,
  },
];

export function* findOrphans(reader: Reader): Generator<Finding> {
  for (const { thing, children, parent, sql, remedy } of REFERENCES) {
    const wrongs = new Wrongs();
    for (const row of reader.iterate(sql)) wrongs.add(textOf(row, 'name'));
    yield* wrongs.report(thing, {
      check: 'orphans',
      remedy,
      message: (some) => `${children} refer to a missing ${parent}: ${some}.`,
    });
  }
}
