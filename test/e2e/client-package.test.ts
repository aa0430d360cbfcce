/** The client from the packed package: in Node, in Chromium and under the TypeScript compiler. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build, transformSync } from 'esbuild';
import ts from 'typescript';

import { launchChromium, openRecordedPage, skipWithoutChromium } from '../support/browser.ts';
import type { exercise, Surroundings } from '../support/client-exercise.ts';
import { makeMap } from '../support/graphql.ts';
import { packPackage, unpackPackage } from '../support/packed.ts';
import { createFolder, ROOT, runCommand } from '../support/program.ts';
import { listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { itUnless } from '../support/skip.ts';
import type { StaticSite } from '../support/static-site.ts';
import { startStaticSite } from '../support/static-site.ts';
import type { TcpRelay } from '../support/tcp-relay.ts';
import { startTcpRelay } from '../support/tcp-relay.ts';

const NAME = '@map-locations/server/client';

const EXPECTED: Awaited<ReturnType<typeof exercise>> = {
  created: ['One', 'one'],
  updated: ['First', 2],
  moved: ['Two'],
  listed: ['First', 'Two'],
  found: ['First'],
  deleted: 'First',
  received: [
    ['resync', null],
    ['created', 1],
    ['created', 2],
    ['updated', 1],
    ['moved', 2],
    ['deleted', 1],
  ],
  refused: 'LOCATION_NOT_FOUND',
  wrongToken: 'UNAUTHENTICATED',
  noServer: 'NETWORK_ERROR',
};

const PAGE = `<!doctype html>
<link rel="icon" href="data:," />
<script type="importmap">
  { "imports": { "${NAME}": "/node_modules/@map-locations/server/dist/client/index.js" } }
</script>
<script type="module">
  import { exercise } from './exercise.js';
  exercise(JSON.parse(decodeURIComponent(location.hash.slice(1)))).then(
    (result) => (window.result = result),
    (error) => (window.result = String(error)),
  );
</script>`;

describe('the packed client', () => {
  const folder = createFolder();
  let client: string;
  let site: StaticSite;
  let server: TestServer;
  let relay: TcpRelay;
  let url: string;
  /** The number of connections that each cut closed. */
  const cuts: number[] = [];

  beforeAll(async () => {
    client = join(await unpackPackage(await packPackage(folder), folder), 'dist/client');
    const source = readFileSync(join(ROOT, 'test/support/client-exercise.ts'), 'utf8');
    const program = source.replaceAll(/(?<= from )'\.\.\/\.\.\/src\/client\/index\.ts'/g, `'${NAME}'`);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    writeFileSync(join(folder, 'exercise.ts'), program);
    writeFileSync(join(folder, 'exercise.js'), transformSync(program, { loader: 'ts' }).code);
    writeFileSync(
      join(folder, 'run.js'),
      `import { exercise } from './exercise.js';
       console.log(JSON.stringify(await exercise(JSON.parse(process.argv[2]))));`,
    );
    writeFileSync(join(folder, 'index.html'), PAGE);
    site = await startStaticSite(folder, (request, response) => {
      if (request.url !== '/cut') return false;
      cuts.push(relay.cut());
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
      return true;
    });
    server = await createTestServer({ CORS_ORIGINS: site.origin });
    const port = await listen(server);
    url = `http://127.0.0.1:${port}`;
    relay = await startTcpRelay(port);
  });
  afterAll(async () => {
    relay.close();
    site.close();
    await server.close();
  });

  const surroundings = async (): Promise<Surroundings> => ({
    url,
    cuttableUrl: `http://127.0.0.1:${relay.port}`,
    cutUrl: `${site.origin}/cut`,
    token: await server.createToken(),
    mapId: (await makeMap(server)).id,
  });

  const expectOneCut = () => {
    const [ended = 0, ...others] = cuts.splice(0);
    expect(ended).toBeGreaterThan(0);
    expect(others).toEqual([]);
  };

  it('has no dependencies', async () => {
    const { metafile } = await build({
      entryPoints: [join(client, 'index.js')],
      bundle: true,
      packages: 'external',
      format: 'esm',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    expect(Object.keys(metafile.inputs)).toHaveLength(1);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    const types = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    );
    const named = types.flatMap((name) =>
      [...readFileSync(join(client, name), 'utf8').matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)].map(
        ([, target = '']) => ({ target, path: join(client, name, '..', target.replace(/\.js$/, '.d.ts')) }),
      ),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(
      named.filter(
        ({ target, path }) => !target.startsWith('.') || !path.startsWith(client) || !existsSync(path),
      ),
    ).toEqual([]);
  });

  it('works in Node, also when a stream is cut', async () => {
    const given = JSON.stringify(await surroundings());
    const run = await runCommand(process.execPath, ['run.js', given], { cwd: folder });
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout)).toEqual(EXPECTED);
    expectOneCut();
  });

  itUnless(skipWithoutChromium(), 'works in Chromium as a module from another origin', async () => {
    const browser = await launchChromium();
    try {
      const { page } = await openRecordedPage(browser);
      await page.goto(`${site.origin}/#${encodeURIComponent(JSON.stringify(await surroundings()))}`);
      await page.waitForFunction('window.result');
      expect(await page.evaluate('window.result')).toEqual(EXPECTED);
      expectOneCut();
    } finally {
      await browser.close();
    }
  });

  const RESOLUTIONS: Readonly<Record<string, ts.CompilerOptions>> = {
    'Node’s': {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ['lib.es2022.d.ts'],
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    'a bundler’s, for browsers': {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
    },
  };
  for (const [name, options] of Object.entries(RESOLUTIONS)) {
    it(`has types for ${name} modules that accept correct calls and reject wrong ones`, () => {
      const program = ts.createProgram([join(folder, 'exercise.ts')], {
        ...options,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
      });
      const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
      expect(ours.length).toBeGreaterThan(2);
      const found = ours.flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ]);
      expect(
        found.map(({ file, messageText }) => [
          file?.fileName,
          ts.flattenDiagnosticMessageText(messageText, '\n'),
        ]),
      ).toEqual([]);
    });
  }
});
