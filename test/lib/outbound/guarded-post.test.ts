/** Posts to addresses from clients: which ones are connected to, and which never are. */

import { readFileSync } from 'node:fs';
import type { LookupAddress } from 'node:dns';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

import type { GuardedPost, GuardedPostOptions } from '../../../src/lib/outbound/guarded-post.ts';
import { createGuardedPost } from '../../../src/lib/outbound/guarded-post.ts';
import type { PostResponse } from '../../../src/lib/outbound/post.ts';
import type { Behaviour, Receiver } from '../../support/receiver.ts';
import { answersHalf, hangs, resets, startReceiver } from '../../support/receiver.ts';

const REFUSED = { failure: 'refused', code: 'ADDRESS_REFUSED' };
const FIXTURES = new URL('fixtures/', import.meta.url);

describe('a guarded post', () => {
  let open: GuardedPost[] = [];
  afterEach(() => {
    for (const each of open) each.close();
    open = [];
  });

  const guarded = (options: Partial<GuardedPostOptions> = {}): GuardedPost => {
    const made = createGuardedPost({ allowsPrivate: false, ...options });
    open.push(made);
    return made;
  };
  const post = (
    url: string,
    options: Partial<GuardedPostOptions> = {},
    timeoutMs = 5_000,
    signal = new AbortController().signal,
  ): Promise<PostResponse> =>
    guarded(options).post(
      {
        url: new URL(url),
        headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json' },
        body: '{}',
      },
      timeoutMs,
      signal,
    );
  /** Resolves names to these addresses, and records the lookups. */
  const names = (...responses: readonly (readonly string[])[]) => {
    const lookups: string[] = [];
    return {
      lookups,
      resolve: (hostname: string): Promise<LookupAddress[]> => {
        const addresses = responses[Math.min(lookups.length, responses.length - 1)] ?? [];
        lookups.push(hostname);
        return Promise.resolve(
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
    };
  };

  describe('to a private address', () => {
    /** Counts the connections. */
    let connections: number;
    let port: number;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    beforeAll(async () => {
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      ({ port } = server.address() as AddressInfo);
    });
    beforeEach(() => {
      connections = 0;
    });
    afterAll(() => void server.close());

    it.each(['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', '0.0.0.0'])(
      'in the URL, as %s, is refused',
      async (host) => {
        expect(await post(`https://${host}:${port}/`)).toEqual(REFUSED);
        expect(connections).toBe(0);
      },
    );

    it.each([
      ['one', ['127.0.0.1']],
      ['an IPv6 address', ['::1']],
      ['an IPv4-mapped address', ['::ffff:127.0.0.1']],
      ['one after a routable one', ['93.184.216.34', '127.0.0.1']],
      ['one before a routable one', ['127.0.0.1', '93.184.216.34']],
    ])('from a lookup, %s, is refused', async (_what, addresses) => {
      const { resolve, lookups } = names(addresses);
      expect(await post(`https://hooks.test:${port}/`, { resolve })).toEqual(REFUSED);
      expect([lookups, connections]).toEqual([['hooks.test'], 0]);
    });

    it('from a later lookup of the same name is refused', async () => {
      const { resolve, lookups } = names(['127.0.0.1'], ['127.0.0.1', '::1']);
      const { post: send } = guarded({ resolve });
      const url = new URL(`https://hooks.test:${port}/`);
      const signal = new AbortController().signal;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await send({ url, headers: {}, body: '' }, 5_000, signal)).toEqual(REFUSED);
      }
      expect([lookups.length, connections]).toEqual([2, 0]);
    });

    it('is looked up once per connection, which uses the checked address', async () => {
      const { resolve, lookups } = names(['127.0.0.1'], ['203.0.113.1']);
      const response = await post(`https://hooks.test:${port}/`, { resolve, allowsPrivate: true });
      expect(response).toMatchObject({ failure: 'disconnected' });
      expect([lookups.length, connections]).toEqual([1, 1]);
    });

    it('over http, except to this machine, is refused', async () => {
      for (const url of ['http://10.0.0.1/', 'http://example.org/', 'http://hooks.test/']) {
        expect(await post(url, { allowsPrivate: true, ...names(['127.0.0.1']) })).toEqual(REFUSED);
      }
    });

    it('is allowed when the operator allows it', async () => {
      await post(`https://127.0.0.1:${port}/`, { allowsPrivate: true });
      expect(connections).toBe(1);
    });
  });

  describe('over http to this machine', () => {
    let receiver: Receiver;
    beforeEach(async () => {
      receiver = await startReceiver();
    });
    afterEach(() => receiver.close());

    it('returns the status of the response', async () => {
      receiver.behave(() => 202);
      expect(await post(receiver.url)).toEqual({ status: 202, retryAfterSeconds: undefined });
      const [message] = receiver.received.all;
      expect([message?.id, message?.body]).toEqual(['msg_1', '{}']);
      expect(await post(receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 202 });
    });

    it('returns the delay of Retry-After, in seconds or as a date', async () => {
      const now = Date.parse('2030-01-31T12:00:00Z');
      for (const value of ['120', 'Thu, 31 Jan 2030 12:02:00 GMT']) {
        receiver.behave(({ response }) => void response.writeHead(503, { 'retry-after': value }).end());
        expect(await post(receiver.url, { clock: () => now })).toEqual({
          status: 503,
          retryAfterSeconds: 120,
        });
      }
    });

    it('caps Retry-After at about thirty years', async () => {
      for (const value of ['9007199254740993', '9'.repeat(400), 'Fri, 31 Dec 9999 12:00:00 GMT']) {
        receiver.behave(({ response }) => void response.writeHead(503, { 'retry-after': value }).end());
        expect(await post(receiver.url)).toEqual({ status: 503, retryAfterSeconds: 1e9 });
      }
    });

    it('follows no redirect', async () => {
      receiver.behave(
        ({ response }) => void response.writeHead(307, { location: `${receiver.url}/2` }).end(),
      );
      expect(await post(receiver.url)).toMatchObject({ status: 307 });
      expect(receiver.received.all.map(({ path }) => path)).toEqual(['/hook']);
    });

    it('stops reading a long response, and still returns its status', async () => {
      receiver.behave(({ response }) => {
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
          response.once('drain', write);
        };
        response.writeHead(200);
        write();
      });
      expect(await post(receiver.url)).toMatchObject({ status: 200 });
    });

    it.each<[string, Behaviour]>([
      ['breaks off', answersHalf],
      ['does not end in time', ({ response }) => void response.writeHead(200).write('x')],
      [
        'does not match its Content-Encoding',
        ({ response }) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      ],
    ])('returns the status of a response whose body %s', async (_what, behaviour) => {
      receiver.behave(behaviour);
      expect(await post(receiver.url, {}, 300)).toEqual({ status: 200, retryAfterSeconds: undefined });
    });

    it.each([
      ['resets the connection', resets, { failure: 'disconnected', code: 'ECONNRESET' }],
      ['never responds', hangs, { failure: 'timeout', code: 'ETIMEDOUT (request)' }],
    ] as const)('fails when the receiver %s', async (_what, behaviour, failure) => {
      receiver.behave(behaviour);
      expect(await post(receiver.url, {}, 300)).toMatchObject(failure);
    });

    it('fails when nothing listens', async () => {
      await receiver.close();
      expect(await post(receiver.url)).toEqual({ failure: 'disconnected', code: 'ECONNREFUSED' });
    });

    it('ends when aborted', async () => {
      receiver.behave(hangs);
      const ending = new AbortController();
      const sent = post(receiver.url, {}, 60_000, ending.signal);
      await receiver.received.until(1);
      ending.abort(new Error('Over.'));
      await expect(sent).rejects.toThrow('Over.');
    });
  });

  describe('over https', () => {
    it('fails for an untrusted certificate', async () => {
      const read = (name: string) => readFileSync(new URL(name, FIXTURES));
      let requests = 0;
      const server = createTlsServer(
        { key: read('self-signed.key.pem'), cert: read('self-signed.pem') },
        (_request, response) => {
          requests += 1;
          response.end();
        },
      );
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const { port } = server.address() as AddressInfo;
      expect(
        await post(`https://hooks.test:${port}/`, { allowsPrivate: true, ...names(['127.0.0.1']) }),
      ).toEqual({ failure: 'disconnected', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
      expect(requests).toBe(0);
      server.close();
    });

    it('fails for a name that is unknown or has no address', async () => {
      expect(await post('https://hooks.test/', names([]))).toEqual({
        failure: 'disconnected',
        code: 'ENOTFOUND',
      });
      const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ESERVFAIL' }));
      expect(await post('https://hooks.test/', { resolve })).toEqual({
        failure: 'disconnected',
        code: 'ESERVFAIL',
      });
    });

    it('fails soon when a lookup never completes', async () => {
      const resolve = () => new Promise<never>(() => {});
      // Keeps the process alive, as a listening server would.
      const alive = setInterval(() => {}, 1_000);
      expect(await post('https://hooks.test/', { resolve }, 50)).toMatchObject({ failure: 'timeout' });
      clearInterval(alive);
    });
  });
});
