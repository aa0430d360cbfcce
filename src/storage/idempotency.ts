/** Idempotency keys of locations and of whole calls: part of the storage port. All times are milliseconds since the epoch. */

import type { UsedKey } from '../domain/idempotency.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { StorageScope } from './storage-scope.ts';

/** Idempotency keys are unique per token and map. */
export interface IdempotencyScope {
  readonly tokenId: string;
  readonly mapId: string;
}

export interface IdempotencyRecord extends UsedKey {
  /** The location of the first response. */
  readonly location: LocationRecord;
}

/** A call of a client under an idempotency key, which writes once. */
export interface KeyedCallRecord extends UsedKey {
  /** In the history of its map, where its writes are recorded. */
  readonly callId: string;
  /** What the call returned, in a format of the services; null if it has not ended, or keeps no result. */
  readonly result: string | null;
  /** Until then only the request that holds the call may run it. */
  readonly heldUntil: number;
}

export interface NewKeyedCall extends Omit<KeyedCallRecord, 'result'> {
  /** The record is ignored from then on. */
  readonly expiresAt: number;
}

/** Identifies the request that holds a call. */
export type KeyedCallHold = Pick<KeyedCallRecord, 'callId' | 'heldUntil'>;

export interface IdempotencyStorage {
  /** One entry per key, in order; null where none is stored or it has expired by `now`. */
  findIdempotencyRecords(
    scope: IdempotencyScope,
    keys: readonly string[],
    now: number,
    within?: StorageScope,
  ): Promise<readonly (IdempotencyRecord | null)[]>;
}

export interface KeyedCallStorage {
  /**
   * Stores a call under its key, unless the key has one that has not expired by `now`. A stored one with the same digest
   * and no result, which nobody holds any more, gets the new `heldUntil` and keeps its `callId`. Of concurrent calls one
   * holds the call.
   *
   * @returns the call as it is stored now, and whether this call holds it
   */
  holdKeyedCall(
    scope: IdempotencyScope,
    key: string,
    call: NewKeyedCall,
    now: number,
    within?: StorageScope,
  ): Promise<{ readonly isHeld: boolean; readonly call: KeyedCallRecord }>;
  /** Stores the result of a held call, and ends the hold. Does nothing if another request holds the call. */
  endKeyedCall(
    scope: IdempotencyScope,
    key: string,
    hold: KeyedCallHold,
    result: string | null,
    within?: StorageScope,
  ): Promise<void>;
  /** Removes a held call, so that its key is free. Does nothing if another request holds the call. */
  removeKeyedCall(
    scope: IdempotencyScope,
    key: string,
    hold: KeyedCallHold,
    within?: StorageScope,
  ): Promise<void>;
}
