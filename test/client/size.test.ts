/** What the client adds to a page: its built module in a bundle, minified, without what is not used, and compressed. */

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const DIST = fileURLToPath(new URL('../../dist/client', import.meta.url));

/** Bytes, as docs/client.md says. */
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
  if (bundle === undefined) throw new Error('There is no bundle.');
  return gzipSync(bundle.contents, { level: 9 }).length;
}

describe('the client in a bundle', () => {
  it('is small, where it only reads and as a whole', async () => {
    const reading = await sizeOf(`
      import { createClient } from './index.js';
      const map = createClient({ url: 'https://maps.example.org' }).map('m');
      for await (const { name } of map.locations()) console.log(name);
      console.log(await map.find({ search: 'café' }));
    `);
    const whole = await sizeOf(`export * from './index.js';`);
    console.log(`the client is ${reading} bytes where it only reads, and ${whole} as a whole`);
    // Nobody has forgotten what is measured.
    expect(reading).toBeGreaterThan(1_000);
    expect(Math.max(reading, whole)).toBeLessThan(LIMIT);
  });
});
