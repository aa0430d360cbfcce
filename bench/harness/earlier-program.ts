/** Builds an earlier version of the program from the history of the repository. */

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths.ts';
import { run } from './processes.ts';
import type { Program } from './subject.ts';

/** The last commit before locations could be updated, moved and searched: it only has the index of the list. */
const BEFORE_SEARCH = 'eacc73cc6948d8c19f196b325bcb48934c0dad85';

export const EARLIER = `Map Locations at ${BEFORE_SEARCH.slice(0, 7)}`;

/**
 * @param folder for temporary files
 * @param cacheFolder keeps the program for later runs; null keeps it in `folder`
 * @throws Error when the commit is missing, as in a shallow clone
 */
export async function buildEarlier(
  folder: string,
  cacheFolder: string | null,
  progress: (line: string) => void,
): Promise<Program> {
  const target = join(cacheFolder ?? folder, `program-${BEFORE_SEARCH.slice(0, 12)}`);
  const program = { name: EARLIER, file: join(target, 'dist/cli/main.js') };
  if (existsSync(program.file)) return program;

  progress('installing and building the earlier program');
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const archive = join(folder, 'earlier.tar');
  const inFolder = (command: readonly string[], cwd: string) =>
    run(command, { core: 'any', cwd, env: { NODE_ENV: 'development' } });
  await inFolder(['git', 'archive', '--output', archive, BEFORE_SEARCH], ROOT);
  await inFolder(['tar', '-xf', archive], unfinished);
  await inFolder(['npm', 'ci', '--no-audit', '--no-fund'], unfinished);
  await inFolder(['npm', 'run', '--silent', 'build'], unfinished);
  rmSync(target, { recursive: true, force: true });
  renameSync(unfinished, target);
  return program;
}
