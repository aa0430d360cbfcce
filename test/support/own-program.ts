/** Programs among the tests that are processes of their own. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url).href;

/**
 * What Node is to be given to run one: as it is compiled for a run of the tests, where it is, or by tsx.
 *
 * @param source its TypeScript
 */
export function argumentsOf(source: URL): string[] {
  const folder = process.env['COMPILED_TESTS'];
  if (folder !== undefined) {
    const compiled = new URL(source.href.replace(ROOT, `${folder}/`).replace(/\.ts$/, '.js'));
    if (existsSync(compiled)) return [fileURLToPath(compiled)];
  }
  return ['--import', import.meta.resolve('tsx'), fileURLToPath(source)];
}
