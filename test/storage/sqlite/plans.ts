/** The query plans of a call. */

import type { Database } from '../../../src/storage/sqlite/database.ts';
import type { SqlValue } from '../../../src/storage/sqlite/engine/driver.ts';
import { sqliteStorage } from '../../../src/storage/sqlite/storage.ts';

interface Query {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

const QUERYING = new Set<string | symbol>(['all', 'tuples', 'get', 'run']);

/** Records the queries of a call, and explains each. */
export async function plansOf(
  connection: Database,
  call: (storage: ReturnType<typeof sqliteStorage>) => Promise<unknown>,
): Promise<readonly string[]> {
  const queries: Query[] = [];
  // The store uses the connection through this proxy, so only its queries are recorded.
  const noting = new Proxy(connection, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      return (...parameters: SqlValue[]): unknown => {
        if (QUERYING.has(member))
          queries.push({ sql: String(parameters[0]), parameters: parameters.slice(1) });
        return Reflect.apply(value, target, parameters) as unknown;
      };
    },
  });
  await call(sqliteStorage(noting));
  return queries.flatMap(({ sql, parameters }) =>
    connection.all(`EXPLAIN QUERY PLAN ${sql}`, ...parameters).map(({ detail }) => String(detail)),
  );
}
