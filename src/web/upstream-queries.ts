/** The example queries of the gateway, which offers what /v0 of its upstream offers. A test runs all of them. */

import type { ExampleQuery } from './example-queries.ts';
import { deleteLocation, PUT_ID_HERE } from './example-queries.ts';

export const upstreamQueries: readonly ExampleQuery[] = [
  {
    query: `# Welcome! This server is a gateway to another one and
# uses your token there: paste it into the field at the
# top, and enter the id of a map under Variables, below.
#
# Press Ctrl-Enter to run this query: the map and the
# first page of its locations. For the next page, set
# "after" to the endCursor, until hasNextPage is false.
query Locations($mapId: ID!, $after: String) {
  map(id: $mapId) {
    name
    isPublished
    fields {
      name
      type
    }
    locations(first: 10, after: $after) {
      nodes {
        id
        name
        latitude
        longitude
        properties
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
    variables: { mapId: PUT_ID_HERE, after: null },
  },
  {
    query: `# One location and its map. Both ids are under
# Variables, below.
query OneLocation($mapId: ID!, $id: ID!) {
  location(mapId: $mapId, id: $id) {
    name
    placeId
    latLngLiteral {
      lat
      lng
    }
    properties
    map {
      name
    }
  }
}
`,
    variables: { mapId: PUT_ID_HERE, id: PUT_ID_HERE },
  },
  {
    query: `# Creates a location. Without an "order" it goes to the
# end of the list. A retry with the same
# idempotencyKey does not create it twice.
mutation CreateLocation($input: CreateLocationInput!) {
  createLocation(input: $input) {
    location {
      id
      name
      placeId
    }
  }
}
`,
    variables: {
      input: {
        mapId: PUT_ID_HERE,
        fields: { Name: 'Town hall', Address: 'Reykjavik, Iceland' },
        idempotencyKey: 'town-hall-1',
      },
    },
  },
  deleteLocation,
];
