/**
 * `npm run check`: checks the sources without running the program. Runs all parts, two at a time, and shows the output
 * of those that fail.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import PQueue from 'p-queue';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The longest parts come first, so that the others run beside them. */
const parts = [
  { name: 'format', command: bin('prettier'), args: ['--check', '.'], fix: 'npm run format' },
  { name: 'types', command: bin('tsc'), args: ['--noEmit', '-p', 'tsconfig.json'] },
  { name: 'lint', command: bin('oxlint'), args: ['--deny-warnings'], fix: 'npx oxlint --fix' },
  // Svelte components.
  {
    name: 'lint-pages',
    command: bin('eslint'),
    args: ['.', '--max-warnings', '0'],
    fix: 'npx eslint . --fix',
  },
  // Types of the pages and their components. Warnings are errors.
  {
    name: 'pages',
    command: bin('svelte-check'),
    args: ['--tsconfig', 'web/tsconfig.json', '--fail-on-warnings', '--output', 'human'],
  },
  // Writes nothing. Fails if the committed files are out of date.
  {
    name: 'codegen',
    command: bin('graphql-codegen'),
    args: ['--config', 'codegen.yml', '--check'],
    needs: 'codegen.yml',
    fix: 'npm run codegen',
  },
  {
    name: 'imports',
    command: bin('depcruise'),
    args: ['--config', '.dependency-cruiser.mjs', '--progress', 'none', 'src', 'web', 'bench', 'scripts'],
  },
  {
    name: 'architecture',
    command: process.execPath,
    args: ['--import', 'tsx', 'node_modules/jest/bin/jest.js', 'test/architecture'],
    needs: 'test/architecture',
  },
];

const failed = [];
await new PQueue({ concurrency: 2 }).addAll(parts.map((part) => () => check(part)));
console.log(
  failed.length === 0 ? `All ${parts.length} checks passed.` : `Checks that failed: ${failed.join(', ')}`,
);
// .ci/run adds the number of failed checks to that of the failed tests.
process.exitCode = failed.length;

async function check(part) {
  const begun = Date.now();
  const { ok, output } = await run(part);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${part.name}  (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  if (ok) return;
  failed.push(part.name);
  console.log(output.trimEnd().replace(/^/gm, '     '));
  if (part.fix) console.log(`     Possible fix: ${part.fix}`);
}

function bin(name) {
  return join(root, 'node_modules/.bin', name);
}

function run({ command, args, needs }) {
  if (needs !== undefined && !existsSync(join(root, needs)))
    return { ok: false, output: `${needs} is missing` };
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => done({ ok: false, output: String(error) }));
    child.on('close', (code) => done({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}
