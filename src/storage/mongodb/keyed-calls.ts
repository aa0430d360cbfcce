/**
 * Calls under an idempotency key, in the collection `keyedCalls`. Each step is one statement on one document; the unique
 * index decides between concurrent calls.
 */

import type {
  IdempotencyScope,
  KeyedCallHold,
  KeyedCallRecord,
  KeyedCallStorage,
  NewKeyedCall,
} from '../storage.ts';
import type { Database } from './database.ts';
import { isDuplicateKey } from './errors.ts';
import type { Collections, KeyedCallDocument } from './schema.ts';

type Held = Awaited<ReturnType<KeyedCallStorage['holdKeyedCall']>>;

export function keyedCallStore(database: Database): KeyedCallStorage {
  return {
    holdKeyedCall: (scope, key, call, now, within) =>
      database.run(async (collections) => {
        const document = toDocument(scope, key, call);
        for (;;) {
          if (await insert(collections, document)) return { isHeld: true, call: toRecord(document) };
          const held = await holdStored(collections, document, now);
          // Another process has changed the document meanwhile.
          if (held !== null) return held;
        }
      }, within),

    endKeyedCall: (scope, key, hold, result, within) =>
      database.run(async ({ keyedCalls }) => {
        await keyedCalls.updateOne(heldBy(scope, key, hold), {
          $set: { heldUntil: new Date(0), ...(result !== null && { result }) },
        });
      }, within),

    removeKeyedCall: (scope, key, hold, within) =>
      database.run(async ({ keyedCalls }) => {
        await keyedCalls.deleteOne(heldBy(scope, key, hold));
      }, within),
  };
}

/** @returns false if the key has a call already */
async function insert({ keyedCalls }: Collections, document: KeyedCallDocument): Promise<boolean> {
  try {
    // A copy, which gets an id.
    await keyedCalls.insertOne({ ...document });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/** @returns null if the document was changed or removed since it was read */
async function holdStored(
  { keyedCalls }: Collections,
  document: KeyedCallDocument,
  now: number,
): Promise<Held | null> {
  const { mapId, tokenId, key, heldUntil } = document;
  const stored = await keyedCalls.findOne(named({ mapId, tokenId }, key));
  if (stored === null) return null;
  const call = toRecord(stored);
  const unchanged = heldBy({ mapId, tokenId }, key, call);
  if (stored.expiresAt.getTime() <= now) {
    const { matchedCount } = await keyedCalls.replaceOne(unchanged, document);
    return matchedCount === 0 ? null : { isHeld: true, call: toRecord(document) };
  }
  const isFree = call.digest === document.digest && call.result === null && call.heldUntil <= now;
  if (!isFree) return { isHeld: false, call };
  const free = { ...unchanged, result: { $exists: false } };
  const { matchedCount } = await keyedCalls.updateOne(free, { $set: { heldUntil } });
  return matchedCount === 0 ? null : { isHeld: true, call: { ...call, heldUntil: heldUntil.getTime() } };
}

function named({ mapId, tokenId }: IdempotencyScope, key: string) {
  return { mapId: { $eq: mapId }, tokenId: { $eq: tokenId }, key: { $eq: key } };
}

function heldBy(scope: IdempotencyScope, key: string, { callId, heldUntil }: KeyedCallHold) {
  return { ...named(scope, key), callId: { $eq: callId }, heldUntil: { $eq: new Date(heldUntil) } };
}

function toDocument(
  { mapId, tokenId }: IdempotencyScope,
  key: string,
  { digest, callId, heldUntil, expiresAt }: NewKeyedCall,
): KeyedCallDocument {
  return {
    mapId,
    tokenId,
    key,
    digest,
    callId,
    heldUntil: new Date(heldUntil),
    expiresAt: new Date(expiresAt),
  };
}

function toRecord({ digest, callId, result, heldUntil }: KeyedCallDocument): KeyedCallRecord {
  return { digest, callId, result: result ?? null, heldUntil: heldUntil.getTime() };
}
