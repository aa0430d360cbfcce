import type { TestServer } from '../support/server.ts';
import { createLocation, createLocations, createMap, withServer } from '../support/v0.ts';

async function etagOf(server: TestServer, path: string, token?: string): Promise<string> {
  const { status, headers } = await server.request('GET', path, { token });
  expect(status).toBe(200);
  expect(headers.etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  return String(headers.etag);
}

function paths(map: string, location: string): string[] {
  return [
    `/v0/map/${map}`,
    `/v0/map/${map}/locations`,
    `/v0/map/${map}/locations?limit=1`,
    `/v0/map/${map}/location/${location}`,
  ];
}

function withLocations(run: (server: TestServer, map: string, location: string) => Promise<void>) {
  return withServer({}, async (server) => {
    const map = await createMap(server);
    const location = await createLocation(server, map, 'a', '1');
    await createLocation(server, map, 'b', '5');
    await run(server, map, location);
  });
}

describe('ETag', () => {
  it('is on every 200 of GET and HEAD, and equal for equal responses', () =>
    withLocations(async (server, map, location) => {
      for (const path of paths(map, location)) {
        const etag = await etagOf(server, path);
        expect(await etagOf(server, path)).toBe(etag);
        expect((await server.request('HEAD', path)).headers.etag).toBe(etag);
      }
    }));

  it('is on no other response', () =>
    withLocations(async (server, map, location) => {
      const body = { fields: { Name: 'n', Address: 'a' } };
      for (const response of [
        await server.request('POST', `/v0/map/${map}/location`, { body }),
        await server.request('DELETE', `/v0/map/${map}/location/${location}`),
        await server.request('OPTIONS', `/v0/map/${map}`),
        await server.request('GET', '/v0/map/unknown'),
        await server.request('GET', `/v0/map/${map}`, { token: null }),
        await server.request('GET', '/v0/nothing'),
      ]) {
        expect(response.headers.etag).toBeUndefined();
      }
    }));

  it('changes with the map, and with what the token may see', () =>
    withLocations(async (server, map) => {
      const path = `/v0/map/${map}`;
      const etags = [await etagOf(server, path)];
      for (const change of [
        'name: "other"',
        'isPublished: true',
        'providerMapApiKey: "k"',
        'geocodingApiKey: "k"',
      ]) {
        const { json } = await server.graphql(
          `mutation { updateMap(input: {id: "${map}", ${change}}) { map { id } } }`,
        );
        expect(json.errors).toBeUndefined();
        etags.push(await etagOf(server, path));
      }
      await server.graphql(`mutation { deleteMap(input: {id: "${map}"}) { map { id } } }`);
      etags.push(await etagOf(server, path));
      etags.push(await etagOf(server, path, await server.createToken({ scope: 'read' })));
      expect(new Set(etags).size).toBe(etags.length);
    }));

  it('of a page changes when a location is added or deleted, or another page follows', () =>
    withLocations(async (server, map, location) => {
      const path = `/v0/map/${map}/locations?limit=2`;
      const etags = [await etagOf(server, path)];
      // The same two locations, but now the page is not the last.
      await createLocation(server, map, 'c', '9');
      etags.push(await etagOf(server, path));
      await createLocation(server, map, 'between', '3');
      etags.push(await etagOf(server, path));
      await server.request('DELETE', `/v0/map/${map}/location/${location}`);
      etags.push(await etagOf(server, path));
      expect(new Set(etags).size).toBe(etags.length);

      const before = await etagOf(server, path);
      await createLocation(server, map, 'far away', '999');
      expect(await etagOf(server, path)).toBe(before);
    }));
});

describe('If-None-Match', () => {
  it('gets 304 with ETag, Cache-Control and Vary, and no body', () =>
    withLocations(async (server, map, location) => {
      for (const path of paths(map, location)) {
        const etag = await etagOf(server, path);
        for (const method of ['GET', 'HEAD']) {
          const response = await server.request(method, path, { headers: { 'if-none-match': etag } });
          expect([response.status, response.text]).toEqual([304, '']);
          expect(response.headers).toMatchObject({
            etag,
            'cache-control': 'private, no-cache',
            vary: 'Authorization',
          });
          expect(response.headers['content-type']).toBeUndefined();
          expect(response.headers['content-length']).toBeUndefined();
        }
      }
    }));

  it('accepts *, lists and weak tags, and nothing that only resembles the tag', () =>
    withLocations(async (server, map) => {
      const path = `/v0/map/${map}`;
      const etag = await etagOf(server, path);
      const bare = etag.slice(1, -1);
      for (const [tags, status] of [
        [etag, 304],
        [`W/${etag}`, 304],
        ['*', 304],
        [' * ', 304],
        [`"other", ${etag}`, 304],
        [`"other",W/${etag},"third"`, 304],
        [`,, ${etag} ,`, 304],
        ['', 200],
        ['"other"', 200],
        ['"*"', 200],
        [bare, 200],
        [`'${bare}'`, 200],
        [`w/${etag}`, 200],
        [`"${bare}x"`, 200],
        [etag.toUpperCase(), 200],
      ] as const) {
        const response = await server.request('GET', path, { headers: { 'if-none-match': tags } });
        expect([tags, response.status]).toEqual([tags, status]);
      }
    }));

  it('gets the new response after a change', () =>
    withLocations(async (server, map) => {
      const path = `/v0/map/${map}/locations`;
      const etag = await etagOf(server, path);
      await createLocations(server, map, [{ name: 'new' }]);
      const response = await server.request('GET', path, { headers: { 'if-none-match': etag } });
      expect([response.status, response.json.length]).toEqual([200, 3]);
      expect(response.headers.etag).not.toBe(etag);
    }));

  it('does not affect errors, or methods other than GET', () =>
    withLocations(async (server, map, location) => {
      const headers = { 'if-none-match': '*' };
      expect((await server.request('GET', '/v0/map/unknown', { headers })).status).toBe(400);
      expect((await server.request('GET', `/v0/map/${map}`, { headers, token: null })).status).toBe(401);
      const body = { fields: { Name: 'n', Address: 'a' } };
      expect((await server.request('POST', `/v0/map/${map}/location`, { body, headers })).status).toBe(200);
      expect(
        (await server.request('DELETE', `/v0/map/${map}/location/${location}`, { headers })).status,
      ).toBe(200);
    }));
});
