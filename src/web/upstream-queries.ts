/** The queries in GraphiQL's tabs in front of an upstream, which has no more than /v0. A test runs all of them. */

import type { ExampleQuery } from './example-queries.ts';
import { deleteLocation, PUT_ID_HERE } from './example-queries.ts';

export const upstreamQueries: readonly ExampleQuery[] = [
  {
    query: `# Welcome. This server asks another one, with your
# token: paste it into the field at the top, and the
# id of a map into the variables, below.
#
# Ctrl-Enter runs this query: the map, and the first
# page of its locations. Into "after" put the endCursor
# for the next page, until hasNextPage is false.
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
    query: `# One location, and its map. Both ids are under
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
    query: `# A new location. Without an "order" it goes to the
# end of the map. Sent again with the same
# idempotencyKey, it is not stored twice.
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
