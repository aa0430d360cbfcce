/** The GraphQL documents of the client. `generated/operations.ts` is generated from them and the schema. */

const LOCATION = /* GraphQL */ `
  fragment Location on Location {
    id
    name
    placeId
    latitude
    longitude
    properties
    order
    externalId
    version
    createdAt
    updatedAt
    geocoding {
      provider
      precision
      label
      isAmbiguous
      isChecked
    }
  }
`;

export const LOCATIONS = withLocation(/* GraphQL */ `
  query Locations($mapId: ID!, $filter: LocationFilter, $orderBy: LocationOrderInput, $after: String) {
    map(id: $mapId) {
      locations(first: 100, filter: $filter, orderBy: $orderBy, after: $after) {
        nodes {
          ...Location
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const CREATE = withLocation(/* GraphQL */ `
  mutation Create($input: CreateLocationInput!) {
    createLocation(input: $input) {
      location {
        ...Location
      }
    }
  }
`);

export const UPDATE = withLocation(/* GraphQL */ `
  mutation Update($input: UpdateLocationInput!) {
    updateLocation(input: $input) {
      location {
        ...Location
      }
    }
  }
`);

export const MOVE = withLocation(/* GraphQL */ `
  mutation Move($input: MoveLocationsInput!) {
    moveLocations(input: $input) {
      locations {
        ...Location
      }
    }
  }
`);

export const DELETE = withLocation(/* GraphQL */ `
  mutation Delete($input: DeleteLocationInput!) {
    deleteLocation(input: $input) {
      location {
        ...Location
      }
    }
  }
`);

export const CHANGES = withLocation(/* GraphQL */ `
  subscription Changes($mapId: ID!, $since: String) {
    locationChanges(mapId: $mapId, since: $since) {
      cursor
      kind
      locationId
      location {
        ...Location
      }
    }
  }
`);

function withLocation(document: string): string {
  return document + LOCATION;
}
