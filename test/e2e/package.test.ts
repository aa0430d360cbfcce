/** The package, packed and installed in an empty folder without development dependencies. */

import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fetchDescribed } from '../support/openapi/fetch.ts';
import { NPM_ENV, packPackage, runNpm } from '../support/packed.ts';
import { createFolder, killPrograms, ROOT, runCommand, startServer } from '../support/program.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const REGISTRY_TIMEOUT_MS = 10_000;

async function reasonToSkip(): Promise<string | undefined> {
  const folder = createFolder();
  const { code } = await runNpm(['ping', '--fetch-retries=0'], folder, REGISTRY_TIMEOUT_MS);
  return code === 0 ? undefined : 'needs the npm registry, to install the package’s dependencies';
}

/** The sizes of the regular files below a folder, by path. */
function filesBelow(folder: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const status = lstatSync(join(folder, name));
    if (status.isFile()) sizes.set(name, status.size);
  }
  return sizes;
}

function megabytes(sizes: Iterable<number>): string {
  return `${([...sizes].reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1)} MB`;
}

const skip = await reasonToSkip();

describeUnless(skip, 'the package', () => {
  const folder = createFolder();
  const installed = join(folder, 'node_modules/@map-locations/server');
  const program = join(folder, 'node_modules/.bin/map-locations');

  beforeAll(async () => {
    const packed = await packPackage(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const install = await runNpm(
      ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', packed.path],
      folder,
    );
    expect([install.code, install.stderr]).toEqual([0, expect.any(String)]);
    const sizes = filesBelow(join(folder, 'node_modules')).values();
    console.log(
      `the tarball has ${packed.entryCount} files and ${megabytes([packed.size])}; installed with all it needs, ` +
        `${megabytes(sizes)} in ${(install.ms / 1000).toFixed(1)} s`,
    );
  });
  afterAll(killPrograms);

  it('holds the program, schema, examples, licence, readme and documents, but no tests or sources', () => {
    const files = [...filesBelow(installed).keys()].filter((name) => !name.startsWith('node_modules/'));
    for (const name of [
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'package.json',
      'examples/museums.csv',
      'docs/api.md',
      'docs/recipes/README.md',
      'docs/images/map.png',
      'deploy/map-locations.service',
    ]) {
      expect(files).toContain(name);
    }
    expect(files).toContain('dist/cli/main.js');
    expect(files).toContain('dist/storage/sqlite/threads/thread-main.js');
    expect(files).toContain('dist/geocoding/offline/gazetteer.bin');
    expect(files).toContain('dist/web/pages/map.manifest.json');
    expect(files).toContain('dist/web/picture/picture-thread.js');
    expect(files).toContain('dist/services/tiles/tile-thread.js');
    expect(files.filter((name) => name.startsWith('schema/')).length).toBeGreaterThan(3);
    expect(
      files.filter((name) => /(^|\/)(test|src|bench|scripts)\/|(?<!\.d)\.ts$|\.test\.|\.env|\.db/.test(name)),
    ).toEqual([]);
  });

  it('has no source map that names missing files', () => {
    const files = filesBelow(join(installed, 'dist'));
    const unmapped = [...files.keys()]
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => {
        const text = readFileSync(join(installed, 'dist', name), 'utf8');
        const map = /^\/\/# sourceMappingURL=(\S+)\s*$/m.exec(text)?.[1];
        return map === undefined || map.startsWith('data:') ? [] : [join(dirname(name), map)];
      })
      .filter((map) => !files.has(map));
    expect(unmapped).toEqual([]);
    const pointless = [...files.keys()]
      .filter((name) => name.endsWith('.map'))
      .filter((name) => {
        const map = JSON.parse(readFileSync(join(installed, 'dist', name), 'utf8'));
        const sources: string[] = map.sources;
        const there = new Set(files.keys());
        return !sources.every(
          (source, index) =>
            // Source maps of dependencies are not ours.
            source.includes('node_modules/') ||
            (map.sourcesContent?.[index] ?? there.has(join(dirname(name), source))),
        );
      });
    // Prints a few: one fault usually affects all maps.
    expect(pointless.slice(0, 3)).toEqual([]);
  });

  it('holds graphql-js only once, since copies reject each other’s types', () => {
    const modules = [...filesBelow(join(installed, 'dist')).keys()].filter((name) => name.endsWith('.js'));
    const holding = modules.filter((name) =>
      /class GraphQLSchema\b|GraphQLSchema ?= ?class/.test(
        readFileSync(join(installed, 'dist', name), 'utf8'),
      ),
    );
    expect(holding).toHaveLength(1);
    const imported = modules.filter((name) =>
      /(?:from|require\(|import\() ?["']graphql["'/]/.test(
        readFileSync(join(installed, 'dist', name), 'utf8'),
      ),
    );
    expect(imported).toEqual([]);
  });

  it('holds the licences of bundled packages', () => {
    const licences = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
    for (const name of ['fastify', 'graphql', '@apollo/server']) {
      expect(licences).toMatch(new RegExp(`^${name} [0-9.]+ \\(MIT\\)$`, 'm'));
    }
  });

  it('needs no development dependency', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies).filter((name) => name in devDependencies)).toEqual([]);
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Record<string, { dependencies?: object }>;
    };
    const present = Object.keys(devDependencies).filter((name) => `node_modules/${name}` in lock.packages);
    // Some are also dependencies of dependencies.
    const needed = Object.values(lock.packages).flatMap((one) => Object.keys(one.dependencies ?? {}));
    expect(present.filter((name) => !needed.includes(name))).toEqual([]);
  });

  it('serves both endpoints and the pages with all their files, and makes the demo', async () => {
    const cwd = createFolder();
    const server = await startServer({ cwd, program });
    await until(() => server.stdout().includes('--data'), 'the demo');
    const token = /mlt_\S+/.exec(server.stdout())?.[0];
    const path = /\/v0\/map\/\S+\/locations/.exec(server.stdout())?.[0];
    const authorization = `Bearer ${token}`;
    const list = await fetchDescribed(`${server.url}${path}`, { headers: { authorization } });
    expect(await list.json()).toHaveLength(60);
    const viewer = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"query": "{ viewer { maps(first: 1) { totalCount } } }"}',
    });
    expect(await viewer.json()).toEqual({ data: { viewer: { maps: { totalCount: 1 } } } });

    for (const [path, least] of [
      ['/graphiql', 6],
      ['/docs', 2],
    ] as const) {
      const page = await fetch(`${server.url}${path}`);
      expect(page.status).toBe(200);
      const html = await page.text();
      const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
        .map(([, asset = '']) => asset)
        .filter((asset) => asset.includes('/assets/'));
      expect(assets.length).toBeGreaterThanOrEqual(least);
      for (const asset of assets) {
        const url = new URL(asset, page.url);
        expect(url.origin).toBe(server.url);
        const response = await fetch(url);
        expect([asset, response.status]).toEqual([asset, 200]);
        expect((await response.text()).length).toBeGreaterThan(100);
      }
    }
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  it('imports a file through npx', async () => {
    const env = { ...NPM_ENV, DATABASE_URL: 'sqlite:data/cafes.db' };
    const run = (...args: string[]) => runCommand('npx', ['map-locations', ...args], { cwd: folder, env });
    const token = await run('token', 'create', '--owner', 'alice');
    expect([token.code, token.stdout]).toEqual([0, expect.stringMatching(/^mlt_\S+\n$/)]);
    const map = await run('map', 'create', '--owner', 'alice', '--name', 'Cafés');
    expect(map.code).toBe(0);
    mkdirSync(join(folder, 'csv'));
    writeFileSync(
      join(folder, 'csv/cafes.csv'),
      'Name,Address,Since\nA Brasileira,"Rua Garrett 122, Lisboa, Portugal",1905\nCafé Central,"Herrengasse 14, Wien, Austria",1876\n',
    );
    const imported = await run('import', map.stdout.trim(), 'csv/cafes.csv');
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringMatching(/\b2\b/)]);
  });
});
