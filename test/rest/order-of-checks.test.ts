import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createLocation, createMap, deleteMap, fieldsOf } from '../support/v0.ts';

let server: TestServer;
let map: string;
let location: string;
let deletedMap: string;
let foreignMap: string;
let reader: string;

beforeAll(async () => {
  server = await createTestServer();
  reader = await server.createToken({ scope: 'read' });
  map = await createMap(server);
  location = await createLocation(server, map, 'A');
  deletedMap = await createMap(server);
  await deleteMap(server, deletedMap);
  foreignMap = await createMap(server, {}, await server.createToken({ owner: 'another' }));
});
afterAll(() => server.close());

/** A request of which any part may be invalid. */
interface Attempt {
  method: string;
  path: string;
  query: string;
  token: string | null | undefined;
  type: string | undefined;
  key: string;
  body: string;
}

const LARGE = 1_048_577;

/** Possible mistakes in a POST, in the order in which they are checked: each takes precedence over the rest. */
const POST_FAULTS: readonly [string, string, (attempt: Attempt) => void][] = [
  ['broken encoding in the path', '400 400 percent-encoding', (a) => (a.path = '/v0/map/%zz/location')],
  ['unknown path', '404 404', (a) => (a.path = `/v0/map/${map}/unknown`)],
  ['unknown method', '405 405', (a) => (a.method = 'PATCH')],
  ['no token', '401 401', (a) => (a.token = null)],
  ['invalid token', '401 401 not valid', (a) => (a.token ??= 'mlt_wrong')],
  ['type of body', '415 415', (a) => (a.type = 'text/plain')],
  ['size of body', '413 413', (a) => (a.body = a.body.padEnd(LARGE))],
  ['invalid JSON', '400 400 JSON', (a) => (a.body = a.body.replace('{', '{,'))],
  ['no JSON object', '400 400 JSON object', (a) => (a.body = `[${a.body.trim()}]`)],
  ['scope', '403 403', (a) => (a.token ??= reader)],
  ['unknown map', '400 404 no such map', (a) => (a.path = '/v0/map/unknown/location')],
  ['foreign map', '400 404 no such map', (a) => (a.path = `/v0/map/${foreignMap}/location`)],
  ['deleted map', '400 410', (a) => (a.path = `/v0/map/${deletedMap}/location`)],
  ['no fields', '400 400 fields', (a) => (a.body = a.body.replace('"fields"', '"field"'))],
  ['bad order', '400 400 order', (a) => (a.body = a.body.replace('"order":"1"', '"order":1'))],
  ['bad key', '400 400 idempotency', (a) => (a.key = 'é')],
  ['unknown address', '400 422', (a) => (a.body = a.body.replace('A Street', 'unknown:'))],
];

/** Mistakes that exclude each other. */
const SAME_PART: readonly (readonly string[])[] = [
  ['broken encoding in the path', 'unknown path', 'unknown map', 'foreign map', 'deleted map'],
  ['no token', 'invalid token', 'scope'],
];

const LIST_FAULTS: readonly [string, string, (attempt: Attempt) => void][] = [
  ['broken encoding in the path', '400 400 percent-encoding', (a) => (a.path = '/v0/map/%zz/locations')],
  ['unknown path', '404 404', (a) => (a.path = `/v0/map/${map}/unknown`)],
  ['unknown method', '405 405', (a) => (a.method = 'POST')],
  ['no token', '401 401', (a) => (a.token = null)],
  ['unknown map', '400 404 no such map', (a) => (a.path = '/v0/map/unknown/locations')],
  ['foreign map', '400 404 no such map', (a) => (a.path = `/v0/map/${foreignMap}/locations`)],
  ['deleted map', '400 410', (a) => (a.path = `/v0/map/${deletedMap}/locations`)],
  ['bad limit', '400 400 limit', (a) => (a.query = '?limit=0')],
];

async function send(attempt: Attempt): Promise<TestResponse> {
  const isPost = attempt.type !== undefined;
  return server.request(attempt.method, attempt.path + attempt.query, {
    token: attempt.token,
    headers: isPost ? { 'content-type': attempt.type ?? '', 'idempotency-key': attempt.key } : {},
    ...(isPost ? { body: attempt.body } : {}),
  });
}

function expectFound(response: TestResponse, expected: string): void {
  const [status = '', number = '', ...message] = expected.split(' ');
  expect(`${response.status} ${response.json.error} ${response.json.message}`).toMatch(
    new RegExp(`^${status} ${number} .*${message.join(' ')}`, 'i'),
  );
}

function pairs<T>(faults: readonly [string, string, T][]) {
  return faults.flatMap(([earlier, expected, first], index) =>
    faults
      .slice(index + 1)
      .filter(([later]) => !SAME_PART.some((part) => part.includes(earlier) && part.includes(later)))
      .map(([later, , second]) => ({ earlier, later, expected, first, second })),
  );
}

describe('two mistakes in a creation', () => {
  const attempt = (): Attempt => ({
    method: 'POST',
    path: `/v0/map/${map}/location`,
    query: '',
    token: undefined,
    type: 'application/json',
    key: 'key',
    body: JSON.stringify({ fields: fieldsOf('A'), order: '1' }),
  });

  for (const [name, expected, spoil] of POST_FAULTS) {
    it(`${name} alone is ${expected}`, async () => {
      const request = attempt();
      spoil(request);
      expectFound(await send(request), expected);
    });
  }

  // The contract orders only these; checks after the map come in any order.
  const ordered = POST_FAULTS.slice(
    0,
    POST_FAULTS.findIndex(([name]) => name === 'no fields'),
  );
  const all = pairs(POST_FAULTS).filter(({ earlier }) => ordered.some(([name]) => name === earlier));
  for (const { earlier, later, expected, first, second } of all) {
    it(`${earlier} takes precedence over ${later}`, async () => {
      const request = attempt();
      second(request);
      first(request);
      expectFound(await send(request), expected);
    });
  }
});

describe('two mistakes in a list', () => {
  const attempt = (): Attempt => ({
    method: 'GET',
    path: `/v0/map/${map}/locations`,
    query: '',
    token: undefined,
    type: undefined,
    key: '',
    body: '',
  });

  for (const { earlier, later, expected, first, second } of pairs(LIST_FAULTS)) {
    it(`${earlier} takes precedence over ${later}`, async () => {
      const request = attempt();
      second(request);
      first(request);
      expectFound(await send(request), expected);
    });
  }
});

describe('two mistakes in a deletion', () => {
  for (const [name, path, expected] of [
    ['an unknown map', () => `/v0/map/unknown/location/${location}`, '403 403'],
    ['a deleted map', () => `/v0/map/${deletedMap}/location/${location}`, '403 403'],
    ['an unknown location', () => `/v0/map/${map}/location/unknown`, '403 403'],
  ] as const) {
    it(`the scope takes precedence over ${name}`, async () => {
      expectFound(await server.request('DELETE', path(), { token: reader }), expected);
    });
  }

  it('the deleted map takes precedence over its unknown location', async () => {
    for (const method of ['GET', 'DELETE']) {
      expectFound(await server.request(method, `/v0/map/${deletedMap}/location/unknown`), '400 410');
    }
  });
});
