import {
  createLocation,
  createMap,
  expectError,
  fieldsOf,
  withServer,
  PER_REQUEST_HEADERS,
} from '../support/v0.ts';

describe('a token', () => {
  it('is required, with WWW-Authenticate; its scheme may be in any case', () =>
    withServer({}, async (server) => {
      const token = await server.createToken();
      const path = `/v0/map/${await createMap(server)}`;
      const send = (authorization: string) =>
        server.request('GET', path, { token: null, headers: { authorization } });
      for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
        expect((await send(`${scheme} ${token}`)).status).toBe(200);
      }
      expect((await send(`Bearer   ${token}`)).status).toBe(200);

      const none = await server.request('GET', path, { token: null });
      expectError(none, 401, 401, /Bearer/);
      expect(none.headers['www-authenticate']).toBe('Bearer');
      for (const authorization of [
        '',
        ' ',
        'Bearer',
        'Bearer ',
        token,
        `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
        `Token ${token}`,
        `Bearer${token}`,
        `Bearer: ${token}`,
        `Bearer ${token} x`,
        `Bearer ${token},`,
        `Bearer ${token}, Bearer ${token}`,
        `Bearer "${token}"`,
        `Bearer ${token.slice(0, -1)}`,
        `Bearer ${token}=`,
        `Bearer ${token.toUpperCase()}`,
        `Bearer ${'a'.repeat(8_000)}`,
        'Bearer é',
        `Bearer\t${token}`,
      ]) {
        const response = await send(authorization);
        expect(authorization + String(response.status)).toBe(`${authorization}401`);
        expectError(response, 401, 401);
        expect(response.headers['www-authenticate']).toBe('Bearer');
        // The response does not repeat what was sent.
        expect(response.text).not.toContain(token.slice(4, 20));
      }
    }));

  it('is accepted only in the header', () =>
    withServer({}, async (server) => {
      const token = await server.createToken();
      const path = `/v0/map/${await createMap(server)}`;
      const headers = { cookie: `token=${token}`, 'x-api-key': token };
      for (const query of [`?access_token=${token}`, `?token=${token}`]) {
        expectError(await server.request('GET', path + query, { token: null, headers }), 401, 401);
      }
    }));

  it('fails from the first request after it is revoked, by itself or by its id', () =>
    withServer({}, async (server) => {
      const path = `/v0/map/${await createMap(server)}`;
      const { tokens } = server.gateway.services;
      const made = await tokens.createToken({
        owner: 'tester',
        scope: 'write',
        mapId: null,
        expiresAt: null,
      });
      const other = await server.createToken();
      for (const [token, handle] of [
        [made.token, made.record.id],
        [other, other],
      ] as const) {
        expect((await server.request('GET', path, { token })).status).toBe(200);
        expect(await tokens.revokeToken(handle)).toBe(true);
        expectError(await server.request('GET', path, { token }), 401, 401, /revoked/);
      }
    }));

  it('fails from the millisecond in which it expires', async () => {
    let now = 1_000_000;
    await withServer(
      {},
      async (server) => {
        const path = `/v0/map/${await createMap(server)}`;
        const { tokens } = server.gateway.services;
        const { token } = await tokens.createToken({
          owner: 'tester',
          scope: 'read',
          mapId: null,
          expiresAt: now + 10,
        });
        now += 9;
        expect((await server.request('GET', path, { token })).status).toBe(200);
        now += 1;
        expectError(await server.request('GET', path, { token }), 401, 401, /expired/);
      },
      { clock: () => now },
    );
  });

  it('of scope read reads everything and writes nothing', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      const id = await createLocation(server, map, 'A');
      const token = await server.createToken({ scope: 'read' });
      for (const path of [`/v0/map/${map}`, `/v0/map/${map}/locations`, `/v0/map/${map}/location/${id}`]) {
        expect((await server.request('GET', path, { token })).status).toBe(200);
      }
      const body = { fields: fieldsOf('B') };
      expectError(
        await server.request('POST', `/v0/map/${map}/location`, { token, body }),
        403,
        403,
        /write/,
      );
      expectError(
        await server.request('DELETE', `/v0/map/${map}/location/${id}`, { token }),
        403,
        403,
        /write/,
      );
      expect((await server.request('GET', `/v0/map/${map}/locations`)).json.length).toBe(1);
      expect(server.geocoder.asked.length).toBe(1);
    }));

  it('limited to one map does not find others', () =>
    withServer({}, async (server) => {
      const own = await createMap(server);
      const other = await createMap(server);
      const id = await createLocation(server, other, 'A');
      const token = await server.createToken({ mapId: own });
      const body = { fields: fieldsOf('B') };
      expect((await server.request('GET', `/v0/map/${own}`, { token })).status).toBe(200);
      expect((await server.request('POST', `/v0/map/${own}/location`, { token, body })).status).toBe(200);
      for (const [method, path] of [
        ['GET', `/v0/map/${other}`],
        ['GET', `/v0/map/${other}/locations`],
        ['GET', `/v0/map/${other}/location/${id}`],
        ['DELETE', `/v0/map/${other}/location/${id}`],
        ['POST', `/v0/map/${other}/location`],
      ] as const) {
        const response = await server.request(method, path, {
          token,
          ...(method === 'POST' ? { body } : {}),
        });
        expectError(response, 400, 404, /no such map/);
      }
    }));

  it("gets the same response for another owner's map as for an unknown one", () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      const id = await createLocation(server, map, 'A');
      const token = await server.createToken({ owner: 'somebody else' });
      const unknown = `${map.slice(0, -1)}${map.endsWith('0') ? '1' : '0'}`;
      const body = { fields: fieldsOf('B') };
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', '/locations'],
        ['GET', '/locations?limit=0'],
        ['GET', `/location/${id}`],
        ['DELETE', `/location/${id}`],
        ['POST', '/location'],
      ] as const) {
        const options = { token, ...(method === 'POST' ? { body } : {}) };
        const foreign = await server.request(method, `/v0/map/${map}${rest}`, options);
        const absent = await server.request(method, `/v0/map/${unknown}${rest}`, options);
        expectError(foreign, 400, 404, /no such map/);
        expect({ ...foreign.headers, ...PER_REQUEST_HEADERS }).toEqual({
          ...absent.headers,
          ...PER_REQUEST_HEADERS,
        });
        expect(foreign.text).toBe(absent.text);
      }
    }));
});
