/** Bundles web/, the pages' scripts and styles, for browsers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, createLogger } from 'vite';

import { licencesOf } from './licences.mjs';
import { worldPlugin } from './world.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** One for each page: the name of its files, and its script below web/. */
const ENTRY_POINTS = { docs: 'docs/main.ts', map: 'map/main.ts', console: 'console/main.ts' };

/** What the readers of files import of Node, and what takes its place in the worker that imports files. */
const BROWSER_MODULES = [
  { find: /^node:buffer$/, replacement: join(root, 'web/node-buffer.ts') },
  { find: /^stream$/, replacement: join(root, 'web/node-stream.ts') },
];

/** @returns false when it could not be made; then Vite has printed why */
export async function bundleWeb(target) {
  const bundled = new Set();
  const missing = [];
  mkdirSync(target, { recursive: true });
  try {
    await build({
      root: join(root, 'web'),
      configFile: false,
      envDir: false,
      publicDir: false,
      logLevel: 'warn',
      customLogger: loggerWith(missing),
      // The pages stand at paths of different depths, and below any prefix of a proxy.
      base: './',
      plugins: [svelte({ configFile: false }), worldPlugin(bundled), listModules(bundled)],
      resolve: { alias: BROWSER_MODULES },
      worker: {
        format: 'es',
        plugins: () => [listModules(bundled)],
      },
      build: {
        outDir: target,
        emptyOutDir: false,
        assetsDir: '.',
        // Every file has a path and a hash in its name; nothing is put into another as data.
        assetsInlineLimit: 0,
        target: 'es2022',
        manifest: 'manifest.json',
        // All browsers that can run the scripts preload modules by themselves.
        modulePreload: { polyfill: false },
        rolldownOptions: {
          // A busy machine is no finding.
          checks: { pluginTimings: false },
          input: Object.fromEntries(
            Object.entries(ENTRY_POINTS).map(([name, script]) => [name, join(root, 'web', script)]),
          ),
        },
      },
    });
  } catch (error) {
    console.error(error);
    return false;
  }
  if (missing.length > 0) return false;
  const read = (file) => readFileSync(join(root, 'web', file), 'utf8');
  for (const page of ['map', 'console'])
    writeFileSync(
      join(target, `${page}.graphql`),
      `${read(`${page}/operations.graphql`)}\n${read('shared/fragments.graphql')}`,
    );
  writeFileSync(join(target, 'LICENSES.txt'), licencesOf([...bundled]));
  return true;
}

/**
 * A module of Node's that nothing takes the place of is missing in the browser, where it is used. For Vite that is worth a
 * warning alone.
 *
 * @param missing gets the warnings
 */
function loggerWith(missing) {
  const logger = createLogger('warn');
  return {
    ...logger,
    warn(message, options) {
      if (message.includes('externalized for browser compatibility')) missing.push(message);
      logger.warn(message, options);
    },
  };
}

/** Notes the files of which something is in the bundle. */
function listModules(bundled) {
  return {
    name: 'list-modules',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) bundled.add(id.split('?', 1)[0]);
      }
    },
  };
}
