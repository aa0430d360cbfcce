/** New files are created with schema.ts, older ones migrated; both must have the same schema. */

import type { Database } from '../../../../src/storage/sqlite/database.ts';
import { runSteps } from '../../../../src/storage/sqlite/migrations/migrate.ts';
import { normalizedSql } from '../../../../src/storage/sqlite/schema.ts';
import { openConnection } from '../temporary.ts';

async function schemaOf(database: Database): Promise<ReadonlyMap<string, string | null>> {
  const rows = database.all('SELECT name, sql FROM sqlite_schema ORDER BY name');
  await database.close();
  return new Map(
    rows.map(({ name, sql }) => [String(name), typeof sql === 'string' ? normalizedSql(sql) : null]),
  );
}

describe('the schema of a new file', () => {
  it('equals the result of all migrations', async () => {
    const migrated = await openConnection(':memory:', 5000, async (database) => {
      await database.write(() => runSteps(database, 0));
    });
    const schema = await schemaOf(migrated);
    expect(schema.size).toBeGreaterThan(25);
    expect(await schemaOf(await openConnection(':memory:'))).toEqual(schema);
  });
});

describe('normalizedSql', () => {
  it('ignores comments, quotes and spacing', () => {
    expect(normalizedSql('CREATE TABLE "a" (\n  b TEXT, -- A comment.\n  c INTEGER\n)')).toBe(
      'CREATE TABLE a(b TEXT,c INTEGER)',
    );
  });

  it('distinguishes other columns', () => {
    expect(normalizedSql('CREATE TABLE a (b TEXT)')).not.toBe(
      normalizedSql('CREATE TABLE a (b TEXT, c TEXT)'),
    );
  });
});
