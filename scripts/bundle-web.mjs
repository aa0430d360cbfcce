/** Bundles web/, the pages' scripts and styles, for browsers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, createLogger } from 'vite';

import { cataloguesPlugin } from './catalogues.mjs';
import { iconsPlugin } from './icons.mjs';
import { licencesOf } from './licences.mjs';
import { worldPlugin } from './world.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** For each page: the name of its files, and its script below web/. */
const ENTRY_POINTS = { docs: 'docs/main.ts', map: 'map/main.ts', console: 'console/main.ts' };

/** Node modules that the file readers import, and their replacements in the browser's import worker. */
const BROWSER_MODULES = [
  { find: /^node:buffer$/, replacement: join(root, 'web/node-buffer.ts') },
  { find: /^stream$/, replacement: join(root, 'web/node-stream.ts') },
];

/** Leaflet's package names only its UMD build, of which nothing can be left out. */
const LEAFLET = { find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' };

/** @returns false if it failed; Vite has printed the reason */
export async function bundleWeb(target) {
  const bundled = new Set();
  const missing = [];
  mkdirSync(target, { recursive: true });
  try {
    for (const page of Object.keys(ENTRY_POINTS)) await bundlePage(page, target, { bundled, missing });
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
 * Each page has a build of its own: in a common build, the modules that pages share hold what any of them uses, and a
 * page would load parts of Svelte and of our own modules that only another page needs.
 *
 * @param bundled receives the bundled files
 * @param missing receives the warnings about Node modules without a replacement
 */
async function bundlePage(page, target, { bundled, missing }) {
  await build({
    root: join(root, 'web'),
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    customLogger: loggerWith(missing),
    // Pages are served at paths of different depths, and below any proxy prefix.
    base: './',
    plugins: [
      svelte({ configFile: false }),
      worldPlugin(bundled),
      iconsPlugin(bundled),
      cataloguesPlugin(),
      listModules(bundled),
    ],
    resolve: { alias: [...BROWSER_MODULES, LEAFLET] },
    worker: {
      format: 'es',
      plugins: () => [listModules(bundled)],
    },
    build: {
      outDir: target,
      emptyOutDir: false,
      assetsDir: '.',
      // Every asset is a file with a hash in its name; none is inlined as data.
      assetsInlineLimit: 0,
      target: 'es2022',
      manifest: `${page}.manifest.json`,
      // Kilobytes. The console, Leaflet included, is one script.
      chunkSizeWarningLimit: 600,
      // All browsers that can run the scripts support module preload.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // A slow build on a busy machine is not a fault.
        checks: { pluginTimings: false },
        input: { [page]: join(root, 'web', ENTRY_POINTS[page]) },
      },
    },
  });
}

/**
 * Collects warnings about Node modules without a replacement: they are missing in the browser, but Vite only warns.
 *
 * @param missing receives the warnings
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

/** Records the source files that contribute to the bundle. */
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
