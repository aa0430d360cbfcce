/** What a write changes for the indexes. */

import type { JsonObject } from '../../../domain/json.ts';
import type { SqlRow, SqlValue } from '../driver.ts';

/** What the indexes know of a location. */
export interface Indexed {
  readonly mapNumber: number;
  readonly name: string;
  readonly properties: JsonObject;
  readonly latitude: number;
  readonly longitude: number;
}

/** A location before and after a write; null where there is none. */
export interface IndexChange {
  readonly number: number;
  readonly before: Indexed | null;
  readonly after: Indexed | null;
}

export interface Writer {
  get(sql: string, ...parameters: SqlValue[]): SqlRow | undefined;
  run(sql: string, ...parameters: SqlValue[]): number;
}
