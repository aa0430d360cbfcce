/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A box in degrees. One whose west is greater than its east crosses the antimeridian. */
export type BboxInput = {
  /** Degrees from -180 to 180. */
  east: number;
  /** From -90 to 90, not less than `south`. */
  north: number;
  /** Degrees from -90 to 90. */
  south: number;
  /** Degrees from -180 to 180. */
  west: number;
};

/** Which locations to find. What is given beside one another must all hold; `{}` lets everything through. */
export type LocationFilter = {
  /** All of these must hold. */
  and?: Array<LocationFilter> | null | undefined;
  /** In a box, its edges included. */
  bbox?: BboxInput | null | undefined;
  /** The time of creation. */
  createdAt?: TimeRange | null | undefined;
  /** These external identifiers, 1 to 1,000. */
  externalIds?: Array<string> | null | undefined;
  /** These identifiers, 1 to 1,000. */
  ids?: Array<string> | null | undefined;
  /** Near a point. */
  near?: NearInput | null | undefined;
  /** This must not hold. */
  not?: LocationFilter | null | undefined;
  /** One of these must hold. */
  or?: Array<LocationFilter> | null | undefined;
  /**
   * In a GeoJSON Polygon or MultiPolygon of at most 1,000 positions, its edges included and its holes not. Edges are
   * straight lines in longitude and latitude.
   */
  polygon?: Record<string, unknown> | null | undefined;
  /** A property's value. */
  property?: PropertyFilter | null | undefined;
  /**
   * Words, or their beginnings, of the name or of the texts in `properties`, without regard to case, accents and the
   * apostrophes between letters: 1 to 256 characters, at most 10 words.
   */
  search?: string | null | undefined;
  /** The time of the last change. */
  updatedAt?: TimeRange | null | undefined;
};

/** A circle on the globe. */
export type NearInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: number;
  /** Metres, 0 to 20,037,509; the edge is inside. */
  radius: number;
};

/**
 * What a property must be: `eq`, `in`, `prefix` or `exists` alone, or `from`, `to` or both. In a field of type `number` a
 * string that is a decimal counts as that number.
 */
export type PropertyFilter = {
  /** A string, a number, a boolean or null: the same type and value. */
  eq?: unknown;
  /** Whether the key is there with something that is neither null nor an empty string. */
  exists?: boolean | null | undefined;
  /** At least this: a number, a string, or in a field of type `date` a day or a time. */
  from?: unknown;
  /** One of 1 to 100 values, each as `eq`. */
  in?: Array<unknown> | null | undefined;
  /** The key in `properties`. */
  name: string;
  /** The beginning of a string, without regard to case and accents. */
  prefix?: string | null | undefined;
  /** At most this, as `from`. A day stands for all of it, in UTC. */
  to?: unknown;
};

/** A range of times, its ends included. */
export type TimeRange = {
  /** The earliest. */
  from?: string | null | undefined;
  /** The latest. */
  to?: string | null | undefined;
};

export type FindLocationsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
}>;


export type FindLocationsQuery = { publicMap: { locations: { totalCount: number, nodes: Array<{ id: string, name: string, properties: Record<string, unknown> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, world: Array<{ bbox: { south: number, west: number, north: number, east: number } }> | null } | null };

export type MoreLocationsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type MoreLocationsQuery = { publicMap: { locations: { nodes: Array<{ id: string, name: string, properties: Record<string, unknown> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type RowsFragment = { nodes: Array<{ id: string, name: string, properties: Record<string, unknown> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } };

export type ViewClustersQueryVariables = Exact<{
  id: string;
  bbox: BboxInput;
  zoom: number;
  filter?: LocationFilter | null | undefined;
}>;


export type ViewClustersQuery = { publicMap: { clusters: Array<{ latitude: number, longitude: number, count: number, bbox: { south: number, west: number, north: number, east: number }, location: { id: string, name: string } | null }> | null } | null };

export type ViewLocationsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type ViewLocationsQuery = { publicMap: { locations: { nodes: Array<{ id: string, name: string, latitude: number, longitude: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type LocationDetailsQueryVariables = Exact<{
  id: string;
  locationId: string;
}>;


export type LocationDetailsQuery = { publicMap: { location: { id: string, name: string, latitude: number, longitude: number, properties: Record<string, unknown> } | null } | null };

export type PageEndFragment = { hasNextPage: boolean, endCursor: string | null };

export type CornersFragment = { south: number, west: number, north: number, east: number };

export type MapFeatureFragment = { latitude: number, longitude: number, count: number, bbox: { south: number, west: number, north: number, east: number }, location: { id: string, name: string } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const PageEndFragmentDoc = new TypedDocumentString(`
    fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}
    `, {"fragmentName":"PageEnd"}) as unknown as TypedDocumentString<PageEndFragment, unknown>;
export const RowsFragmentDoc = new TypedDocumentString(`
    fragment Rows on LocationConnection {
  nodes {
    id
    name
    properties
  }
  pageInfo {
    ...PageEnd
  }
}
    fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`, {"fragmentName":"Rows"}) as unknown as TypedDocumentString<RowsFragment, unknown>;
export const CornersFragmentDoc = new TypedDocumentString(`
    fragment Corners on Bbox {
  south
  west
  north
  east
}
    `, {"fragmentName":"Corners"}) as unknown as TypedDocumentString<CornersFragment, unknown>;
export const MapFeatureFragmentDoc = new TypedDocumentString(`
    fragment MapFeature on Cluster {
  latitude
  longitude
  count
  bbox {
    ...Corners
  }
  location {
    id
    name
  }
}
    fragment Corners on Bbox {
  south
  west
  north
  east
}`, {"fragmentName":"MapFeature"}) as unknown as TypedDocumentString<MapFeatureFragment, unknown>;
export const FindLocationsDocument = new TypedDocumentString(`
    query FindLocations($id: ID!, $filter: LocationFilter) {
  publicMap(id: $id) {
    locations(first: 100, filter: $filter) {
      totalCount
      ...Rows
    }
    world: clusters(
      bbox: {south: -90, west: -180, north: 90, east: 180}
      zoom: 1
      filter: $filter
    ) {
      bbox {
        ...Corners
      }
    }
  }
}
    fragment Rows on LocationConnection {
  nodes {
    id
    name
    properties
  }
  pageInfo {
    ...PageEnd
  }
}
fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}
fragment Corners on Bbox {
  south
  west
  north
  east
}`) as unknown as TypedDocumentString<FindLocationsQuery, FindLocationsQueryVariables>;
export const MoreLocationsDocument = new TypedDocumentString(`
    query MoreLocations($id: ID!, $filter: LocationFilter, $after: String) {
  publicMap(id: $id) {
    locations(first: 100, filter: $filter, after: $after) {
      ...Rows
    }
  }
}
    fragment Rows on LocationConnection {
  nodes {
    id
    name
    properties
  }
  pageInfo {
    ...PageEnd
  }
}
fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<MoreLocationsQuery, MoreLocationsQueryVariables>;
export const ViewClustersDocument = new TypedDocumentString(`
    query ViewClusters($id: ID!, $bbox: BboxInput!, $zoom: Int!, $filter: LocationFilter) {
  publicMap(id: $id) {
    clusters(bbox: $bbox, zoom: $zoom, filter: $filter) {
      ...MapFeature
    }
  }
}
    fragment Corners on Bbox {
  south
  west
  north
  east
}
fragment MapFeature on Cluster {
  latitude
  longitude
  count
  bbox {
    ...Corners
  }
  location {
    id
    name
  }
}`) as unknown as TypedDocumentString<ViewClustersQuery, ViewClustersQueryVariables>;
export const ViewLocationsDocument = new TypedDocumentString(`
    query ViewLocations($id: ID!, $filter: LocationFilter, $after: String) {
  publicMap(id: $id) {
    locations(first: 100, filter: $filter, after: $after) {
      nodes {
        id
        name
        latitude
        longitude
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ViewLocationsQuery, ViewLocationsQueryVariables>;
export const LocationDetailsDocument = new TypedDocumentString(`
    query LocationDetails($id: ID!, $locationId: ID!) {
  publicMap(id: $id) {
    location(id: $locationId) {
      id
      name
      latitude
      longitude
      properties
    }
  }
}
    `) as unknown as TypedDocumentString<LocationDetailsQuery, LocationDetailsQueryVariables>;