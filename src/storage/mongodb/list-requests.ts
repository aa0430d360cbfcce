/** What is asked of a map's document before locations are written, and what is answered. */

import type { OrderedSortKey } from '../../domain/list-end.ts';
import type { MapGone } from '../storage.ts';
import type { AnnouncedWrite } from './announced-write.ts';

export type Appended =
  | {
      readonly kind: 'given';
      readonly sortKeys: readonly OrderedSortKey[];
      readonly write: AnnouncedWrite;
    }
  | MapGone;

export type Announced =
  { readonly kind: 'announced'; readonly write: AnnouncedWrite } | { readonly kind: 'nothing' } | MapGone;

interface Asked<T> {
  readonly resolve: (answer: T) => void;
  readonly reject: (error: unknown) => void;
}

export interface AppendRequest extends Asked<Appended> {
  readonly kind: 'append';
  readonly orders: readonly (string | null)[];
}

export interface RemovalRequest extends Asked<Announced> {
  readonly kind: 'remove';
  readonly id: string;
}

/** About a location that has its sort key. */
export interface StoringRequest extends Asked<Announced> {
  readonly kind: 'store';
  readonly id: string;
  readonly sequence: number;
}

/** Orders that locations get by a change. */
export interface UseRequest extends Asked<Used | Overtaken | MapGone> {
  readonly kind: 'use';
  readonly orders: readonly string[];
  /** The largest number that the orders were chosen after: with another one they are not used. */
  readonly largestNumber?: string | null;
}

export interface Used {
  readonly kind: 'used';
}

export interface Overtaken {
  readonly kind: 'overtaken';
}

export type ListRequest = AppendRequest | RemovalRequest | StoringRequest | UseRequest;
