/** Unmodified Apollo Client 4, with its own cache and its own helper for Relay connections. */

import { ApolloLink, CombinedGraphQLErrors, gql } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { createHash } from 'node:crypto';

import { createApolloClient } from '../support/apollo-client.ts';
import { makeLocations, makeMap } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

interface LocationsData {
  readonly map: {
    readonly id: string;
    readonly locations: {
      readonly totalCount: number;
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

interface CreatedData {
  readonly createLocation: {
    readonly edge: { readonly cursor: string; readonly node: { readonly id: string; readonly name: string } };
  };
}

const LOCATIONS = gql`
  query Locations($id: ID!, $first: Int, $after: String) {
    map(id: $id) {
      id
      locations(first: $first, after: $after) {
        totalCount
        edges {
          cursor
          node {
            id
            name
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
`;

const CREATE = gql`
  mutation Create($input: CreateLocationInput!) {
    createLocation(input: $input) {
      edge {
        cursor
        node {
          id
          name
        }
      }
      map {
        id
      }
    }
  }
`;

describe('Apollo Client', () => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await createTestServer();
    token = await server.createToken();
  });
  afterAll(() => server.close());

  it('pages through 250 locations with relayStylePagination, each once and in order', async () => {
    const map = await makeMap(server);
    const made = await makeLocations(server, map.id, Array<null>(250).fill(null));
    const client = createApolloClient(server.app, token);
    const query = client.watchQuery<LocationsData>({
      query: LOCATIONS,
      variables: { id: map.id, first: 60 },
    });
    const subscription = query.subscribe({});
    try {
      await query.refetch();
      const read = () =>
        client.readQuery<LocationsData>({ query: LOCATIONS, variables: { id: map.id, first: 60 } })?.map
          .locations;
      let pages = 1;
      for (;;) {
        const pageInfo = read()?.pageInfo;
        if (pageInfo?.hasNextPage !== true) break;
        await query.fetchMore({ variables: { after: pageInfo.endCursor } });
        pages += 1;
        if (pages > 10) throw new Error('Pagination does not end.');
      }
      const ids = read()?.edges.map(({ node }) => node.id);
      expect(pages).toBe(5);
      expect(ids).toEqual(made.map(({ id }) => id));
      expect(new Set(ids).size).toBe(250);
      expect(read()?.totalCount).toBe(250);
    } finally {
      subscription.unsubscribe();
      client.stop();
    }
  });

  it("places a new location's edge at the end of a cached connection", async () => {
    const map = await makeMap(server);
    await makeLocations(server, map.id, [null, null]);
    const client = createApolloClient(server.app, token);
    const variables = { id: map.id, first: 10 };
    await client.query({ query: LOCATIONS, variables });
    await client.mutate<CreatedData>({
      mutation: CREATE,
      variables: { input: { mapId: map.id, fields: { Name: 'New', Address: 'New Street 1' } } },
      update(cache, { data }) {
        cache.modify<{ locations: { edges: unknown[] } }>({
          id: cache.identify({ __typename: 'Map', id: map.id }) ?? '',
          fields: {
            locations: (existing) => ({
              ...(existing as { edges: unknown[] }),
              edges: [...(existing as { edges: unknown[] }).edges, data?.createLocation.edge],
            }),
          },
        });
      },
    });
    const cached = client.readQuery<LocationsData>({ query: LOCATIONS, variables });
    const { data: fresh } = await client.query<LocationsData>({
      query: LOCATIONS,
      variables,
      fetchPolicy: 'no-cache',
    });
    expect(cached?.map.locations.edges).toHaveLength(3);
    expect(cached?.map.locations.edges).toEqual(fresh?.map.locations.edges);
    client.stop();
  });

  it('evicts a deleted location by its deletedId', async () => {
    const map = await makeMap(server);
    const [first, second] = await makeLocations(server, map.id, [null, null]);
    const client = createApolloClient(server.app, token);
    const variables = { id: map.id, first: 10 };
    await client.query({ query: LOCATIONS, variables });
    await client.mutate<{ deleteLocation: { deletedId: string } }>({
      mutation: gql`
        mutation Delete($input: DeleteLocationInput!) {
          deleteLocation(input: $input) {
            deletedId
          }
        }
      `,
      variables: { input: { mapId: map.id, id: first?.id } },
      update(cache, { data }) {
        cache.evict({ id: `Location:${data?.deleteLocation.deletedId}` });
      },
    });
    const cached = client.readQuery<LocationsData>({ query: LOCATIONS, variables });
    expect(cached?.map.locations.edges.map(({ node }) => node.id)).toEqual([second?.id]);
    client.stop();
  });

  it('refetches a map and a location by node, into their cached records', async () => {
    const map = await makeMap(server, { name: 'Before' });
    const [location] = await makeLocations(server, map.id, [null]);
    const client = createApolloClient(server.app, token);
    const query = gql`
      query Refetch($id: ID!) {
        node(id: $id) {
          id
          ... on Map {
            name
          }
          ... on Location {
            name
            map {
              id
              name
            }
          }
        }
      }
    `;
    await client.query({ query, variables: { id: location?.id } });
    await server.graphql(
      'mutation ($id: ID!) { updateMap(input: { id: $id, name: "After" }) { map { id } } }',
      {
        id: map.id,
      },
    );
    await client.query({ query, variables: { id: map.id } });
    const cached = client.readQuery<{ node: { map: { name: string } } }>({
      query,
      variables: { id: location?.id },
    });
    expect(cached?.node.map.name).toBe('After');
    client.stop();
  });

  it('sees the code of an expected failure', async () => {
    const client = createApolloClient(server.app, token);
    const { error } = await client
      .query({ query: LOCATIONS, variables: { id: 'nothing' }, errorPolicy: 'all' })
      .then(({ error: found }) => ({ error: found }));
    expect(CombinedGraphQLErrors.is(error)).toBe(true);
    expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.['code']).toBe('MAP_NOT_FOUND');
    client.stop();
  });

  it('sends a query once, and then only its hash, with automatic persisted queries', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const sent: boolean[] = [];
    const spy = new ApolloLink((operation, forward) => {
      sent.push(operation.getContext()['http']?.includeQuery !== false);
      return forward(operation);
    });
    const client = createApolloClient(server.app, token, [new PersistedQueryLink({ sha256 }), spy]);
    const query = gql`
      query Persisted {
        viewer {
          owner
          scope
        }
      }
    `;
    for (let time = 0; time < 2; time += 1) {
      const { data } = await client.query<{ viewer: { owner: string } }>({
        query,
        fetchPolicy: 'network-only',
      });
      expect(data?.viewer.owner).toBe('tester');
    }
    // By hash, then with the query because the hash was unknown, then by hash alone.
    expect(sent).toEqual([false, true, false]);
    client.stop();
  });
});
