/**
 * The scope of a run. `npm test` leaves what is slow and seldom finds a fault to `npm run test:full`, which runs
 * everything (TEST_FULL=1). The reporter counts what is left out apart from other skips.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Reason } from './skip.ts';
import { isTorture } from './torture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Enough cases to find most faults at once; another seed in each run finds the others. */
const DAILY_RUNS = 250;
const LEFT = 'left to npm run test:full';

export const isFull = process.env['TEST_FULL'] === '1' || isTorture;

/** For `itUnless` and `describeUnless`. @param why the daily run can do without it */
export function leftToFull(why: string): Reason {
  return isFull ? undefined : `${LEFT}: ${why}`;
}

export function isLeftToFull(reason: string): boolean {
  return reason.startsWith(LEFT);
}

/** For tests that are slow and depend on few files: a reason to skip them where none of those files has changed. */
export function unlessChanged(...paths: readonly string[]): Reason {
  return isFull || changedSince(...paths) ? undefined : leftToFull('what it tests has not changed');
}

/** The cases of a property test. @param full in `npm run test:full` */
export function propertyRuns(full: number): number {
  return isFull ? full : Math.min(full, DAILY_RUNS);
}

/** One in `parts` of the items, other ones for each commit; all in `npm run test:full`, and where there is no commit. */
export function sampled<T>(items: readonly T[], parts: number): ReadonlySet<T> {
  commit ??= isFull ? '' : (git(ROOT, 'rev-parse', '--verify', '--quiet', 'HEAD') ?? '');
  return new Set(commit === '' ? items : sampleFor(commit, items, parts));
}

/** @param commit its hash */
export function sampleFor<T>(commit: string, items: readonly T[], parts: number): readonly T[] {
  const first = parseInt(commit.slice(0, 8), 16) % parts;
  return items.filter((_, index) => index % parts === first);
}

/**
 * Whether a file below these paths differs from main: committed, or not yet. Main itself is compared with its last
 * commit's parent. True where Git cannot tell, as in a shallow clone.
 *
 * @param paths files and folders from the root; `src/storage/*` is the files of that folder itself
 * @throws Error where one is not there, as after a rename
 */
export function changedSince(...paths: readonly string[]): boolean {
  for (const path of paths) {
    if (!existsSync(join(ROOT, path.replace(/\*$/, '')))) {
      throw new Error(`changedSince() is asked about ${path}, which does not exist.`);
    }
  }
  changed ??= changedFiles(ROOT);
  return changed === 'unknown' || changed.some((file) => paths.some((path) => isBelow(file, path)));
}

/** Its hash; empty where there is none, or none is asked for. */
let commit: string | undefined;
let changed: readonly string[] | 'unknown' | undefined;

/** @param path as {@link changedSince} takes it */
export function isBelow(file: string, path: string): boolean {
  if (path.endsWith('/*')) return dirname(file) === path.slice(0, -2);
  return file === path || file.startsWith(`${path}/`);
}

/** The files of a repository that {@link changedSince} takes for changed. */
export function changedFiles(root: string): readonly string[] | 'unknown' {
  const base = baseCommit(root);
  if (base === undefined) return 'unknown';
  const tracked = git(root, 'diff', '--name-only', '--no-renames', base);
  const added = git(root, 'ls-files', '--others', '--exclude-standard');
  if (tracked === undefined || added === undefined) return 'unknown';
  return `${tracked}\n${added}`.split('\n').filter((name) => name !== '');
}

/** Undefined where there is no repository, no main, or not enough of its history. */
function baseCommit(root: string): string | undefined {
  for (const main of ['origin/main', 'main']) {
    const base = git(root, 'merge-base', 'HEAD', main);
    if (base === undefined) continue;
    const isMain = base === git(root, 'rev-parse', 'HEAD');
    return isMain ? git(root, 'rev-parse', '--verify', '--quiet', 'HEAD^') : base;
  }
  return undefined;
}

/** What it prints; undefined where it fails. */
function git(root: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
