import { callTool, connectMcp } from '../support/mcp.ts';
import { createPublishedMap } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const ACCEPT = { accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('POST /mcp', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer({ CORS_ORIGINS: 'https://a.example' });
    ({ mapId } = await createPublishedMap(server));
  });
  afterAll(() => server.close());

  const post = (body: unknown, headers: Record<string, string> = {}, token?: string | null) =>
    server.request('POST', '/mcp', {
      body,
      headers: { ...ACCEPT, ...headers },
      ...(token !== undefined && { token }),
    });

  it('rejects an invalid token, with WWW-Authenticate', async () => {
    const response = await post(LIST, {}, 'wrong');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { code: 'UNAUTHENTICATED' } },
    });
    await expect(connectMcp(server, { token: 'wrong' })).rejects.toThrow();
  });

  it('rejects foreign origins, and accepts its own and listed ones', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const response = await post(LIST, { origin });
      expect(response.status).toBe(403);
      expect(response.json.error.data.code).toBe('FORBIDDEN');
    }
    for (const origin of ['https://a.example', 'http://localhost:80']) {
      expect((await post(LIST, { origin, host: 'localhost' })).status).toBe(200);
    }
  });

  it('reads no cookies', async () => {
    const { json } = await server.graphql('{ viewer { owner } }');
    expect(json.data.viewer.owner).toBe('tester');
    const cookie = 'map-locations-session=x; __Host-map-locations-session=x';
    const call = { name: 'list_maps', arguments: { search: 'x' } };
    const response = await post({ ...LIST, method: 'tools/call', params: call }, { cookie }, null);
    expect(response.text).toContain('search needs a token');
  });

  it('rejects batches, other bodies, and other methods', async () => {
    expect((await post([LIST, LIST])).json.error).toMatchObject({ code: -32600 });
    expect((await post('{')).json.error).toMatchObject({ code: -32700 });
    expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post({ ...LIST, params: { x: 'x'.repeat(2_000_000) } })).status).toBe(413);
    const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as object;
    expect((await post({ ...LIST, params: deep })).status).toBe(400);
    for (const method of ['GET', 'DELETE']) {
      const response = await server.request(method, '/mcp', { headers: ACCEPT });
      expect(response.status).toBe(405);
      expect(response.headers['allow']).toBe('POST, OPTIONS');
    }
    const preflight = await server.request('OPTIONS', '/mcp', {
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers['allow']).toBe('POST, OPTIONS');
    expect(preflight.headers['access-control-allow-headers']).toMatch(
      /MCP-Protocol-Version, Mcp-Method, Mcp-Name$/,
    );
  });

  it('opens no streams', async () => {
    const client = await connectMcp(server, { token: null });
    const listening = client.listen({ toolsListChanged: true });
    await expect(listening).rejects.toThrow();
    await client.close();
  });

  it('is counted by the rate limits of GraphQL and of public pages', async () => {
    const limited = await createTestServer({ RATE_LIMIT: '3', PUBLIC_RATE_LIMIT: '2' });
    const token = await limited.createToken();
    const statuses = async (own: string | null, times: number) => {
      const found: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const options = { token: own, body: LIST, headers: ACCEPT };
        found.push((await limited.request('POST', '/mcp', options)).status);
      }
      return found;
    };
    expect(await statuses(token, 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(null, 3)).toEqual([200, 200, 429]);
    await limited.close();
  });

  it('serves thousands of calls', async () => {
    const client = await connectMcp(server, { token: null });
    for (let round = 0; round < 20; round += 1) {
      const calls = Array.from({ length: 100 }, () => callTool(client, 'describe_map', { mapId }));
      for (const { map } of await Promise.all(calls)) expect(map.id).toBe(mapId);
    }
    await client.close();
  });

  it('is off with MCP=0', async () => {
    const own = await createTestServer({ MCP: '0' });
    const response = await own.request('POST', '/mcp', { body: LIST, headers: ACCEPT });
    expect(response.status).toBe(404);
    await own.close();
  });
});
