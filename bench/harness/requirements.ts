/** Checks for the tools, and installs and compiles the peers. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { BENCH, readPackage, ROOT } from './paths.ts';

const TOOLS = [
  { command: ['wrk', '-v'], hint: 'wrk generates the load. On Debian or Ubuntu: apt-get install wrk' },
  {
    command: ['taskset', '-V'],
    hint: 'taskset pins processes to cores. On Debian or Ubuntu: apt-get install util-linux',
  },
];

/** @throws Error that says what to install or what failed */
export function prepare(): void {
  if (process.platform !== 'linux')
    throw new Error('The benchmark reads /proc and pins cores: it needs Linux.');
  for (const { command, hint } of TOOLS) {
    const [file = '', ...args] = command;
    if (spawnSync(file, args).error !== undefined) throw new Error(`${file} is missing. ${hint}`);
  }
  if (!hasPeers()) runOrThrow('npm', ['ci', '--no-audit', '--no-fund'], BENCH);
  // Like our own build, so that plain Node runs them.
  runOrThrow(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json'], BENCH);
}

/** Whether all peers are installed in the versions of package.json. */
function hasPeers(): boolean {
  const versionIn = (folder: string) => {
    const file = join(folder, 'package.json');
    return existsSync(file) ? readPackage(folder).version : null;
  };
  return Object.entries(readPackage(BENCH).devDependencies ?? {}).every(
    ([name, version]) => versionIn(join(BENCH, 'node_modules', name)) === version,
  );
}

function runOrThrow(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
