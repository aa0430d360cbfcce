/** What resolvers of connection types receive: pages, and lazily the rest. */

import type { MapPosition } from '../domain/cursor.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageRequest } from '../domain/paging.ts';
import type { Position } from '../domain/position.ts';

export type NodeSource = MapRecord | LocationRecord;

interface ConnectionPage<T, P> {
  readonly items: readonly T[];
  /** The first item beyond the page, on the side it was not taken from. */
  readonly next: T | null;
  readonly request: PageRequest<P>;
}

export interface LocationPage extends ConnectionPage<LocationRecord, Position> {
  readonly map: MapRecord;
}

export type MapPage = ConnectionPage<MapRecord, MapPosition>;

type Lazy<T> = T | (() => T | Promise<T>);

/** One of the two is null. Plain data: graphql-js takes an Error among a list's items for a failure of the list. */
export interface CreateLocationsResultSource {
  readonly location: LocationRecord | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Functions are called only where the field is selected. */
export interface PageInfoSource {
  readonly hasNextPage: Lazy<boolean>;
  readonly hasPreviousPage: Lazy<boolean>;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
