/** The GraphQL operations that are measured. */

import type { PageStart } from '../harness/pages.ts';
import { PAGE_SIZE } from '../harness/pages.ts';
import type { HttpRequest } from '../harness/request.ts';
import { graphql } from '../harness/request.ts';

/** All fields of a location but `map`, which would lead back to where the query came from. */
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

/** What /v0 itself runs for a page: see src/rest/documents.ts. */
const V0_PAGE = `query V0Locations($mapId: ID!, $first: Int!, $after: String) {
  map(id: $mapId) {
    locations(first: $first, after: $after) {
      nodes { name id placeId latLngLiteral { lat lng } properties }
      nextOrder
      pageInfo { endCursor }
    }
  }
}`;

export function allFieldsPage(mapId: string, { after }: Pick<PageStart, 'after'>): HttpRequest {
  return graphql(ALL_FIELDS, { id: mapId, first: PAGE_SIZE, after });
}

export function pageAsV0(mapId: string, { after }: Pick<PageStart, 'after'>): HttpRequest {
  return graphql(V0_PAGE, { mapId, first: PAGE_SIZE, after });
}

export function mapById(mapId: string): HttpRequest {
  return graphql('query MapById($id: ID!) { map(id: $id) { id name isPublished } }', { id: mapId });
}
