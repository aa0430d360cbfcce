/** The queries in GraphiQL's tabs. Each is a whole document. A test runs all of them. */

export interface ExampleQuery {
  /** GraphQL. The tab is named after the operation. */
  readonly query: string;
  /** The first content of the Variables editor. Readers replace ids that only the server knows. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Stands for an id. With a token the page puts one of the first map of its owner here (graphiql/page.js). */
export const PUT_ID_HERE = 'put-an-id-here';
/** Stays until somebody says what to delete. */
const PUT_ID_TO_DELETE_HERE = 'put-the-id-to-delete-here';

/** The same in front of an upstream. */
export const deleteLocation: ExampleQuery = {
  query: `# Deletes a location for good, and shows it a last
# time. Put its id under Variables, below.
mutation DeleteLocation($input: DeleteLocationInput!) {
  deleteLocation(input: $input) {
    deletedId
    location {
      name
      properties
    }
  }
}
`,
  variables: { input: { mapId: PUT_ID_HERE, id: PUT_ID_TO_DELETE_HERE } },
};

export const exampleQueries: readonly ExampleQuery[] = [
  {
    query: `# Welcome. Queries need a token: paste it into
# the field at the top. It is sent to this
# server alone, and forgotten when the page is
# reloaded, unless it is kept for this tab.
#
# Ctrl-Enter runs this query: who am I, and
# which maps are mine? The other tabs use the
# first one. The schema is under the book.
query MyMaps {
  viewer {
    owner
    scope
    maps(first: 5) {
      nodes {
        id
        name
      }
    }
  }
}
`,
  },
  {
    query: `# The first locations of each map of yours. For the
# next page, go to the tab NextPage with the map's
# id and the endCursor that this shows.
query FirstLocations {
  viewer {
    maps(first: 3) {
      nodes {
        id
        name
        locations(first: 5) {
          totalCount
          nodes {
            id
            name
            order
            latitude
            longitude
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# One page of a map, which is named under Variables,
# below. Into "after" put null for the first page,
# then the endCursor of the page before, until
# hasNextPage is false.
query NextPage($mapId: ID!, $after: String) {
  map(id: $mapId) {
    name
    locations(first: 10, after: $after) {
      edges {
        cursor
        node {
          id
          name
          properties
        }
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
    query: `# All about a map, and about one location of it. Both
# ids are under Variables, below. latitude and
# longitude are numbers; latLngLiteral holds the
# strings that /v0 gives.
query Details($mapId: ID!, $locationId: ID!) {
  map(id: $mapId) {
    id
    name
    isPublished
    isDeleted
    createdAt
    fields {
      name
      type
    }
    location(id: $locationId) {
      id
      name
      placeId
      latLngLiteral {
        lat
        lng
      }
      latitude
      longitude
      properties
      order
      createdAt
      geocoding {
        provider
        precision
      }
    }
  }
}
`,
    variables: { mapId: PUT_ID_HERE, locationId: PUT_ID_HERE },
  },
  {
    query: `# A new map; the token has to be one that may write.
# Every map has a name field (placeName) and an
# address field. Its values are under Variables,
# below.
mutation CreateMap($input: CreateMapInput!) {
  createMap(input: $input) {
    map {
      id
      name
      fields {
        name
        type
      }
    }
  }
}
`,
    variables: {
      input: {
        name: 'Lighthouses',
        fields: [
          { name: 'Name', type: 'placeName' },
          { name: 'Address', type: 'address' },
          { name: 'Website', type: 'website' },
        ],
        isPublished: false,
      },
    },
  },
  {
    query: `# A new location, at the place that its address is
# found at. Without an "order" it goes to the end of
# the map. Sent again with the same idempotencyKey,
# it is not stored twice.
mutation CreateLocation($input: CreateLocationInput!) {
  createLocation(input: $input) {
    location {
      id
      name
      placeId
      latLngLiteral {
        lat
        lng
      }
      order
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
  {
    query: `# Changes a location: what is not named stays as it
# is. The version goes up by one.
mutation UpdateLocation($input: UpdateLocationInput!) {
  updateLocation(input: $input) {
    location {
      version
      name
      properties
      latitude
      longitude
    }
  }
}
`,
    variables: {
      input: { mapId: PUT_ID_HERE, id: PUT_ID_HERE, fields: { Phone: '+354 570 7000' } },
    },
  },
  {
    query: `# What becomes of a map's locations, as it happens:
# run this, change something elsewhere, and look.
# The first event is "resync": read the map then.
# It goes on until you stop it.
subscription Changes($mapId: ID!) {
  locationChanges(mapId: $mapId) {
    kind
    locationId
    location {
      name
      latitude
      longitude
      properties
    }
  }
}
`,
    variables: { mapId: PUT_ID_HERE },
  },
  deleteLocation,
];
