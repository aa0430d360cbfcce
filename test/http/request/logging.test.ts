/** Log lines of requests. */

import { pino } from 'pino';

import { RequestLog } from '../../../src/http/request/logging.ts';
import { createObservers } from '../../../src/app/observability/observers.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { StorageProxy } from '../../support/storage-proxy.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { createMap } from '../../support/v0.ts';

type Line = Record<string, unknown>;

describe("a request's logger", () => {
  it('adds the id to every line, whatever the form of the call', () => {
    const lines: Line[] = [];
    const logger = pino(
      { level: 'trace', base: null },
      { write: (line) => void lines.push(JSON.parse(line) as Line) },
    );
    const log = new RequestLog(logger, 'id');
    log.info('text %s', 'more');
    log.warn({ a: 1 }, 'object');
    log.error(new Error('thrown'));
    log.child({ b: 2 }).debug('of a child');
    expect(lines.map(({ requestId, msg }) => [requestId, msg])).toEqual([
      ['id', 'text more'],
      ['id', 'object'],
      ['id', 'thrown'],
      ['id', 'of a child'],
    ]);
    expect(lines[2]).toMatchObject({ err: { message: 'thrown' } });
  });
});

describe('the log of a server', () => {
  let server: TestServer;
  let store: StorageProxy;
  let map: string;

  beforeAll(async () => {
    store = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1_000 }));
    server = await createTestServer({}, { storage: store.storage });
    map = await createMap(server);
  });
  afterAll(() => server.close());
  afterEach(() => store.fail('getMaps', null));

  const linesOf = (requestId: string, message: string) =>
    server.log
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line['requestId'] === requestId && line['msg'] === message);

  const send = (requestId: string, url: string, body?: unknown, token?: string | null) =>
    server.request(body === undefined ? 'GET' : 'POST', url, {
      body,
      token,
      headers: { 'x-request-id': requestId },
    });

  it('names the caller, the operation, the result and the duration', async () => {
    await send('v0', `/v0/map/${map}`);
    const [rest] = linesOf('v0', 'Request completed');
    expect(rest).toMatchObject({ owner: 'tester', operation: 'V0Map', status: 200, path: `/v0/map/${map}` });
    expect(rest).not.toHaveProperty('code');
    expect(Number.isInteger(rest?.['ms'])).toBe(true);
    expect(String(rest?.['tokenId'])).not.toMatch(/^mlt_/);

    await send('graphql', '/graphql', { query: 'query Mine { map(id: "unknown") { id } }' });
    expect(linesOf('graphql', 'Request completed')).toMatchObject([
      { owner: 'tester', operation: 'Mine', status: 200, code: 'MAP_NOT_FOUND' },
    ]);
    await send('refused', `/v0/map/${map}`, undefined, 'wrong');
    expect(linesOf('refused', 'Request completed')).toMatchObject([{ status: 401, code: 'UNAUTHENTICATED' }]);
  });

  it('has the code of a rejected document', async () => {
    const fields = Array.from({ length: 60 }, (_, index) => `a${index}: __typename`).join(' ');
    await send('costly', '/graphql', { query: `{ ${fields} }` });
    expect(linesOf('costly', 'Request completed')).toMatchObject([
      { status: 400, code: 'GRAPHQL_VALIDATION_FAILED' },
    ]);
  });

  it('has unexpected errors of both endpoints under the id in their message', async () => {
    store.fail('getMaps', new Error('inside'));
    const { json: rest } = await send('fails-v0', `/v0/map/${map}`);
    expect(rest.message).toBe('Internal server error (request fails-v0).');
    expect(linesOf('fails-v0', 'A request failed')).toMatchObject([
      { owner: 'tester', operation: 'V0Map', code: 'INTERNAL_SERVER_ERROR', err: { message: 'inside' } },
    ]);
    // The first goes through Apollo Server, the second bypasses it.
    for (const requestId of ['unknown-operation', 'known-operation']) {
      const query = `query Known { map(id: "${map}") { id name } }`;
      const { json } = await send(requestId, '/graphql', { query });
      expect(json.errors[0].message).toBe(`Internal server error (request ${requestId}).`);
      expect(linesOf(requestId, 'An operation failed')).toMatchObject([
        { owner: 'tester', operation: 'Known', err: { message: 'inside' } },
      ]);
    }
  });
});

describe("a request's log line", () => {
  it('has its id, and whole milliseconds', () => {
    const lines: Line[] = [];
    const logger = pino(
      { level: 'debug', base: null, timestamp: false },
      { write: (line) => void lines.push(JSON.parse(line) as Line) },
    );
    const observers = createObservers(logger, null);
    observers.onGeocode?.({
      provider: 'google',
      outcome: 'found',
      milliseconds: 12.7,
      isCacheHit: false,
      requestId: 'a',
    });
    observers.onGeocodeCacheFailure?.(new Error('x'), 'b');
    observers.onAuditFailure?.(new Error('x'), 'c');
    observers.onStorageCommand?.({ command: 'find', milliseconds: 1.4, isFailed: false, requestId: 'd' });
    observers.onIssuerFailure?.(new Error('x'), 'e');
    expect(lines.map(({ requestId, ms }) => [requestId, ms])).toEqual([
      ['a', 13],
      ['b', undefined],
      ['c', undefined],
      ['d', 1],
      ['e', undefined],
    ]);
  });
});
