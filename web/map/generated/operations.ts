/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A box in degrees. If west is greater than east, it crosses the antimeridian. */
export type BboxInput = {
  /** Degrees from -180 to 180. */
  east: number;
  /** Degrees from -90 to 90, at least `south`. */
  north: number;
  /** Degrees from -90 to 90. */
  south: number;
  /** Degrees from -180 to 180. */
  west: number;
};

/** The type of a field's values. */
export type FieldType =
  /** The location's address, which is geocoded. */
  | 'address'
  /** The URL of a sound file. */
  | 'audio'
  /** A category. */
  | 'category'
  /** A call to action. */
  | 'cta'
  /** A date. */
  | 'date'
  /** A longer text. */
  | 'description'
  /** The URL of an image. */
  | 'image_link'
  /** A number. */
  | 'number'
  /**
   * Opening hours in the syntax of OpenStreetMap, such as `Mo-Fr 09:00-18:00; Sa 10:00-14:00; PH off`, in the time zone of the map.
   * `/v0` shows the type as `text`.
   */
  | 'openingHours'
  /** A telephone number. */
  | 'phone'
  /** The location's name. */
  | 'placeName'
  /** A tag. */
  | 'tag'
  /** Plain text. */
  | 'text'
  /** The URL of a website. */
  | 'website';

/** Conditions on how an address was geocoded: at least one. All of them must hold. */
export type GeocodingFilter = {
  /** Whether the geocoder found another place of the same precision more than a kilometre away. */
  isAmbiguous?: boolean | null | undefined;
  /** Whether a person has set the point or confirmed it. */
  isChecked?: boolean | null | undefined;
  /** One of these precisions. */
  precision?: Array<GeocodingPrecision> | null | undefined;
  /** One of these geocoders, 1 to 100; `manual` for points that the caller passed. */
  provider?: Array<string> | null | undefined;
};

/** How precisely coordinates match an address. */
export type GeocodingPrecision =
  /** Interpolated between two known house numbers. */
  | 'interpolated'
  /** The town. */
  | 'locality'
  /** A region larger than a town. */
  | 'region'
  /** The building itself. */
  | 'rooftop'
  /** The street. */
  | 'street';

/** Which locations to find. Conditions are combined with AND; `{}` matches every location. */
export type LocationFilter = {
  /** All of these must match. */
  and?: Array<LocationFilter> | null | undefined;
  /** In a box, including its edges. */
  bbox?: BboxInput | null | undefined;
  /** The time of creation. */
  createdAt?: TimeRange | null | undefined;
  /** One of these external identifiers, 1 to 1,000. */
  externalIds?: Array<string> | null | undefined;
  /** How the address was geocoded. */
  geocoding?: GeocodingFilter | null | undefined;
  /** One of these identifiers, 1 to 1,000. */
  ids?: Array<string> | null | undefined;
  /** Near a point. */
  near?: NearInput | null | undefined;
  /** This must not match. */
  not?: LocationFilter | null | undefined;
  /** At least one of these must match. */
  or?: Array<LocationFilter> | null | undefined;
  /**
   * In a GeoJSON Polygon or MultiPolygon of at most 1,000 positions, including its edges and excluding its holes. Edges
   * are straight lines in longitude and latitude.
   */
  polygon?: Record<string, unknown> | null | undefined;
  /** A property's value. */
  property?: PropertyFilter | null | undefined;
  /**
   * Words of the name or of texts in `properties`, or prefixes of them, ignoring case, accents and apostrophes between
   * letters: 1 to 256 characters, at most 10 words.
   */
  search?: string | null | undefined;
  /** The time of the last change. */
  updatedAt?: TimeRange | null | undefined;
};

/** Whether a page is light or dark. */
export type MapAppearance =
  /** As the reader's system. */
  | 'auto'
  /** Dark. */
  | 'dark'
  /** Light. */
  | 'light';

/** A kind of font. */
export type MapFont =
  /** With characters of equal width. */
  | 'mono'
  /** With round ends. */
  | 'rounded'
  /** With serifs. */
  | 'serif'
  /** The font of the reader's system. */
  | 'system';

/** A circle on the globe. */
export type NearInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: number;
  /** Metres, 0 to 20,037,509, inclusive. */
  radius: number;
};

/**
 * A condition on a property: one of `eq`, `in`, `prefix`, `exists` and `openAt`, or `from`, `to` or both. In fields of
 * type `number`, decimal strings count as numbers.
 */
export type PropertyFilter = {
  /** Equal to this string, number, boolean or null, in type and value. */
  eq?: unknown;
  /** Whether the property exists and is neither null nor an empty string. */
  exists?: boolean | null | undefined;
  /** At least this: a number, a string, or in fields of type `date` a day or a time. */
  from?: unknown;
  /** Equal to one of 1 to 100 values, as for `eq`. */
  in?: Array<unknown> | null | undefined;
  /** The key in `properties`. */
  name: string;
  /**
   * In a field of type `openingHours`: a time at which the place is open, by the clock of the map's `timeZone`. Texts
   * that are no opening hours, and all locations of maps without a time zone, do not match.
   */
  openAt?: string | null | undefined;
  /** Starts with this text, ignoring case and accents. */
  prefix?: string | null | undefined;
  /** At most this, as for `from`. A day includes all of it, in UTC. */
  to?: unknown;
};

/** A range of times, inclusive. */
export type TimeRange = {
  /** The earliest. */
  from?: string | null | undefined;
  /** The latest. */
  to?: string | null | undefined;
};

export type OpenedMapQueryVariables = Exact<{
  id: string;
}>;


export type OpenedMapQuery = { publicMap: { name: string, language: string | null, timeZone: string | null, fields: Array<{ name: string, type: FieldType }>, theme: { accentOnLight: string | null, accentOnDark: string | null, font: MapFont, appearance: MapAppearance, poweredBy: boolean, logo: { hash: string } | null }, categories: Array<{ value: string, label: string | null, color: string | null, icon: string | null }> } | null };

export type FindLocationsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
}>;


export type FindLocationsQuery = { publicMap: { attributions: Array<{ text: string, url: string | null }>, locations: { totalCount: number, nodes: Array<{ id: string, name: string, properties: Record<string, unknown> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, world: Array<{ bbox: { south: number, west: number, north: number, east: number } }> | null } | null };

export type MoreLocationsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type MoreLocationsQuery = { publicMap: { locations: { nodes: Array<{ id: string, name: string, properties: Record<string, unknown> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type FindNearQueryVariables = Exact<{
  id: string;
  filter: LocationFilter;
  after?: string | null | undefined;
}>;


export type FindNearQuery = { publicMap: { attributions: Array<{ text: string, url: string | null }>, locations: { totalCount: number, edges: Array<{ distance: number | null, node: { id: string, name: string, properties: Record<string, unknown>, latitude: number, longitude: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

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

export type ViewStyledClustersQueryVariables = Exact<{
  id: string;
  bbox: BboxInput;
  zoom: number;
  filter?: LocationFilter | null | undefined;
}>;


export type ViewStyledClustersQuery = { publicMap: { clusters: Array<{ latitude: number, longitude: number, count: number, location: { properties: Record<string, unknown>, id: string, name: string } | null, bbox: { south: number, west: number, north: number, east: number } }> | null } | null };

export type ViewStyledLocationsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type ViewStyledLocationsQuery = { publicMap: { locations: { nodes: Array<{ id: string, name: string, latitude: number, longitude: number, properties: Record<string, unknown> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type LocationDetailsQueryVariables = Exact<{
  id: string;
  locationId: string;
}>;


export type LocationDetailsQuery = { publicMap: { location: { id: string, name: string, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { precision: GeocodingPrecision, isChecked: boolean } } | null } | null };

export type PageEndFragment = { hasNextPage: boolean, endCursor: string | null };

export type CornersFragment = { south: number, west: number, north: number, east: number };

export type MapFeatureFragment = { latitude: number, longitude: number, count: number, bbox: { south: number, west: number, north: number, east: number }, location: { id: string, name: string } | null };

export type SourceFragment = { text: string, url: string | null };

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
export const SourceFragmentDoc = new TypedDocumentString(`
    fragment Source on Attribution {
  text
  url
}
    `, {"fragmentName":"Source"}) as unknown as TypedDocumentString<SourceFragment, unknown>;
export const OpenedMapDocument = new TypedDocumentString(`
    query OpenedMap($id: ID!) {
  publicMap(id: $id) {
    name
    fields {
      name
      type
    }
    language
    timeZone
    theme {
      accentOnLight
      accentOnDark
      font
      appearance
      poweredBy
      logo {
        hash
      }
    }
    categories {
      value
      label
      color
      icon
    }
  }
}
    `) as unknown as TypedDocumentString<OpenedMapQuery, OpenedMapQueryVariables>;
export const FindLocationsDocument = new TypedDocumentString(`
    query FindLocations($id: ID!, $filter: LocationFilter) {
  publicMap(id: $id) {
    attributions {
      ...Source
    }
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
}
fragment Source on Attribution {
  text
  url
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
export const FindNearDocument = new TypedDocumentString(`
    query FindNear($id: ID!, $filter: LocationFilter!, $after: String) {
  publicMap(id: $id) {
    attributions {
      ...Source
    }
    locations(first: 100, filter: $filter, orderBy: {by: distance}, after: $after) {
      totalCount
      edges {
        distance
        node {
          id
          name
          properties
          latitude
          longitude
        }
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
}
fragment Source on Attribution {
  text
  url
}`) as unknown as TypedDocumentString<FindNearQuery, FindNearQueryVariables>;
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
export const ViewStyledClustersDocument = new TypedDocumentString(`
    query ViewStyledClusters($id: ID!, $bbox: BboxInput!, $zoom: Int!, $filter: LocationFilter) {
  publicMap(id: $id) {
    clusters(bbox: $bbox, zoom: $zoom, filter: $filter) {
      ...MapFeature
      location {
        properties
      }
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
}`) as unknown as TypedDocumentString<ViewStyledClustersQuery, ViewStyledClustersQueryVariables>;
export const ViewStyledLocationsDocument = new TypedDocumentString(`
    query ViewStyledLocations($id: ID!, $filter: LocationFilter, $after: String) {
  publicMap(id: $id) {
    locations(first: 100, filter: $filter, after: $after) {
      nodes {
        id
        name
        latitude
        longitude
        properties
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
}`) as unknown as TypedDocumentString<ViewStyledLocationsQuery, ViewStyledLocationsQueryVariables>;
export const LocationDetailsDocument = new TypedDocumentString(`
    query LocationDetails($id: ID!, $locationId: ID!) {
  publicMap(id: $id) {
    location(id: $locationId) {
      id
      name
      latitude
      longitude
      properties
      geocoding {
        precision
        isChecked
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LocationDetailsQuery, LocationDetailsQueryVariables>;