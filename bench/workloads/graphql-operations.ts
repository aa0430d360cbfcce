/** The GraphQL operations that are measured. */

import type { Box } from '../harness/search-areas.ts';
import type { PageStart } from '../harness/pages.ts';
import { PAGE_SIZE } from '../harness/pages.ts';
import type { HttpRequest } from '../harness/request.ts';
import { graphql } from '../harness/request.ts';

/** All fields of a location except `map`, which leads back to the query's start. */
const ALL_FIELDS = `query Page($id: ID!, $first: Int!, $after: String) {
  map(id: $id) {
    locations(first: $first, after: $after) {
      nodes {
        id name placeId latLngLiteral { lat lng } latitude longitude properties order createdAt
        geocoding { provider precision }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/** The operation behind a page of /v0: see src/rest/documents.ts. */
const V0_PAGE = `query V0Locations($mapId: ID!, $first: Int!, $after: String) {
  map(id: $mapId) {
    locations(first: $first, after: $after) {
      nodes { name id placeId latLngLiteral { lat lng } properties }
      nextOrder
      pageInfo { endCursor }
    }
  }
}`;

/** The fields of a /v0 location. */
const V0_FIELDS = 'nodes { name id placeId latLngLiteral { lat lng } properties } pageInfo { hasNextPage }';

const LIST = `query List($id: ID!, $after: String) { map(id: $id) { locations(first: 100, after: $after) { ${V0_FIELDS} } } }`;

const SEARCH = `query Search($id: ID!, $filter: LocationFilter!, $orderBy: LocationOrderInput) {
  map(id: $id) { locations(first: 100, filter: $filter, orderBy: $orderBy) { ${V0_FIELDS} } }
}`;

const UNCHECKED = `query Unchecked($id: ID!, $filter: LocationFilter!, $after: String) {
  map(id: $id) { locations(first: 100, filter: $filter, after: $after) { ${V0_FIELDS} } }
}`;

const CURSOR = `query Cursor($id: ID!, $filter: LocationFilter!, $after: String) {
  map(id: $id) { locations(first: 100, filter: $filter, after: $after) { pageInfo { hasNextPage endCursor } } }
}`;

const COUNTED = `query Counted($id: ID!, $filter: LocationFilter!) {
  map(id: $id) { locations(first: 100, filter: $filter) { totalCount ${V0_FIELDS} } }
}`;

const CLUSTERS = `query Clusters($id: ID!, $bbox: BboxInput!, $zoom: Int!, $filter: LocationFilter) {
  map(id: $id) {
    clusters(bbox: $bbox, zoom: $zoom, filter: $filter) {
      latitude longitude count bbox { south west north east } location { id name }
    }
  }
}`;

export function listedPage(mapId: string, { after }: Pick<PageStart, 'after'>): HttpRequest {
  return graphql(LIST, { id: mapId, after });
}

/** @param orderBy by default, list order */
export function searchPage(mapId: string, filter: object, orderBy?: object): HttpRequest {
  return graphql(SEARCH, { id: mapId, filter, orderBy });
}

const IS_UNCHECKED = { geocoding: { isChecked: false } };

/** Where a page of unchecked points starts. */
export interface UncheckedStart {
  readonly after: string | null;
  /** For the peer: the number of the location before the page. Our server ignores it. */
  readonly afterNumber: number;
}

export function uncheckedPage(mapId: string, start: UncheckedStart): HttpRequest {
  return graphql(UNCHECKED, { id: mapId, filter: IS_UNCHECKED, ...start });
}

/** Where the page of unchecked points ends that starts after a cursor. */
export function uncheckedCursor(mapId: string, after: string | null): HttpRequest {
  return graphql(CURSOR, { id: mapId, filter: IS_UNCHECKED, after });
}

/** A page with the number of all hits. */
export function countedPage(mapId: string, filter: object): HttpRequest {
  return graphql(COUNTED, { id: mapId, filter });
}

export function clustersIn(mapId: string, bbox: Box, zoom: number, filter?: object): HttpRequest {
  return graphql(CLUSTERS, { id: mapId, bbox, zoom, filter });
}

export function allFieldsPage(mapId: string, { after }: Pick<PageStart, 'after'>): HttpRequest {
  return graphql(ALL_FIELDS, { id: mapId, first: PAGE_SIZE, after });
}

export function pageAsV0(mapId: string, { after }: Pick<PageStart, 'after'>): HttpRequest {
  return graphql(V0_PAGE, { mapId, first: PAGE_SIZE, after });
}

export function mapById(mapId: string): HttpRequest {
  return graphql('query MapById($id: ID!) { map(id: $id) { id name isPublished } }', { id: mapId });
}
