/** Shared by the tests of /v0: fixtures, and the check of error bodies. */

import type { Environment } from '../../src/app/config.ts';
import type { Parts } from '../../src/app/composition/application.ts';
import type { TestResponse, TestServer } from './server.ts';
import { createTestServer } from './server.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const ID = {
  map: /^[0-9a-hjkmnp-tv-z]{16}$/,
  location: /^[0-9a-hjkmnp-tv-z]{16}_[0-9a-hjkmnp-tv-z]{12}$/,
};

/** Runs a test on a new server, and closes it in any case. */
export async function withServer(
  environment: Environment,
  run: (server: TestServer) => Promise<void>,
  replacements: Parts = {},
): Promise<void> {
  const server = await createTestServer(environment, replacements);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

/** Creates a map through GraphQL, since /v0 cannot. */
export async function createMap(
  server: TestServer,
  input: Record<string, unknown> = {},
  token?: string,
): Promise<string> {
  const { json } = await server.graphql(
    'mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id } } }',
    { input: { name: 'A map', ...input } },
    token,
  );
  expect(json.errors).toBeUndefined();
  return json.data.createMap.map.id as string;
}

export async function deleteMap(server: TestServer, id: string): Promise<void> {
  const { json } = await server.graphql(
    'mutation ($id: ID!) { deleteMap(input: {id: $id}) { map { isDeleted } } }',
    { id },
  );
  expect(json.data.deleteMap.map.isDeleted).toBe(true);
}

export function fieldsOf(name: string, address = `${name} Street 1`): Record<string, unknown> {
  return { Name: name, Address: address };
}

/** Stores a location through /v0. @returns its id */
export async function createLocation(
  server: TestServer,
  mapId: string,
  name: string,
  order?: string,
): Promise<string> {
  const { status, json } = await server.request('POST', `/v0/map/${mapId}/location`, {
    body: { fields: fieldsOf(name), order },
  });
  expect(status).toBe(200);
  return json.data.id as string;
}

/** Stores many locations at once through the services, which is faster. */
export async function createLocations(
  server: TestServer,
  mapId: string,
  items: readonly { name: string; order?: string | null }[],
): Promise<void> {
  for (let start = 0; start < items.length; start += 1_000) {
    const locations = items
      .slice(start, start + 1_000)
      .map(({ name, order = null }) => ({ fields: fieldsOf(name), order }));
    const { json } = await server.graphql(
      `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { error { message } } } }`,
      { input: { mapId, locations } },
    );
    expect(json.errors).toBeUndefined();
    expect(json.data.createLocations.results.filter((result: { error: unknown }) => result.error)).toEqual(
      [],
    );
  }
}

/** Checks that a failure is an Error body of exactly two members, in this order, with the JSON type. */
export function expectError(
  response: TestResponse,
  status: number,
  error: number,
  message?: string | RegExp,
): void {
  expect(`${response.status} ${response.text}`).toMatch(
    new RegExp(`^${status} \\{"error":${error},"message":"`),
  );
  expect(response.headers['content-type']).toBe(JSON_TYPE);
  expect(Object.keys(response.json)).toEqual(['error', 'message']);
  expect(response.json.message).not.toBe('');
  if (message !== undefined) expect(response.json.message).toMatch(message);
}

/** Blanks for headers that differ between any two responses; spread them over the headers of both before comparing. */
export const PER_REQUEST_HEADERS = { date: '', 'x-request-id': '' };
