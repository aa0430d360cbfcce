/** What is asked of a map's document before locations are written, and what is answered. */

import type { ServerSessionId } from 'mongodb';

import type { LocationChanged } from '../../domain/change.ts';
import type { OrderedSortKey } from '../../domain/list/list-end.ts';
import type { MapUnavailable } from '../storage.ts';
import type { WriteIntent } from './write-intent.ts';
import type { OpenChanges } from './map-log.ts';

/** A write may begin. */
export interface IntentRecorded {
  readonly kind: 'recorded';
  readonly write: WriteIntent;
  /** The number that the first of its changes has in the map's log; the others follow. */
  readonly firstChange: number;
}

/** Removals of one request, which may begin; the others are asked for again. */
export interface RemovalsRecorded {
  readonly kind: 'recorded';
  /** Null where none of the locations exists. */
  readonly write: WriteIntent | null;
  /** The number that the first of the changes has in the map's log; the others follow. */
  readonly firstChange: number;
  /** The locations that exist, in the order of their changes. */
  readonly ids: readonly string[];
  /** Locations of the request from the first that others are writing. */
  readonly left: readonly string[];
}

export interface Appended extends Omit<IntentRecorded, 'kind'> {
  readonly kind: 'given';
  readonly sortKeys: readonly OrderedSortKey[];
}

/** Others are writing one of the locations. */
export interface Locked {
  readonly kind: 'locked';
  /** All open writes of the map. */
  readonly open: readonly OpenChanges[];
}

export interface NoOp {
  readonly kind: 'nothing';
}

/** The location was to be stored by somebody else, and must not be stored any more. */
export interface FencedOff {
  readonly kind: 'fenced';
}

export interface Overtaken {
  readonly kind: 'overtaken';
}

interface Asked<T> {
  readonly resolve: (answer: T) => void;
  readonly reject: (error: unknown) => void;
}

/** A location that is to be stored. */
export interface Appending {
  readonly id: string;
  /** Null: at the end of the list as it is then. */
  readonly order: string | null;
  /** Until when its key counts, milliseconds since the epoch; null without a key. */
  readonly claimedUntil: number | null;
}

export interface AppendRequest extends Asked<Appended | MapUnavailable> {
  readonly kind: 'append';
  readonly locations: readonly Appending[];
}

export interface RemovalRequest extends Asked<RemovalsRecorded | Locked | MapUnavailable> {
  readonly kind: 'remove';
  readonly ids: readonly string[];
}

/** About a location that has its sort key. */
export interface StoringRequest extends Asked<IntentRecorded | NoOp | FencedOff | Locked | MapUnavailable> {
  readonly kind: 'store';
  readonly id: string;
  readonly sequence: number;
  readonly claimedUntil: number;
}

/** Changes of locations that stay. */
export interface ChangeRequest extends Asked<IntentRecorded | Overtaken | Locked | MapUnavailable> {
  readonly kind: 'change';
  readonly changes: readonly LocationChanged[];
  /** Those that locations get by it. */
  readonly orders: readonly string[];
  /** The largest number that the orders were chosen after: with another one nothing is announced. */
  readonly largestNumber?: string | null;
  /** The session of the transaction that they are written in, if any. */
  readonly session?: ServerSessionId | null;
}

/** Settles a write that has taken so long that its process may have died. */
export interface RecoveryRequest extends Asked<void> {
  readonly kind: 'recover';
  readonly writeId: string;
}

/** They ask for locations that others may be writing. */
export type LockingRequest = RemovalRequest | StoringRequest | ChangeRequest;
export type ListRequest = AppendRequest | LockingRequest | RecoveryRequest;

/** The locations that a request asks for. */
export function idsOf(request: LockingRequest): readonly string[] {
  if (request.kind === 'change') return request.changes.map(({ id }) => id);
  return request.kind === 'remove' ? request.ids : [request.id];
}

export function isLocking(request: ListRequest): request is LockingRequest {
  return request.kind === 'remove' || request.kind === 'store' || request.kind === 'change';
}
