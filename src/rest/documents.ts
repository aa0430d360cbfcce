/**
 * The GraphQL documents behind /v0. Their selections follow the order of the contract's tables, and so do the
 * responses.
 */

import { parse } from 'graphql';

import { Operation } from '../graphql/execution/operation.ts';

/** Selection of a location. */
export const LOCATION = 'name id placeId latLngLiteral { lat lng } properties';

export interface V0Documents {
  readonly map: Operation;
  readonly createLocation: Operation;
  readonly location: Operation;
  readonly deleteLocation: Operation;
}

/** Documents for the private schema. The one that reads the list is part of its {@link ListRow}. */
export function createDocuments(): V0Documents {
  return {
    map: operation(`query V0Map($mapId: ID!) {
      map(id: $mapId) {
        id name isDeleted createdAt isPublished providerMapApiKey geocodingApiKey fields { name type }
      }
    }`),
    createLocation: operation(`mutation V0CreateLocation($input: CreateLocationInput!) {
      createLocation(input: $input) { location { ${LOCATION} } }
    }`),
    location: operation(`query V0Location($mapId: ID!, $id: ID!) {
      location(mapId: $mapId, id: $id) { ${LOCATION} }
    }`),
    deleteLocation: operation(`mutation V0DeleteLocation($input: DeleteLocationInput!) {
      deleteLocation(input: $input) { location { ${LOCATION} } }
    }`),
  };
}

export function operation(text: string): Operation {
  return new Operation(parse(text), { isPrivate: true });
}
