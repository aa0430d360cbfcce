/** The example queries in GraphiQL's tabs. Each is a complete document. A test runs all of them. */

export interface ExampleQuery {
  /** The tab has the name of the operation. */
  readonly query: string;
  /** Initial content of the Variables editor, with placeholders for ids. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Placeholder for an id. With a token, the page replaces it with an id of the owner's first map (graphiql/page.js). */
export const PUT_ID_HERE = 'put-an-id-here';
/** Placeholder that the user must replace. */
const PUT_ID_TO_DELETE_HERE = 'put-the-id-to-delete-here';

/** Also an example of the gateway. */
export const deleteLocation: ExampleQuery = {
  query: `# Deletes a location and returns it one last time.
# Enter its id under Variables, below.
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
    query: `# Welcome! Queries need a token: paste it into
# the field at the top. It is sent only to this
# server, and forgotten when you reload the page
# unless you keep it for this tab.
#
# Press Ctrl-Enter to run this query, which lists
# your maps. The other tabs use the first one.
# The book icon opens the schema.
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
    query: `# The first locations of each of your maps. For the
# next page, use the tab NextPage with the map's id
# and the endCursor of this result.
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
    query: `# One page of a map's locations. Enter the map's id
# under Variables, below. "after" is null for the
# first page, then the endCursor of the previous
# page, until hasNextPage is false.
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
    query: `# A map and one of its locations. Their ids are
# under Variables, below. latitude and longitude are
# numbers; latLngLiteral has the strings of /v0.
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
    query: `# Creates a map. The token needs the scope "write".
# Every map has a name field (placeName) and an
# address field. The input is under Variables, below.
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
    query: `# Creates a location at the point of its address.
# Without an "order" it goes to the end of the list.
# A retry with the same idempotencyKey does not
# create it twice.
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
    query: `# Updates a location. Omitted fields keep their
# values. The version increases by one.
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
    query: `# Changes of a map's locations as they happen: run
# this, then change a location elsewhere. The first
# event is "resync": load the map then. The
# subscription runs until you stop it.
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
