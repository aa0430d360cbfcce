/** Ensures that `npm run torture` runs every long form. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { TORTURE_TESTS } from '../support/torture.ts';
import { readGraph } from './imports.ts';

const tests = fileURLToPath(new URL('..', import.meta.url));

it('npm run torture runs every test that has a long form', () => {
  const withLongForm = [...readGraph(tests)]
    .filter(([file, imports]) => file.endsWith('.test.ts') && imports.includes('support/torture.ts'))
    .map(([file]) => join('test', file))
    .filter((file) => file !== 'test/architecture/torture.test.ts');
  expect(withLongForm.length).toBeGreaterThan(0);
  expect(withLongForm.filter((file) => !TORTURE_TESTS.some((path) => file.startsWith(path)))).toEqual([]);
});
