/** What the writes at a transaction's end need of a connection. */

import type { SqlRow, SqlValue } from './engine/driver.ts';

export interface Writer {
  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined;
  run(sql: string, ...parameters: SqlValue[]): number;
}
