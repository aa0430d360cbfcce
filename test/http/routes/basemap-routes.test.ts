import { once } from 'node:events';
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { makeArchive, rectangle } from '../../support/pmtiles.ts';
import { createPublishedMap } from '../../support/published-map.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const HOLLAND = [3, 51, 7, 54] as const;
const FILE = makeArchive({ bounds: HOLLAND, layers: { earth: [rectangle(HOLLAND)] } });
const OTHER_FILE = makeArchive({ bounds: HOLLAND, layers: { water: [rectangle(HOLLAND)] }, maxZoom: 3 });
const SIZE = FILE.length;
const PATH = '/basemap.pmtiles';

let folder: string;
let path: string;
let server: TestServer;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'map-locations-'));
  path = join(folder, 'streets.pmtiles');
  writeFileSync(path, FILE);
  server = await createTestServer({ BASEMAP_FILE: path, CORS_ORIGINS: 'https://a.example', RATE_LIMIT: '1' });
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => replaceBy(FILE));
afterEach(() => untilClosed());

/** By a rename, as the documentation says. */
function replaceBy(content: Buffer | string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function open(headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
  const sent = httpRequest({ port, path: PATH, method, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function send(headers: Record<string, string> = {}, method = 'GET'): Promise<Received> {
  const response = await open(headers, method);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

/** Descriptors that this process has of the file, also of one that was replaced. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(path);
    } catch {
      // That of the listing itself.
      return false;
    }
  }).length;
}

const untilClosed = () => until(() => openDescriptors() === 0, 'the file is closed');

describe('the basemap file', () => {
  it('is served whole to anyone, without a token, a rate limit or compression', async () => {
    const more: readonly Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { 'accept-encoding': 'br, gzip' },
    ];
    for (const extra of more) {
      const { status, headers, body } = await send(extra);
      expect([status, body.equals(FILE)]).toEqual([200, true]);
      expect(headers).toMatchObject({
        'content-type': 'application/vnd.pmtiles',
        'content-length': String(SIZE),
        'accept-ranges': 'bytes',
        'cache-control': 'public, no-cache, no-transform',
        etag: expect.stringMatching(/^"[^"]+"$/) as unknown,
        'last-modified': expect.stringMatching(/ GMT$/) as unknown,
        'x-content-type-options': 'nosniff',
      });
      expect(headers).not.toHaveProperty('content-encoding');
    }
  });

  it('may be read by pages of any origin, also of an opaque one', async () => {
    for (const origin of ['null', 'https://a.example', 'https://b.example']) {
      const { headers } = await send({ origin, range: 'bytes=0-9' });
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(headers['access-control-expose-headers']).toMatch(/\bETag\b.*\bContent-Range\b/);
    }
    const preflight = { origin: 'null', 'access-control-request-method': 'GET' };
    const { status, headers } = await send(
      { ...preflight, 'access-control-request-headers': 'range' },
      'OPTIONS',
    );
    expect([status, headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': expect.stringMatching(/\bRange\b/) as unknown,
      },
    ]);
  });

  const ranges: readonly (readonly [range: string, start: number, end: number])[] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-126', 0, 126],
    ['bytes=100-', 100, SIZE - 1],
    ['bytes=-7', SIZE - 7, SIZE - 1],
    [`bytes=-${SIZE * 2}`, 0, SIZE - 1],
    // Longer than the file: what there is.
    ['bytes=0-999999999', 0, SIZE - 1],
    ['bytes=0-99999999999999999999999', 0, SIZE - 1],
    ['BYTES=1-2', 1, 2],
    [`bytes=${SIZE - 1}-${SIZE}`, SIZE - 1, SIZE - 1],
  ];
  it.each(ranges)('sends %s as a part', async (range, start, end) => {
    const { status, headers, body } = await send({ range, 'accept-encoding': 'gzip' });
    expect([status, headers['content-range'], headers['content-length']]).toEqual([
      206,
      `bytes ${start}-${end}/${SIZE}`,
      String(end - start + 1),
    ]);
    expect(body.equals(FILE.subarray(start, end + 1))).toBe(true);
  });

  it.each(['bytes=0-1,4-5', 'bytes=5-4', 'bytes=-', 'bytes=a-b', 'bytes=1', 'lines=0-1', 'bytes=0-1x', ''])(
    'sends the whole for %j',
    async (range) => {
      const { status, headers, body } = await send({ range });
      expect([status, headers['content-range'], body.length]).toEqual([200, undefined, SIZE]);
    },
  );

  it.each([`bytes=${SIZE}-`, `bytes=${SIZE}-${SIZE + 1}`, 'bytes=99999999999999999999-', 'bytes=-0'])(
    'cannot satisfy %s',
    async (range) => {
      const { status, headers, body } = await send({ range });
      expect([status, headers['content-range'], body.length]).toEqual([416, `bytes */${SIZE}`, 0]);
    },
  );

  it('sends a part for If-Range only if it is of this very file', async () => {
    const range = 'bytes=0-9';
    const { headers: first } = await send({ range });
    const etag = String(first.etag);
    const statusOf = async (ifRange: string) => (await send({ range, 'if-range': ifRange })).status;
    expect(await statusOf(etag)).toBe(206);
    for (const other of ['"another"', `W/${etag}`, String(first['last-modified']), '*', `${etag}, "b"`])
      expect([other, await statusOf(other)]).toEqual([other, 200]);
    replaceBy(OTHER_FILE);
    const { status, headers, body } = await send({ range, 'if-range': etag });
    expect([status, body.equals(OTHER_FILE)]).toEqual([200, true]);
    expect(headers.etag).not.toBe(etag);
  });

  it('need not be sent again', async () => {
    const { headers } = await send({ range: 'bytes=0-9' });
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const { status, headers: again, body } = await send({ 'if-none-match': known, range: 'bytes=0-9' });
      expect([status, again.etag, body.length]).toEqual([304, etag, 0]);
    }
    expect((await send({ 'if-none-match': '"a"' })).status).toBe(200);
    expect((await send({ 'if-none-match': '"a"', range: 'bytes=0-9' })).status).toBe(206);
  });

  it('has another ETag when it is replaced by a file of the same size and time', async () => {
    const time = new Date('2026-01-01T00:00:00Z');
    utimesSync(path, time, time);
    const before = await send({}, 'HEAD');
    writeFileSync(`${path}.new`, FILE);
    utimesSync(`${path}.new`, time, time);
    renameSync(`${path}.new`, path);
    const after = await send({}, 'HEAD');
    expect(after.headers['last-modified']).toBe(before.headers['last-modified']);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('has the headers of GET for HEAD, which has no ranges', async () => {
    const { headers: got } = await send();
    const { status, headers, body } = await send({ range: 'bytes=0-9' }, 'HEAD');
    const { date: _date, 'x-request-id': _id, ...common } = got;
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers).toMatchObject(common);
  });

  it('allows no other method', async () => {
    const { status, headers } = await send({}, 'DELETE');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('may have 10 GB, of which a range reads no more than it sends', async () => {
    const size = 10 * 1024 ** 3;
    truncateSync(path, size);
    const head = await send({}, 'HEAD');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(size)]);
    const { status, headers, body } = await send({ range: `bytes=${size - 5}-` });
    expect([status, headers['content-range'], body]).toEqual([
      206,
      `bytes ${size - 5}-${size - 1}/${size}`,
      Buffer.alloc(5),
    ]);
  });

  it('is closed when a client leaves in the middle', async () => {
    truncateSync(path, 10 * 1024 ** 3);
    const responses = await Promise.all(Array.from({ length: 20 }, () => open()));
    expect(openDescriptors()).toBe(20);
    for (const response of responses) response.destroy();
    await untilClosed();
  });

  it('is closed when a client leaves before the response', async () => {
    for (let count = 0; count < 20; count += 1) {
      const sent = httpRequest({ port, path: PATH, agent: false }).on('error', () => {});
      const closed = new Promise<void>((resolve) => {
        sent.once('close', () => resolve());
      });
      sent.end(() => sent.destroy());
      await closed;
    }
    await untilClosed();
  });

  it('ends the connection if it is cut while it is sent, so that no client waits for the rest', async () => {
    const descriptor = openSync(path, 'r+');
    ftruncateSync(descriptor, 1024 ** 3);
    const response = await open();
    ftruncateSync(descriptor, SIZE);
    closeSync(descriptor);
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow(/aborted/);
  });

  it('is unavailable while it cannot be read, which is logged once', async () => {
    server.log.length = 0;
    rmSync(path);
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await send({ range: 'bytes=0-9' });
      expect([status, headers['retry-after'], headers['access-control-allow-origin']]).toEqual([
        503,
        '60',
        '*',
      ]);
    }
    replaceBy('text');
    expect((await send()).status).toBe(503);
    replaceBy(FILE);
    expect((await send()).status).toBe(200);
    const lines = server.log.map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(
      lines.filter(({ msg }) => msg.startsWith('BASEMAP_FILE')).map(({ level, msg }) => [level, msg]),
    ).toEqual([
      [50, expect.stringMatching(/reading it failed \(ENOENT\); the pages show the built-in map alone$/)],
      [50, expect.stringMatching(/does not begin with "PMTiles"; the pages show/)],
      [30, 'BASEMAP_FILE is usable again'],
    ]);
  });
});

describe('the pages of a server with a basemap file', () => {
  const configOf = async (url: string) => {
    const { text } = await server.request('GET', url, { token: null });
    const [, json = ''] = /id="config">(.*?)<\/script>/.exec(text) ?? [];
    return JSON.parse(json) as { tiles: unknown };
  };
  let urls: readonly string[];
  beforeAll(async () => {
    const { mapId } = await createPublishedMap(server);
    urls = [`/maps/${mapId}`, `/maps/${mapId}?embed=1`, '/maps/unknown', '/console'];
  });

  it('say where it is, with its bounds and attribution', async () => {
    for (const url of urls) {
      expect((await configOf(url)).tiles).toEqual({
        kind: 'file',
        url: url === '/console' ? './basemap.pmtiles' : '../basemap.pmtiles',
        bounds: { west: 3, south: 51, east: 7, north: 54 },
        attribution: [
          { text: 'Protomaps', href: 'https://github.com/protomaps/basemaps' },
          { text: ' © ', href: null },
          { text: 'OpenStreetMap', href: 'https://www.openstreetmap.org/copyright' },
        ],
      });
    }
  });

  it('allow nothing more by their policy', async () => {
    const plain = await createTestServer();
    for (const url of ['/maps/unknown', '/console']) {
      const [one, other] = await Promise.all(
        [server, plain].map((asked) => asked.request('GET', url, { token: null })),
      );
      expect(one?.headers['content-security-policy']).toBe(other?.headers['content-security-policy']);
    }
    await plain.close();
  });

  it('have the built-in map alone while it cannot be read', async () => {
    rmSync(path);
    for (const url of urls) expect((await configOf(url)).tiles).toBeNull();
  });

  it('show the attribution of TILE_ATTRIBUTION instead of the file’s', async () => {
    const own = await createTestServer({ BASEMAP_FILE: path, TILE_ATTRIBUTION: '© [A](https://a.example/)' });
    const { text } = await own.request('GET', '/console', { token: null });
    expect(text).toContain(
      '"attribution":[{"text":"© ","href":null},{"text":"A","href":"https://a.example/"}]',
    );
    await own.close();
  });
});

describe('a server without a basemap file', () => {
  it('has no such path', async () => {
    const plain = await createTestServer();
    expect((await plain.request('GET', PATH)).status).toBe(404);
    expect((await plain.request('DELETE', PATH)).status).toBe(404);
    await plain.close();
  });
});
