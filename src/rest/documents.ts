/**
 * The GraphQL documents behind /v0. Their selections follow the order of the contract's tables, and so do the
 * responses.
 */

import { parse } from 'graphql';

import { Operation } from '../graphql/execution/operation.ts';
import { templateOfSelection } from '../graphql/execution/json-pages/templates.ts';

const LOCATION = 'name id placeId latLngLiteral { lat lng } properties';

export interface V0Documents {
  readonly map: Operation;
  readonly createLocation: Operation;
  readonly locations: Operation;
  readonly location: Operation;
  readonly deleteLocation: Operation;
}

/**
 * Documents for the private schema. A list is read as JSON, starting at the sort key that the offset stands for.
 *
 * @param inFrontOfUpstream whether lists come from an upstream, which pages differently
 */
export function createDocuments(inFrontOfUpstream: boolean): V0Documents {
  const template = JSON.stringify(templateOfSelection(LOCATION).key);
  return {
    map: operation(`query V0Map($mapId: ID!) {
      map(id: $mapId) {
        id name isDeleted createdAt isPublished providerMapApiKey geocodingApiKey fields { name type }
      }
    }`),
    createLocation: operation(`mutation V0CreateLocation($input: CreateLocationInput!) {
      createLocation(input: $input) { location { ${LOCATION} } }
    }`),
    locations: inFrontOfUpstream
      ? operation(`query V0Locations($mapId: ID!, $limit: Int!, $query: String!, $seen: Int!) {
      list: _v0Locations(mapId: $mapId, limit: $limit, query: $query, seen: $seen) {
        nodes { ${LOCATION} } next { query seen }
      }
    }`)
      : operation(`query V0Locations($mapId: ID!, $first: Int!, $afterKey: _SortKey) {
      map(id: $mapId) {
        locations: _locationsJson(first: $first, afterKey: $afterKey, template: ${template}) {
          nodes: _nodesJson nextOrder lastKey: _lastKey
        }
      }
    }`),
    location: operation(`query V0Location($mapId: ID!, $id: ID!) {
      location(mapId: $mapId, id: $id) { ${LOCATION} }
    }`),
    deleteLocation: operation(`mutation V0DeleteLocation($input: DeleteLocationInput!) {
      deleteLocation(input: $input) { location { ${LOCATION} } }
    }`),
  };
}

function operation(text: string): Operation {
  return new Operation(parse(text), { isPrivate: true });
}
