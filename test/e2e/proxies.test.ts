/**
 * The proxies of deploy/ in front of a server: ranges of the basemap's file pass through them unchanged, and links lead
 * through them, also below a prefix.
 */

import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../support/free-port.ts';
import type { Fetch } from '../support/ogc/crawl.ts';
import { crawlOgc, crawlTiles } from '../support/ogc/crawl.ts';
import { makeArchive, rectangle } from '../support/pmtiles.ts';
import type { Server, Settings } from '../support/program.ts';
import {
  createFolder,
  delay,
  killPrograms,
  ROOT,
  startPlainServer,
  startServer,
} from '../support/program.ts';
import { itUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const HOLLAND = [3, 51, 7, 54] as const;
const TIMEOUT_MS = 20_000;

const folder = createFolder();
const path = join(folder, 'streets.pmtiles');
const archive = makeArchive({ bounds: HOLLAND, layers: { earth: [rectangle(HOLLAND)] } });
const proxies = new Set<ChildProcess>();
let server: Server;

beforeAll(async () => {
  writeFileSync(path, archive);
  server = await startPlainServer(folder, { BASEMAP_FILE: path });
});
afterAll(killPrograms);
afterEach(() => {
  for (const proxy of proxies) proxy.kill('SIGKILL');
  proxies.clear();
  writeFileSync(`${path}.new`, archive);
  renameSync(`${path}.new`, path);
});

/** What a proxy forwards, and where to. */
interface Forwarding {
  readonly port: number;
  /** Port of the server. */
  readonly to: number;
  /** A path that the proxy removes, such as `/below`; empty for none. */
  readonly prefix: string;
}

/** Starts a proxy by the configuration that an operator would use, but without TLS and on a free port. */
const PROXIES = {
  nginx: ({ port, to, prefix }: Forwarding) => {
    const site = file('nginx-tls.conf')
      .replace(/^server \{\n {2}listen 80;[^}]*\}\n/m, '')
      .replaceAll(/^ *ssl_certificate.*\n/gm, '')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace('location / {', `location ${prefix}/ {`)
      // With a path, nginx replaces the prefix by it.
      .replace('127.0.0.1:4000', `127.0.0.1:${to}${prefix === '' ? '' : '/'}`);
    const conf = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      conf,
      `pid ${folder}/pid; error_log stderr; daemon off; events {} http { access_log off; ${temporary.join(' ')} ${site} }`,
    );
    return ['-p', folder, '-c', conf];
  },
  caddy: ({ port, to, prefix }: Forwarding) => {
    const conf = join(folder, 'Caddyfile');
    const site = file('Caddyfile')
      .replace(/^maps\.example\.org \{/m, `http://127.0.0.1:${port} {`)
      .replace('127.0.0.1:4000', `127.0.0.1:${to}`)
      .replace('reverse_proxy', prefix === '' ? 'reverse_proxy' : `handle_path ${prefix}/* {\nreverse_proxy`);
    writeFileSync(conf, `{\n\tadmin off\n}\n${site}${prefix === '' ? '' : '}'}`);
    return ['run', '--adapter', 'caddyfile', '--config', conf];
  },
};

function file(name: string): string {
  return readFileSync(join(ROOT, 'deploy', name), 'utf8');
}

/** @returns the address of the server through the proxy, when it forwards */
async function startProxy(
  name: keyof typeof PROXIES,
  { port, to, prefix }: Forwarding = { port: 0, to: server.port, prefix: '' },
): Promise<string> {
  const own = port === 0 ? await freePort() : port;
  const { PATH } = process.env;
  const proxy = spawn(name, PROXIES[name]({ port: own, to, prefix }), {
    env: { PATH, HOME: folder },
    stdio: 'ignore',
  });
  proxies.add(proxy);
  const url = `http://127.0.0.1:${own}${prefix}`;
  for (const deadline = performance.now() + TIMEOUT_MS; ; await delay(10)) {
    const response = await fetch(`${url}/healthz`).catch(() => null);
    if (response?.ok) return url;
    if (performance.now() > deadline || proxy.exitCode !== null) throw new Error(`${name} did not start.`);
  }
}

const fetchUrl: Fetch = async (url) => {
  const response = await fetch(url);
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
};

/** A server whose demo, a published map, is complete. */
async function startWithDemo(env: Settings): Promise<Server> {
  const app = await startServer({ cwd: createFolder(), env });
  await until(() => app.stdout().includes('Demo map'), 'the demo map');
  return app;
}

/** Follows all links of /ogc and of tiles, and reads a path that does not exist. */
async function expectLinks(base: string): Promise<void> {
  const rels = await crawlOgc(base, fetchUrl);
  expect([...rels]).toEqual(expect.arrayContaining(['self', 'alternate', 'items', 'next', 'collection']));
  const { collections } = JSON.parse((await fetchUrl(`${base}/ogc/collections`)).text) as {
    collections: readonly { id: string }[];
  };
  await crawlTiles(base, collections[0]!.id, fetchUrl);
  const unknown = await fetchUrl(`${base}/ogc/none`);
  expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
    404,
    { code: 'NOT_FOUND', description: expect.any(String) },
  ]);
  const noTile = await fetchUrl(`${base}/maps/${collections[0]!.id}/tiles/0/1/0.mvt`);
  expect([noTile.status, JSON.parse(noTile.text)]).toEqual([
    404,
    { error: 404, message: expect.any(String) },
  ]);
}

describe.each(['nginx', 'caddy'] as const)('%s', (name) => {
  const isMissing = spawnSync(name, ['-h']).error !== undefined;
  itUnless(isMissing && `needs ${name}`, 'leads links of /ogc and tiles through itself', async () => {
    const app = await startWithDemo({ TRUST_PROXY: 'loopback' });
    await expectLinks(await startProxy(name, { port: 0, to: app.port, prefix: '' }));
    await app.stop();
  });

  itUnless(isMissing && `needs ${name}`, 'leads links below a prefix that PUBLIC_URL has', async () => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}/below`;
    const app = await startWithDemo({ PUBLIC_URL: base });
    expect(await startProxy(name, { port, to: app.port, prefix: '/below' })).toBe(base);
    await expectLinks(base);
    await app.stop();
  });

  itUnless(isMissing && `needs ${name}`, 'passes on ranges of the basemap’s file', async () => {
    const url = `${await startProxy(name)}/basemap.pmtiles`;
    const read = (headers: Readonly<Record<string, string>>, method = 'GET') =>
      fetch(url, { method, headers: { 'accept-encoding': 'gzip', ...headers } });
    const whole = await read({});
    const etag = whole.headers.get('etag')!;
    expect([whole.status, whole.headers.get('accept-ranges'), etag]).toEqual([
      200,
      'bytes',
      expect.stringMatching(/^"/),
    ]);
    expect(whole.headers.get('content-encoding')).toBeNull();
    expect(archive.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);

    const part = await read({ range: 'bytes=100-299', 'if-range': etag });
    expect([part.status, part.headers.get('content-range'), part.headers.get('etag')]).toEqual([
      206,
      `bytes 100-299/${archive.length}`,
      etag,
    ]);
    expect(archive.subarray(100, 300).equals(Buffer.from(await part.arrayBuffer()))).toBe(true);
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
    expect((await read({ range: `bytes=${archive.length}-` })).status).toBe(416);
    const head = await read({}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(archive.length)]);
  });

  itUnless(isMissing && `needs ${name}`, 'passes on that the file was replaced', async () => {
    const url = `${await startProxy(name)}/basemap.pmtiles`;
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag')!;
    const replaced = makeArchive({ bounds: HOLLAND, layers: { water: [rectangle(HOLLAND)] } });
    writeFileSync(`${path}.new`, replaced);
    renameSync(`${path}.new`, path);
    const response = await fetch(url, { headers: { range: 'bytes=0-99', 'if-range': etag } });
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).not.toBe(etag);
    expect(replaced.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  });
});
