/**
 * Starts a thread from TypeScript: Node 20 does not apply `--import tsx` to the entry file of a thread. In a test run the file
 * is already compiled (test/support/jest/compile.ts).
 */

import { existsSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const root = new URL('../../', import.meta.url).href;
const folder = process.env['COMPILED_TESTS'];
const compiled = folder && new URL(workerData.program.replace(root, `${folder}/`).replace(/\.ts$/, '.js'));

if (compiled && existsSync(compiled)) {
  process.setSourceMapsEnabled(true);
  await import(compiled.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(workerData.program);
}
