/**
 * The schema of the newest version, which new files are made with; schema/ has the tables and indexes of each noun. Files of
 * earlier versions reach the same schema by the steps in migrations/; a test compares both. That is why added columns come
 * last.
 *
 * Times are milliseconds since the epoch.
 */

import { ACCOUNTS } from './schema/accounts.ts';
import { GEOCODES } from './schema/geocodes.ts';
import { HISTORY, VERSIONS } from './schema/history.ts';
import { IDEMPOTENCY, LOCATIONS, SEARCH_INDEXES } from './schema/locations.ts';
import { MAPS } from './schema/maps.ts';
import { WEBHOOKS } from './schema/webhooks.ts';

/** Marks a file as ours: `MLOC` in ASCII (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x4d4c4f43;

const META = `
  -- The store's own values.
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export const SCHEMA = [
  META,
  ACCOUNTS,
  MAPS,
  LOCATIONS,
  IDEMPOTENCY,
  SEARCH_INDEXES,
  HISTORY,
  VERSIONS,
  GEOCODES,
  WEBHOOKS,
].join('');

/** A statement of `sqlite_schema` without comments, quotes and spacing: equal for equal tables, however they were made. */
export function normalizedSql(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();
}
