/** What reads need of a connection, whether it is the one that writes or a reader thread's own. */

import type { SqlRow, SqlValue } from './driver.ts';

export interface Reader {
  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined;
  all(sql: string, ...parameters: SqlValue[]): SqlRow[];
  /** One row at a time where a thread reads. The connection that writes reads all rows first, since others come between. */
  iterate(sql: string, ...parameters: SqlValue[]): IterableIterator<SqlRow>;
}
