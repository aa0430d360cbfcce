/** Posts to addresses that clients have chosen: what is connected to, and what never is. */

import { readFileSync } from 'node:fs';
import type { LookupAddress } from 'node:dns';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

import type { GuardedPost, GuardedPostOptions } from '../../src/lib/outbound/guarded-post.ts';
import { createGuardedPost } from '../../src/lib/outbound/guarded-post.ts';
import type { PostResponse } from '../../src/lib/outbound/post.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { answersHalf, hangs, resets, startReceiver } from '../support/receiver.ts';

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
  /** Gives the names their addresses, and says what was asked. */
  const names = (...responses: readonly (readonly string[])[]) => {
    const asked: string[] = [];
    return {
      asked,
      resolve: (hostname: string): Promise<LookupAddress[]> => {
        const addresses = responses[Math.min(asked.length, responses.length - 1)] ?? [];
        asked.push(hostname);
        return Promise.resolve(
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
    };
  };

  describe('to a private address', () => {
    /** Counts who connects. */
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
      'that stands in the URL, as %s, is refused',
      async (host) => {
        expect(await post(`https://${host}:${port}/`)).toEqual(REFUSED);
        expect(connections).toBe(0);
      },
    );

    it.each([
      ['one', ['127.0.0.1']],
      ['one of IPv6', ['::1']],
      ['one mapped into IPv6', ['::ffff:127.0.0.1']],
      ['one beside a routable one', ['93.184.216.34', '127.0.0.1']],
      ['one before a routable one', ['127.0.0.1', '93.184.216.34']],
    ])('that a name gives, %s, is refused', async (_what, addresses) => {
      const { resolve, asked } = names(addresses);
      expect(await post(`https://hooks.test:${port}/`, { resolve })).toEqual(REFUSED);
      expect([asked, connections]).toEqual([['hooks.test'], 0]);
    });

    it('that a name gives only later is refused then', async () => {
      const { resolve, asked } = names(['127.0.0.1'], ['127.0.0.1', '::1']);
      const { post: send } = guarded({ resolve });
      const url = new URL(`https://hooks.test:${port}/`);
      const signal = new AbortController().signal;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await send({ url, headers: {}, body: '' }, 5_000, signal)).toEqual(REFUSED);
      }
      expect([asked.length, connections]).toEqual([2, 0]);
    });

    it('is looked up once for a connection: what was looked at is what is connected to', async () => {
      const { resolve, asked } = names(['127.0.0.1'], ['203.0.113.1']);
      const response = await post(`https://hooks.test:${port}/`, { resolve, allowsPrivate: true });
      expect(response).toMatchObject({ failure: 'disconnected' });
      expect([asked.length, connections]).toEqual([1, 1]);
    });

    it('by http, but to this machine, is refused', async () => {
      for (const url of ['http://10.0.0.1/', 'http://example.org/', 'http://hooks.test/']) {
        expect(await post(url, { allowsPrivate: true, ...names(['127.0.0.1']) })).toEqual(REFUSED);
      }
    });

    it('is let in where the operator allows it', async () => {
      await post(`https://127.0.0.1:${port}/`, { allowsPrivate: true });
      expect(connections).toBe(1);
    });
  });

  describe('by http to this machine', () => {
    let receiver: Receiver;
    beforeEach(async () => {
      receiver = await startReceiver();
    });
    afterEach(() => receiver.close());

    it('says what was answered', async () => {
      receiver.behave(() => 202);
      expect(await post(receiver.url)).toEqual({ status: 202, retryAfterSeconds: undefined });
      const [message] = receiver.received.all;
      expect([message?.id, message?.body]).toEqual(['msg_1', '{}']);
      expect(await post(receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 202 });
    });

    it('says how long the receiver asks to wait, as seconds or as a date', async () => {
      const now = Date.parse('2030-01-31T12:00:00Z');
      for (const value of ['120', 'Thu, 31 Jan 2030 12:02:00 GMT']) {
        receiver.behave(({ response }) => void response.writeHead(503, { 'retry-after': value }).end());
        expect(await post(receiver.url, { clock: () => now })).toEqual({
          status: 503,
          retryAfterSeconds: 120,
        });
      }
    });

    it('takes the longest time to wait for some thirty years', async () => {
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

    it('does not read on in an answer that is long, and knows its status all the same', async () => {
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
        'is not in the encoding that it says',
        ({ response }) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      ],
    ])('knows the status of an answer whose body %s', async (_what, behaviour) => {
      receiver.behave(behaviour);
      expect(await post(receiver.url, {}, 300)).toEqual({ status: 200, retryAfterSeconds: undefined });
    });

    it.each([
      ['resets the connection', resets, { failure: 'disconnected', code: 'ECONNRESET' }],
      ['answers nothing', hangs, { failure: 'timeout', code: 'ETIMEDOUT (request)' }],
    ] as const)('fails where the receiver %s', async (_what, behaviour, failure) => {
      receiver.behave(behaviour);
      expect(await post(receiver.url, {}, 300)).toMatchObject(failure);
    });

    it('fails where nobody listens', async () => {
      await receiver.close();
      expect(await post(receiver.url)).toEqual({ failure: 'disconnected', code: 'ECONNREFUSED' });
    });

    it('ends when it is told to', async () => {
      receiver.behave(hangs);
      const ending = new AbortController();
      const sent = post(receiver.url, {}, 60_000, ending.signal);
      await receiver.received.until(1);
      ending.abort(new Error('Over.'));
      await expect(sent).rejects.toThrow('Over.');
    });
  });

  describe('by https', () => {
    it('fails where the certificate is nobody’s', async () => {
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

    it('fails where the name has no address, or is not known', async () => {
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

    it('gives a name that is never looked up to its end little time', async () => {
      const resolve = () => new Promise<never>(() => {});
      // As a server that listens does, it keeps the process from its end.
      const alive = setInterval(() => {}, 1_000);
      expect(await post('https://hooks.test/', { resolve }, 50)).toMatchObject({ failure: 'timeout' });
      clearInterval(alive);
    });
  });
});
