/** Database files for the tests of this folder, and connections below a store. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Database } from '../../../src/storage/sqlite/database.ts';
import { migrate } from '../../../src/storage/sqlite/migrations/migrate.ts';

/** Creates a folder that is removed after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a database like the store does, so that a test can look inside. */
export async function openConnection(
  path: string,
  timeoutMs = 5000,
  prepare: (connection: Database) => Promise<void> = migrate,
): Promise<Database> {
  const connection = Database.open(path, { timeoutMs });
  await connection.configure();
  await prepare(connection);
  return connection;
}

/** The only column of the only row. */
export function valueOf(connection: Database, sql: string): unknown {
  const values = Object.values(connection.get(sql) ?? {});
  if (values.length !== 1) throw new Error(`${sql} gave ${values.length} values`);
  return values[0];
}
