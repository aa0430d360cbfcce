/** What a write changes for the indexes. */

import type { JsonObject } from '../../../domain/json/json.ts';

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
