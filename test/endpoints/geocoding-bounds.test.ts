/** Time limits and disconnects of clients during geocoding, at both endpoints, over real connections. */

import type { AddressInfo } from 'node:net';

import { fetchDescribed } from '../support/openapi/fetch.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, neverResponds, startGeocodingServer } from '../support/geocoding-server.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const CREATE =
  'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
const CREATE_MANY = `mutation ($input: CreateLocationsInput!) {
  createLocations(input: $input) { results { location { name } error { code } } }
}`;

describe('the time that a request allows for geocoding', () => {
  let geocoding: GeocodingServer;
  let server: TestServer;
  let origin: string;
  let token: string;
  let mapId: string;

  beforeAll(async () => {
    geocoding = await startGeocodingServer();
  });
  afterAll(() => geocoding.close());

  /** @param timeoutMs the server's limit for one request's addresses; by default longer than any test */
  const serve = async (timeoutMs = 60_000) => {
    server = await createTestServer(
      {
        GEOCODER: 'nominatim',
        NOMINATIM_URL: geocoding.url,
        GEOCODER_CONCURRENCY: '1',
        GEOCODER_REQUEST_TIMEOUT_MS: String(timeoutMs),
      },
      { geocoder: undefined },
    );
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
    token = await server.createToken();
    const { json: made } = await server.graphql(
      'mutation { createMap(input: { name: "M" }) { map { id } } }',
      {},
      token,
    );
    mapId = String(made.data.createMap.map.id);
    server.log.length = 0;
    geocoding.received.length = 0;
  };
  afterEach(async () => {
    geocoding.play(found);
    await untilOpen(0);
    await server.close();
  });

  const post = (path: string, body: unknown, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetchDescribed(`${origin}${path}`, {
      ...init,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...init.headers,
      },
      body: JSON.stringify(body),
    });
  const fieldsOf = (address: string) => ({ Name: address, Address: address });
  const endpoints = {
    '/v0': (address: string, init?: Parameters<typeof post>[2]) =>
      post(`/v0/map/${mapId}/location`, { fields: fieldsOf(address) }, init),
    GraphQL: (address: string, init?: Parameters<typeof post>[2]) =>
      post('/graphql', { query: CREATE, variables: { input: { mapId, fields: fieldsOf(address) } } }, init),
  };
  const untilOpen = (count: number) =>
    until(() => geocoding.open() === count, `${count} calls to the provider`);
  const requestedAddresses = () => geocoding.received.map(({ address }) => address);
  /** One address is geocoded at a time, so earlier work is done when it is. */
  const createLast = async () => {
    geocoding.play(found);
    expect((await endpoints['/v0']('Last Street')).status).toBe(200);
  };
  const count = () => server.gateway.storage.countLocations(mapId);

  for (const [endpoint, create] of Object.entries(endpoints)) {
    it(`${endpoint}: a disconnect aborts the provider call, and nothing is stored or logged`, async () => {
      await serve();
      geocoding.play(neverResponds);
      const leaving = new AbortController();
      const response = create(`Away Street of ${endpoint}`, { signal: leaving.signal }).catch(
        (error: unknown) => error,
      );
      await untilOpen(1);
      leaving.abort();
      expect(await response).toMatchObject({ name: 'AbortError' });
      await untilOpen(0);
      await createLast();
      expect(await count()).toBe(1);
      expect(server.log.map((line) => (JSON.parse(line) as { level: number }).level)).not.toContain(50);
      expect(requestedAddresses()).toEqual([`Away Street of ${endpoint}`, 'Last Street']);
    });

    it(`${endpoint}: a client sets its time limit, and gets a response in time`, async () => {
      await serve();
      geocoding.play(neverResponds);
      const begun = performance.now();
      const response = await create(`Slow Street of ${endpoint}`, {
        headers: { prefer: 'respond-async, wait=1' },
      });
      const body = await response.text();
      expect(performance.now() - begun).toBeLessThan(30_000);
      expect(body).toContain(endpoint === '/v0' ? '"message"' : 'GEOCODER_UNAVAILABLE');
      expect(response.status).toBe(endpoint === '/v0' ? 503 : 200);
      expect(await count()).toBe(0);
    });
  }

  it('a disconnect between two of many addresses stores none of them', async () => {
    await serve();
    geocoding.play(found, found, neverResponds);
    const leaving = new AbortController();
    const locations = Array.from({ length: 50 }, (_, index) => ({
      fields: fieldsOf(`Many Street ${index}`),
    }));
    const body = { query: CREATE_MANY, variables: { input: { mapId, locations } } };
    const response = post('/graphql', body, { signal: leaving.signal }).catch((error: unknown) => error);
    await until(() => geocoding.received.length === 3, '3 calls to the provider');
    leaving.abort();
    await response;
    await untilOpen(0);
    await createLast();
    expect(requestedAddresses()).toEqual(['Many Street 0', 'Many Street 1', 'Many Street 2', 'Last Street']);
    expect(await count()).toBe(1);
  });

  it('of many addresses, those found in time are stored, and the others get the reason', async () => {
    await serve(2_000);
    geocoding.play(found, found, found, neverResponds);
    const locations = Array.from({ length: 40 }, (_, index) => ({
      fields: fieldsOf(`Late Street ${index}`),
    }));
    const response = await post('/graphql', {
      query: CREATE_MANY,
      variables: { input: { mapId, locations } },
    });
    const { data } = (await response.json()) as {
      data: { createLocations: { results: { location: unknown; error: { code: string } | null }[] } };
    };
    const { results } = data.createLocations;
    const stored = results.filter(({ error }) => error === null);
    expect(stored).toHaveLength(3);
    expect(await count()).toBe(3);
    for (const { error } of results.slice(stored.length)) expect(error?.code).toBe('GEOCODER_UNAVAILABLE');
  });
});
