/** What every start prints: working addresses, the store, the geocoder, and warnings for the operator. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { VERSION } from '../../src/lib/version.ts';
import { aWebhook } from '../contract/storage/fixtures.ts';
import { makeArchive, rectangle } from '../support/pmtiles.ts';
import type { Server, Settings } from '../support/program.ts';
import { createFolder, delay, killPrograms, startPlainServer } from '../support/program.ts';
import { ALICE, inStore } from './prepared-map.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

afterAll(killPrograms);

async function printed(server: Server): Promise<string> {
  while (!server.stdout().endsWith('\n\n')) await delay(5);
  return server.stdout();
}

async function warningsOf(env: Settings, cwd = createFolder()): Promise<unknown[]> {
  const server = await startPlainServer(cwd, env);
  await printed(server);
  await server.stop();
  return server
    .log()
    .filter(({ level }) => level === 'warn')
    .map(({ msg }) => msg);
}

for (const workers of ['1', '2']) {
  describe(`a start with ${workers} process(es)`, () => {
    it('prints working page addresses once, the store and the geocoder', async () => {
      const cwd = createFolder();
      const server = await startPlainServer(cwd, { WORKERS: workers });
      const text = await printed(server);
      expect(text).toMatch(new RegExp(`^\\nMap Locations ${VERSION}\\n`));
      expect(text).toMatch(new RegExp(`^ {2}Start +${server.url}/$`, 'm'));
      expect(text).toMatch(new RegExp(`^ {2}GraphiQL +${server.url}/graphiql$`, 'm'));
      expect(text).toContain(`SQLite, ${join(cwd, 'store.db')}\n`);
      expect(text).toMatch(/^ {2}Geocoder +Google for maps with a key, else offline, to the town$/m);
      expect(text).toMatch(
        /^ {2}Basemap +built in, to the town; BASEMAP_FILE or TILE_URL gives it streets$/m,
      );
      const pages = [...text.matchAll(/^ {2}\S[\w ]+? +(http\S+)$/gm)].map(([, url]) => String(url));
      for (const url of pages.filter((page) => !/\/(graphql|v0)$/.test(page))) {
        expect([url, (await fetch(url, { headers: BROWSER })).status]).toEqual([url, 200]);
      }
      expect(pages).toHaveLength(new Set(pages).size);
      await server.stop();
    });
  });
}

describe('a start', () => {
  it('prints the redirect address to register at the provider, which need not be there', async () => {
    const server = await startPlainServer(createFolder(), {
      PUBLIC_URL: 'https://maps.example.org/base/',
      OIDC_ISSUER: 'http://localhost:9/realms/maps',
      OIDC_CLIENT_ID: 'maps',
      OIDC_CLIENT_SECRET: 'client secret',
      OIDC_LABEL: 'Museum account',
    });
    const text = await printed(server);
    expect(text).toMatch(
      /^ {2}Sign-in +Museum account; register this redirect address there: https:\/\/maps\.example\.org\/base\/auth\/callback$/m,
    );
    await server.stop();
    expect(text + server.stderr()).not.toContain('client secret');
  });

  it('names the host of the configured map tiles', async () => {
    const server = await startPlainServer(createFolder(), {
      TILE_URL: 'https://tiles.example.org/streets/{z}/{x}/{y}.png?key=secret',
    });
    expect(await printed(server)).toMatch(/^ {2}Basemap +tiles of https:\/\/tiles\.example\.org$/m);
    await server.stop();
  });

  it('checks the basemap file, and says what it has, once', async () => {
    const cwd = createFolder();
    const bounds = [4, 52, 5, 53] as const;
    writeFileSync(
      join(cwd, 'streets.pmtiles'),
      makeArchive({
        bounds,
        layers: { transportation: [rectangle(bounds)] },
        metadata: { attribution: null },
      }),
    );
    const server = await startPlainServer(cwd, { BASEMAP_FILE: 'streets.pmtiles', WORKERS: '2' });
    expect(await printed(server)).toMatch(
      /^ {2}Basemap +streets of BASEMAP_FILE, zooms 0 to 5, within 4, 52, 5, 53$/m,
    );
    await server.stop();
    const about = server.log().filter(({ msg }) => String(msg).startsWith('BASEMAP_FILE'));
    expect(about).toMatchObject([
      {
        level: 'info',
        minZoom: 0,
        maxZoom: 5,
        bounds: { west: 4, south: 52, east: 5, north: 53 },
        attribution: '',
      },
      { level: 'warn', msg: expect.stringMatching(/names no attribution/) as unknown },
      { level: 'warn', msg: expect.stringMatching(/has none of the layers/) as unknown },
    ]);
  });

  it('says how to create a token only while no token is usable', async () => {
    const cwd = createFolder();
    const hint = 'map-locations token create --owner NAME';
    const first = await startPlainServer(cwd);
    expect(await printed(first)).toContain(hint);
    await first.stop();
    const make = () => inStore(cwd, ({ services }) => services.tokens.createToken(ALICE));
    const { record } = await make();
    await inStore(cwd, ({ services }) => services.tokens.revokeToken(record.id));
    const second = await startPlainServer(cwd);
    expect(await printed(second)).toContain(hint);
    await second.stop();
    await make();
    const third = await startPlainServer(cwd);
    expect(await printed(third)).not.toContain('token create');
    await third.stop();
  });

  it('warns of each misspelt setting on a separate line, without its value', async () => {
    const warnings = await warningsOf({
      DATABSE_URL: 'sqlite:hidden.db',
      RATE_LIMT: '7',
      prot: '1',
      MY_PORT: '1',
      LANG: 'C',
    });
    expect(warnings).toEqual([
      'DATABSE_URL is not a setting and was ignored; did you mean DATABASE_URL?',
      'RATE_LIMT is not a setting and was ignored; did you mean RATE_LIMIT?',
      'prot is not a setting and was ignored; did you mean PORT?',
    ]);
  });

  it('warns of a provider configured without a key', async () => {
    expect(await warningsOf({ GEOCODER: 'google,mapbox,offline' })).toEqual([
      expect.stringMatching(/^GEOCODER lists google, but GOOGLE_API_KEY is not set/),
      expect.stringMatching(/^GEOCODER lists mapbox, but MAPBOX_ACCESS_TOKEN is not set/),
    ]);
    expect(await warningsOf({ GEOCODER: 'google', GOOGLE_API_KEY: 'k' })).toEqual([]);
    expect(await warningsOf({})).toEqual([]);
  });

  it('warns of keys that are stored unencrypted', async () => {
    const cwd = createFolder();
    await inStore(cwd, async ({ services }) => {
      const { token } = await services.tokens.createToken(ALICE);
      const caller = await services.tokens.authenticate(token);
      await services.maps.createMap({ caller }, { name: 'Cafés', geocodingApiKey: 'the-key' });
    });
    const line = 'API keys of maps are stored unencrypted; SECRET_KEY encrypts them';
    expect(await warningsOf({}, cwd)).toEqual([line]);
    expect(await warningsOf({ SECRET_KEY: 'x'.repeat(32) }, cwd)).toEqual([]);
  });

  it('warns of webhooks’ secrets that are stored unencrypted', async () => {
    const cwd = createFolder();
    await inStore(cwd, async ({ storage, services }) => {
      const { token } = await services.tokens.createToken(ALICE);
      const caller = await services.tokens.authenticate(token);
      const { id } = await services.maps.createMap({ caller }, { name: 'Cafés' });
      await storage.insertWebhook(aWebhook(id, { secret: null }), 2);
    });
    expect(await warningsOf({}, cwd)).toEqual([]);
    await inStore(cwd, async ({ storage }) => {
      const [webhook] = await storage.pageWebhooks({ limit: 1, after: null, enabledOnly: true });
      await storage.updateWebhook(webhook!.mapId, webhook!.id, { secret: 'plain:secret' }, null);
    });
    const line = 'secrets of webhooks are stored unencrypted; SECRET_KEY encrypts them';
    expect(await warningsOf({}, cwd)).toEqual([line]);
    expect(await warningsOf({ SECRET_KEY: 'x'.repeat(32) }, cwd)).toEqual([]);
  });
});
