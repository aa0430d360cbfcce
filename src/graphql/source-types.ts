/** The objects that resolvers receive as their parent, where those are no records of a service: see codegen.yml. */

import type { Actor } from '../domain/actor.ts';
import type { JsonText } from '../domain/json/json-text.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageTheme } from '../domain/page-theme.ts';
import type { LocationView, MapView } from '../domain/public-view.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import type { LocationChange } from '../services/changes/map-log.ts';
import type { UpsertOutcome } from '../services/locations/upsert-locations.ts';
import type { HistoryRecord, ShownTrash, ShownVersion } from '../services/history/history-reads.ts';
import type { ClusterView } from '../services/search/search-service.ts';

export type ActorSource = Actor;

export type MapThemeSource = PageTheme & Pick<MapRecord, 'logo'>;

export type NodeSource = MapView | LocationView;

/** A page of a connection. The functions are called only if their field is selected. */
export interface ConnectionSource<Item, Edge> {
  readonly items: readonly Item[];
  readonly edges: () => Edge[];
  readonly pageInfo: () => PageInfoSource;
  readonly totalCount: () => Promise<number>;
}

/** Has no items if the page was read as JSON. */
export interface LocationPage extends ConnectionSource<LocationView, LocationEdgeSource> {
  /** A JSON array of the locations as selected; null if they were read as records. */
  readonly json: JsonText | null;
  /** The sort key of the last location in its map's list; null for an empty page, and for a search. */
  readonly last: SortKey | null;
  readonly nextOrder: () => string | null | Promise<string | null>;
}

export interface LocationEdgeSource {
  readonly location: LocationView;
  readonly cursor: () => string;
  /** Metres; null if there is no point to measure from. */
  readonly distance: number | null;
}

export type MapPage = ConnectionSource<MapRecord, MapEdgeSource>;

export interface MapEdgeSource {
  readonly map: MapRecord;
  readonly cursor: () => string;
}

/** A page of a connection that is read forward only, and not counted. */
export type ForwardPage<Item> = Omit<ConnectionSource<Item, ForwardEdge<Item>>, 'totalCount'>;

interface ForwardEdge<Item> {
  readonly node: Item;
  readonly cursor: () => string;
}

export type VersionPage = ForwardPage<ShownVersion>;
export type VersionEdgeSource = ForwardEdge<ShownVersion>;
export type HistoryPage = ForwardPage<HistoryRecord>;
export type HistoryEdgeSource = ForwardEdge<HistoryRecord>;
export type TrashPage = ForwardPage<ShownTrash>;
export type TrashEdgeSource = ForwardEdge<ShownTrash>;

export type Lazy<T> = T | (() => T | Promise<T>);

export interface PageInfoSource {
  readonly hasNextPage: Lazy<boolean>;
  readonly hasPreviousPage: Lazy<boolean>;
  readonly startCursor: Lazy<string | null>;
  readonly endCursor: Lazy<string | null>;
}

export type ClusterSource = ClusterView;

export type LocationChangeSource = LocationChange;

/** One of the two is null. The error is wrapped, since graphql-js treats an Error in a list as a failed field. */
export interface CreateLocationsResultSource {
  readonly location: LocationRecord | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface UpsertLocationsResultSource extends CreateLocationsResultSource {
  readonly outcome: UpsertOutcome | null;
}
