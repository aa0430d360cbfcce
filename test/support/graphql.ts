/** Helpers for GraphQL on a test server: maps, locations and pages, by the actual mutations and queries. */

import type { TestResponse, TestServer } from './server.ts';

export interface MadeMap {
  readonly id: string;
  readonly name: string;
}

export interface MadeLocation {
  readonly id: string;
  readonly name: string;
  readonly order: string;
}

/** The data of a response without errors. @throws Error with the whole response if it has errors */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows what it asked for
export function dataOf(response: TestResponse): any {
  if (response.status !== 200 || response.json?.errors !== undefined) {
    throw new Error(`No data without errors, but ${response.status} ${response.text}`);
  }
  return response.json.data;
}

/** The codes of a response's errors, in order. */
export function codesOf(response: TestResponse): string[] {
  const errors: { extensions?: { code?: string } }[] = response.json?.errors ?? [];
  return errors.map(({ extensions }) => extensions?.code ?? 'none');
}

export function messageOf(response: TestResponse): string {
  return response.json?.errors?.[0]?.message ?? '';
}

export async function makeMap(
  server: TestServer,
  input: Record<string, unknown> = {},
  token?: string,
): Promise<MadeMap> {
  const response = await server.graphql(
    'mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id name } } }',
    { input: { name: 'A map', ...input } },
    token,
  );
  return dataOf(response).createMap.map;
}

export async function deleteMap(server: TestServer, id: string, token?: string): Promise<void> {
  dataOf(
    await server.graphql(
      'mutation ($id: ID!) { deleteMap(input: { id: $id }) { map { isDeleted } } }',
      { id },
      token,
    ),
  );
}

export function createLocation(
  server: TestServer,
  input: Record<string, unknown>,
  token?: string | null,
): Promise<TestResponse> {
  return server.graphql(
    `mutation ($input: CreateLocationInput!) {
      createLocation(input: $input) {
        location { id name order placeId properties latitude longitude createdAt }
        edge { cursor node { id } }
        map { id }
      }
    }`,
    { input },
    token,
  );
}

/** Locations of these orders (null appends), up to 1,000, in one call. */
export async function makeLocations(
  server: TestServer,
  mapId: string,
  orders: readonly (string | null)[],
  token?: string,
): Promise<MadeLocation[]> {
  const response = await server.graphql(
    `mutation ($input: CreateLocationsInput!) {
      createLocations(input: $input) { results { location { id name order } error { code message } } }
    }`,
    {
      input: {
        mapId,
        locations: orders.map((order, index) => ({
          fields: { Name: `Place ${index}`, Address: `${index} Some Street` },
          order,
        })),
      },
    },
    token,
  );
  const results: { location: MadeLocation | null }[] = dataOf(response).createLocations.results;
  return results.map(({ location }) => {
    if (location === null) throw new Error(`A location was not stored: ${response.text}`);
    return location;
  });
}

/** @returns its id */
export async function makeWebhook(server: TestServer, mapId: string, token?: string): Promise<string> {
  const response = await server.graphql(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
    { input: { mapId, url: 'https://example.org/hook', events: ['created'] } },
    token,
  );
  return dataOf(response).createWebhook.webhook.id;
}

/** @returns the id of the map's last change */
export async function lastHistoryId(server: TestServer, mapId: string, token?: string): Promise<string> {
  const query = 'query ($mapId: ID!) { map(id: $mapId) { history(first: 1) { nodes { id } } } }';
  return dataOf(await server.graphql(query, { mapId }, token)).map.history.nodes[0].id;
}

export async function deleteLocation(server: TestServer, mapId: string, id: string): Promise<void> {
  dataOf(
    await server.graphql(
      'mutation ($mapId: ID!, $id: ID!) { deleteLocation(input: { mapId: $mapId, id: $id }) { deletedId } }',
      { mapId, id },
    ),
  );
}
