/** What reads need of a connection, whether it is the one that writes or a reader thread's own. */

import type { SqlRow, SqlTuple, SqlValue } from './engine/driver.ts';

export interface Reader {
  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined;
  all(sql: string, ...parameters: SqlValue[]): SqlRow[];
  /** As `all`, each row as the list of its columns' values, which takes three fifths of the time. */
  tuples(sql: string, ...parameters: SqlValue[]): SqlTuple[];
  /** One row at a time where a thread reads. The connection that writes reads all rows first, since others come between. */
  iterate(sql: string, ...parameters: SqlValue[]): IterableIterator<SqlRow>;
}
