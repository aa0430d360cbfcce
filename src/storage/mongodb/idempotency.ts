/** Idempotency records in MongoDB: each is a claim (claims.ts). */

import type { IdempotencyRecord, Storage } from '../storage.ts';
import { findClaims } from './idempotency-locks.ts';
import type { Database } from './database.ts';
import type { ListStates } from './list-state.ts';
import { toLocation } from './location-documents.ts';

export function idempotencyStore(
  database: Database,
  lists: ListStates,
): Pick<Storage, 'findIdempotencyRecords'> {
  return {
    findIdempotencyRecords: (scope, keys, now, within) =>
      database.run(async (collections) => {
        const claims = await findClaims({ collections, lists }, scope, keys, now);
        return keys.map((key): IdempotencyRecord | null => {
          const found = claims.get(key);
          return found === undefined ? null : { digest: found.digest, location: toLocation(found.location) };
        });
      }, within),
  };
}
