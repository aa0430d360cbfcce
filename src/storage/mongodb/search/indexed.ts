/** What a location is found by (src/domain/filter/terms.ts, cell.ts, shape.ts), stored beside it in the same statement. */

import { cellOf } from '../../../domain/filter/cell.ts';
import { presenceOf } from '../../../domain/filter/property-presence.ts';
import { termsOf } from '../../../domain/filter/terms.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { yieldWhenLong } from '../../../lib/cooperative-scheduler.ts';
import type { IndexedLocation, LocationDocument } from '../documents.ts';

export function indexedOf(
  location: Pick<LocationRecord, 'name' | 'properties' | 'latitude' | 'longitude'>,
): IndexedLocation {
  return { cell: cellOf(location), terms: termsOf(location), shape: presenceOf(location.properties) };
}

/** Locations as they are to be stored. */
export async function withIndexed(
  documents: readonly LocationDocument[],
): Promise<readonly (LocationDocument & IndexedLocation)[]> {
  const yieldIfDue = yieldWhenLong();
  const indexed: (LocationDocument & IndexedLocation)[] = [];
  for (const document of documents) {
    indexed.push({ ...document, ...indexedOf(toIndexed(document)) });
    // A location may have thousands of terms.
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return indexed;
}

/** What {@link indexedOf} is made of. */
export type Unindexed = Pick<LocationDocument, 'name' | 'properties' | 'latitude' | 'longitude'>;

export function toIndexed({ name, properties, latitude, longitude }: Unindexed) {
  return { name, properties: JSON.parse(properties) as JsonObject, latitude, longitude };
}

/** Most of a document's bytes, and nobody's to read. */
export const WITHOUT_INDEXED = { cell: 0, terms: 0, shape: 0 } as const;
