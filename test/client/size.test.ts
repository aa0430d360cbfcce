/** The bytes that the client adds to a page: its built module bundled, minified, tree-shaken and compressed. */

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const DIST = fileURLToPath(new URL('../../dist/client', import.meta.url));

/** Bytes, as in docs/client.md. */
const LIMIT = 4_000;

async function sizeOf(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: DIST },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('esbuild returned no bundle.');
  return gzipSync(bundle.contents, { level: 9 }).length;
}

describe('the client in a bundle', () => {
  it('is small, for reading only and as a whole', async () => {
    const reading = await sizeOf(`
      import { createClient } from './index.js';
      const map = createClient({ url: 'https://maps.example.org' }).map('m');
      for await (const { name } of map.locations()) console.log(name);
      console.log(await map.find({ search: 'café' }));
    `);
    const whole = await sizeOf(`export * from './index.js';`);
    console.log(`the client is ${reading} bytes for reading only, and ${whole} as a whole`);
    // Guards against measuring an empty bundle.
    expect(reading).toBeGreaterThan(1_000);
    expect(Math.max(reading, whole)).toBeLessThan(LIMIT);
  });
});
