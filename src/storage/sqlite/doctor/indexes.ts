/** Whether a file has the tables and indexes that a new one has. */

import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST } from '../../examination.ts';
import { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import type { Reader } from '../engine/statements.ts';
import { textOf, textOrNull } from '../engine/statements.ts';
import { normalizedSql } from '../schema.ts';

/** An index that SQLite makes itself, for a table's own rules, has no text. */
const ENTRIES = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL OR type = 'index'";

export async function* examineSchema(reader: Reader): AsyncGenerator<Finding> {
  const present = entriesOf(reader);
  for (const [name, { type, sql }] of await entriesOfNew()) {
    const found = present.get(name);
    if (found !== undefined && isSameSql(found.sql, sql)) continue;
    const what = found === undefined ? 'is missing' : 'differs from the one that this release creates';
    yield {
      check: 'indexes',
      message: `The ${type} ${name} ${what}.`,
      remedy:
        type === 'index' && sql !== null
          ? `${found === undefined ? 'Create' : `Drop it (DROP INDEX ${name}), and create`} it with the sqlite3 program while no server runs: ${sql.replaceAll(/\s+/g, ' ')}. If that fails, rows have the same unique value: see the other findings.`
          : type === 'index'
            ? REBUILD
            : RESTORE_LAST,
    };
  }
}

function isSameSql(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : normalizedSql(a) === normalizedSql(b);
}

interface Entry {
  readonly type: string;
  readonly sql: string | null;
}

function entriesOf(reader: Reader): ReadonlyMap<string, Entry> {
  return new Map(
    reader
      .all(ENTRIES)
      .map((row) => [textOf(row, 'name'), { type: textOf(row, 'type'), sql: textOrNull(row, 'sql') }]),
  );
}

async function entriesOfNew(): Promise<ReadonlyMap<string, Entry>> {
  const database = Database.open(':memory:', { timeoutMs: 0 });
  try {
    await migrate(database);
    return entriesOf(database);
  } finally {
    await database.close();
  }
}
