/** The GraphQL documents behind /v0. Their selections are in the order of the contract's tables: so are the answers. */

import type { DocumentNode } from 'graphql';
import { parse } from 'graphql';

const LOCATION = 'name id placeId latLngLiteral { lat lng } properties';

export interface V0Documents {
  readonly map: DocumentNode;
  readonly createLocation: DocumentNode;
  readonly locations: DocumentNode;
  readonly location: DocumentNode;
  readonly deleteLocation: DocumentNode;
}

export function createDocuments(): V0Documents {
  return {
    map: parse(`query V0Map($mapId: ID!) {
      map(id: $mapId) {
        id name isDeleted createdAt isPublished providerMapApiKey geocodingApiKey fields { name type }
      }
    }`),
    createLocation: parse(`mutation V0CreateLocation($input: CreateLocationInput!) {
      createLocation(input: $input) { location { ${LOCATION} } }
    }`),
    locations: parse(`query V0Locations($mapId: ID!, $first: Int!, $after: String) {
      map(id: $mapId) {
        locations(first: $first, after: $after) { nodes { ${LOCATION} } nextOrder pageInfo { endCursor } }
      }
    }`),
    location: parse(`query V0Location($mapId: ID!, $id: ID!) {
      location(mapId: $mapId, id: $id) { ${LOCATION} }
    }`),
    deleteLocation: parse(`mutation V0DeleteLocation($input: DeleteLocationInput!) {
      deleteLocation(input: $input) { location { ${LOCATION} } }
    }`),
  };
}
