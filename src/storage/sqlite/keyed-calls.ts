/** Calls under an idempotency key: rows of `keyed_calls`. */

import type { IdempotencyScope, KeyedCallRecord, KeyedCallStorage, NewKeyedCall } from '../storage.ts';
import type { Database } from './database.ts';
import { numberOf, textOf, textOrNull } from './engine/statements.ts';

const IS_HELD = 'map_id = ? AND token_id = ? AND key = ? AND call_id = ? AND held_until = ?';

export function keyedCallStore(database: Database): KeyedCallStorage {
  return {
    holdKeyedCall: (scope, key, call, now, within) =>
      database.write(() => holdCall(database, scope, key, call, now), within),

    endKeyedCall: ({ mapId, tokenId }, key, { callId, heldUntil }, result, within) =>
      database.write(() => {
        database.run(
          `UPDATE keyed_calls SET result = ?, held_until = 0 WHERE ${IS_HELD}`,
          result,
          ...[mapId, tokenId, key, callId, heldUntil],
        );
      }, within),

    removeKeyedCall: ({ mapId, tokenId }, key, { callId, heldUntil }, within) =>
      database.write(() => {
        database.run(`DELETE FROM keyed_calls WHERE ${IS_HELD}`, ...[mapId, tokenId, key, callId, heldUntil]);
      }, within),
  };
}

function holdCall(
  database: Database,
  { mapId, tokenId }: IdempotencyScope,
  key: string,
  { digest, callId, heldUntil, expiresAt }: NewKeyedCall,
  now: number,
): Awaited<ReturnType<KeyedCallStorage['holdKeyedCall']>> {
  const stored = findCall(database, { mapId, tokenId }, key, now);
  if (stored === null) {
    // Replaces an expired call of the same key.
    database.run(
      `INSERT OR REPLACE INTO keyed_calls (map_id, token_id, key, digest, call_id, held_until, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[mapId, tokenId, key, digest, callId, heldUntil, expiresAt],
    );
    return { isHeld: true, call: { digest, callId, result: null, heldUntil } };
  }
  const isFree = stored.digest === digest && stored.result === null && stored.heldUntil <= now;
  if (!isFree) return { isHeld: false, call: stored };
  database.run(
    'UPDATE keyed_calls SET held_until = ? WHERE map_id = ? AND token_id = ? AND key = ?',
    ...[heldUntil, mapId, tokenId, key],
  );
  return { isHeld: true, call: { ...stored, heldUntil } };
}

function findCall(
  database: Database,
  { mapId, tokenId }: IdempotencyScope,
  key: string,
  now: number,
): KeyedCallRecord | null {
  const row = database.get(
    `SELECT digest, call_id, result, held_until FROM keyed_calls
     WHERE map_id = ? AND token_id = ? AND key = ? AND expires_at > ?`,
    ...[mapId, tokenId, key, now],
  );
  if (row === undefined) return null;
  return {
    digest: textOf(row, 'digest'),
    callId: textOf(row, 'call_id'),
    result: textOrNull(row, 'result'),
    heldUntil: numberOf(row, 'held_until'),
  };
}
