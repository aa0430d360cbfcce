/** Builds an earlier version of the program from the history of the repository. */

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths.ts';
import { run } from './processes.ts';
import type { Program } from './subject.ts';

/** The last commit before locations could be updated, moved and searched: it only has the index of the list. */
export const BEFORE_SEARCH = 'eacc73cc6948d8c19f196b325bcb48934c0dad85';
/** The last commit before changes kept former states. */
export const BEFORE_HISTORY = 'e1303d143a1090231caf293dbb58371aafdb5987';

/**
 * @param commit a full hash
 * @param folder for temporary files
 * @param cacheFolder keeps the program for later runs; null keeps it in `folder`
 * @throws Error when the commit is missing, as in a shallow clone
 */
export async function buildEarlier(
  commit: string,
  folder: string,
  cacheFolder: string | null,
  progress: (line: string) => void,
): Promise<Program> {
  const target = join(cacheFolder ?? folder, `program-${commit.slice(0, 12)}`);
  const program = { name: nameOf(commit), file: join(target, 'dist/cli/main.js') };
  if (existsSync(program.file)) return program;

  progress('installing and building the earlier program');
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const archive = join(folder, 'earlier.tar');
  const inFolder = (command: readonly string[], cwd: string) =>
    run(command, { core: 'any', cwd, env: { NODE_ENV: 'development' } });
  await inFolder(['git', 'archive', '--output', archive, commit], ROOT);
  await inFolder(['tar', '-xf', archive], unfinished);
  await inFolder(['npm', 'ci', '--no-audit', '--no-fund'], unfinished);
  await inFolder(['npm', 'run', '--silent', 'build'], unfinished);
  rmSync(target, { recursive: true, force: true });
  renameSync(unfinished, target);
  return program;
}

function nameOf(commit: string): string {
  return `Map Locations at ${commit.slice(0, 7)}`;
}
