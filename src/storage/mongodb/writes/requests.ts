/** The requests to a map's document before locations are written, and their results. */

import type { ServerSessionId } from 'mongodb';

import type { LocationChanged } from '../../../domain/change.ts';
import type { OrderedSortKey } from '../../../domain/list/list-end.ts';
import type { MapUnavailable, WriteCall } from '../../storage.ts';
import type { OpenChanges, VersionDocument } from '../schema.ts';
import type { WriteIntent } from './write-intent.ts';

/** The write may start. */
export interface IntentRecorded {
  readonly kind: 'recorded';
  readonly write: WriteIntent;
  /** The number of its first change in the map's log; the others follow. */
  readonly firstChange: number;
}

/** Deletes of one request, which may start. */
export interface DeletesRecorded {
  readonly kind: 'recorded';
  /** Null if none of the locations exists. */
  readonly write: WriteIntent | null;
  /** The number of the first change in the map's log; the others follow. */
  readonly firstChange: number;
  /** The locations that exist, in the order of their changes. */
  readonly ids: readonly string[];
  /** The rest of the request, from the first location of another write on; to be requested again. */
  readonly left: readonly string[];
}

export interface Appended extends Omit<IntentRecorded, 'kind'> {
  readonly kind: 'appended';
  readonly sortKeys: readonly OrderedSortKey[];
}

/** Another write has one of the locations. */
export interface Locked {
  readonly kind: 'locked';
  /** All open writes of the map. */
  readonly open: readonly OpenChanges[];
}

/** The id to insert is taken. */
export interface NoOp {
  readonly kind: 'no-op';
}

/** A recovery has fenced the location: it must not be inserted any more. */
export interface FencedOff {
  readonly kind: 'fenced';
}

/** The list has another largest number by now. */
export interface Overtaken {
  readonly kind: 'overtaken';
}

interface Pending<T> {
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
}

/** A location to be appended. */
export interface NewListEntry {
  readonly id: string;
  /** Null: at the end of the list. */
  readonly order: string | null;
  /** When its idempotency key expires, in milliseconds since the epoch; null without a key. */
  readonly claimedUntil: number | null;
}

interface OfCall {
  /** Undefined: the write keeps no history. */
  readonly call: WriteCall | undefined;
}

export interface AppendRequest extends Pending<Appended | MapUnavailable>, OfCall {
  readonly kind: 'append';
  readonly locations: readonly NewListEntry[];
}

export interface DeleteRequest extends Pending<DeletesRecorded | Locked | MapUnavailable>, OfCall {
  readonly kind: 'delete';
  readonly ids: readonly string[];
}

/** Inserts a location that has its sort key already, from an idempotency lock. */
export interface InsertRequest extends Pending<IntentRecorded | NoOp | FencedOff | Locked | MapUnavailable> {
  readonly kind: 'insert';
  readonly id: string;
  readonly sequence: number;
  readonly claimedUntil: number;
}

/** Updates, moves or restores locations. */
export interface ChangeRequest extends Pending<IntentRecorded | Overtaken | Locked | MapUnavailable>, OfCall {
  readonly kind: 'change';
  readonly changes: readonly LocationChanged[];
  /** States to store before the intent, by one statement for the batch. */
  readonly formerStates?: readonly VersionDocument[];
  /** Sequence numbers of the locations that are restored, by id. */
  readonly restored?: ReadonlyMap<string, number>;
  /** Ids of the locations that may be counted in another group afterwards. */
  readonly regrouped?: readonly string[];
  /** The orders that the locations get. */
  readonly orders: readonly string[];
  /** The largest number for which the orders were computed: with another one, the result is `overtaken`. */
  readonly largestNumber?: string | null;
  /** The session of the transaction that writes them, if there is one. */
  readonly session?: ServerSessionId | null;
}

/** Recovers a write whose process may have crashed. */
export interface RecoveryRequest extends Pending<void> {
  readonly kind: 'recover';
  readonly writeId: string;
}

/** Closes the writes of this process that are done. */
export interface SettleRequest extends Pending<readonly OpenChanges[]> {
  readonly kind: 'settle';
}

/** Requests for locations that another write may have. */
export type LockingRequest = DeleteRequest | InsertRequest | ChangeRequest;
export type ListRequest = AppendRequest | LockingRequest | RecoveryRequest | SettleRequest;

export function idsOf(request: LockingRequest): readonly string[] {
  if (request.kind === 'change') return request.changes.map(({ id }) => id);
  return request.kind === 'delete' ? request.ids : [request.id];
}

export function isLocking(request: ListRequest): request is LockingRequest {
  return request.kind === 'delete' || request.kind === 'insert' || request.kind === 'change';
}
