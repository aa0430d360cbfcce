/** Test programs that run as child processes. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url).href;

/**
 * Node's arguments to run one: compiled for the test run if possible, else with tsx.
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
