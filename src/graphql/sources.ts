/** The objects that resolvers of connection types receive: pages, and the rest lazily. */

import type { MapSortKey } from '../domain/paging/cursor.ts';
import type { JsonText } from '../domain/json/json-text.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { LocationView, MapView } from '../domain/public-view.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import type { Page } from '../domain/paging/pages.ts';
import type { LocationChange } from '../services/changes/map-log.ts';
import type { ClusterView } from '../services/search/search-service.ts';
import type { UpsertOutcome } from '../services/locations/upsert-locations.ts';

export type NodeSource = MapView | LocationView;

export interface LocationPage {
  readonly count: number;
  /** Empty when the page was read as JSON. */
  readonly items: readonly LocationView[];
  /** A JSON array of the locations as selected; null when they were read as records. */
  readonly json: JsonText | null;
  /** Where the page ends in its map's list; null on an empty page, and in what a search found. */
  readonly last: SortKey | null;
  readonly edges: () => LocationEdgeSource[];
  readonly pageInfo: () => PageInfoSource;
  readonly totalCount: () => Promise<number>;
  readonly nextOrder: () => string | null | Promise<string | null>;
}

export interface LocationEdgeSource {
  readonly location: LocationView;
  readonly cursor: () => string;
  /** Metres; null where there is nothing to measure from. */
  readonly distance: number | null;
}

export interface MapPage extends Page<MapRecord> {
  readonly request: PageRequest<MapSortKey>;
  readonly cursorOf: (map: MapRecord) => string;
  /** Whether something comes before the page, or after it. */
  readonly isMore: (side: 'before' | 'after') => Promise<boolean>;
  readonly totalCount: () => Promise<number>;
}

export interface MapEdgeSource {
  readonly page: MapPage;
  readonly map: MapRecord;
}

export type ClusterSource = ClusterView;

export type LocationChangeSource = LocationChange;

export type Lazy<T> = T | (() => T | Promise<T>);

/**
 * One of the two is null. The error is inside an object, since graphql-js would take an Error in a list for a failure.
 */
export interface CreateLocationsResultSource {
  readonly location: LocationRecord | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface UpsertLocationsResultSource extends CreateLocationsResultSource {
  readonly outcome: UpsertOutcome | null;
}

/** Functions are called only where the field is selected. */
export interface PageInfoSource {
  readonly hasNextPage: Lazy<boolean>;
  readonly hasPreviousPage: Lazy<boolean>;
  readonly startCursor: Lazy<string | null>;
  readonly endCursor: Lazy<string | null>;
}
