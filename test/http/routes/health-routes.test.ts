/** GET /readyz: whether the process should receive requests. */

import { setTimeout as delay } from 'node:timers/promises';

import type { Environment } from '../../../src/app/config.ts';
import { storageUnavailable } from '../../../src/errors.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import type { StorageProxy } from '../../support/storage-proxy.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';

describe('GET /readyz', () => {
  let server: TestServer;
  let store: StorageProxy;
  /** If set, pings wait for it. */
  let hanging: Promise<unknown> | null;

  const open = async (environment: Environment = {}) => {
    hanging = null;
    store = proxyStorage(await openStorage('sqlite::memory:', { timeoutMs: 1_000 }), {
      before: ({ method }) => (method === 'ping' ? (hanging ?? undefined) : undefined),
    });
    server = await createTestServer(environment, { storage: store.storage });
  };
  beforeEach(() => open());
  afterEach(() => server.close());

  const send = (url = '/readyz', method = 'GET') => server.request(method, url, { token: null });
  const pings = () => store.calls.filter(({ method }) => method === 'ping').length;

  it('is 200 while the storage responds, also with a trailing slash and for HEAD', async () => {
    const response = await send();
    expect([response.status, response.text]).toEqual([200, '{"status":"ready"}']);
    expect((await send('/readyz/')).status).toBe(200);
    const head = await send('/readyz', 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('is 503 with the reason while the storage does not respond, and then 200 again', async () => {
    store.fail('ping', storageUnavailable());
    const response = await send();
    expect([response.status, response.json]).toEqual([
      503,
      { status: 'not ready', reason: 'The database cannot be reached at the moment.' },
    ]);
    expect((await send('/healthz')).status).toBe(200);
    store.fail('ping', null);
    expect((await send()).status).toBe(200);
  });

  it('reveals nothing internal when the storage fails unexpectedly, and logs the error', async () => {
    store.fail('ping', new Error('secret-path'));
    const response = await send();
    expect([response.status, response.json.reason]).toEqual([503, 'The database failed.']);
    expect(server.log.some((line) => line.includes('secret-path'))).toBe(true);
  });

  it('does not hang when the storage hangs, nor when it recovers', async () => {
    await server.close();
    await open({ DATABASE_TIMEOUT_MS: '50' });
    hanging = new Promise(() => {});
    const response = await send();
    expect([response.status, response.json.reason]).toEqual([
      503,
      'The database cannot be reached at the moment.',
    ]);
    hanging = null;
    expect((await send()).status).toBe(200);
  });

  it('pings once for concurrent requests', async () => {
    let response = () => {};
    hanging = new Promise<void>((resolve) => {
      response = resolve;
    });
    const asked = Array.from({ length: 20 }, () => send());
    while (pings() === 0) await delay(1);
    response();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(pings()).toBe(1);
    hanging = null;
    await send();
    expect(pings()).toBe(2);
  });

  it('is 503 while the process drains, even for pending requests; /healthz is 200', async () => {
    let response = () => {};
    hanging = new Promise<void>((resolve) => {
      response = resolve;
    });
    const before = send();
    while (pings() === 0) await delay(1);
    server.app.readiness.drain();
    response();
    for (const { status, json } of [await before, await send()]) {
      expect([status, json.reason]).toEqual([503, 'The server is stopping.']);
    }
    expect((await send('/healthz')).status).toBe(200);
  });

  it('needs no token, and has no rate limit', async () => {
    const limited = await createTestServer({ RATE_LIMIT: '1' });
    try {
      for (let count = 0; count < 5; count += 1) {
        expect((await limited.request('GET', '/readyz', { token: 'wrong' })).status).toBe(200);
      }
    } finally {
      await limited.close();
    }
  });
});
