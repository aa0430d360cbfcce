/**
 * The scope of a test run. `npm test` leaves slow tests that seldom find a fault to `npm run test:full`, which runs
 * everything (TEST_FULL=1). The reporter counts them separately from other skips.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Reason } from './skip.ts';
import { isTorture } from './torture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Enough cases to find most faults in one run; the changing seed finds the others over time. */
const DAILY_RUNS = 250;
const LEFT = 'left to npm run test:full';

export const isFull = process.env['TEST_FULL'] === '1' || isTorture;

/** A reason for `itUnless` and `describeUnless`. @param why the daily run can omit the test */
export function leftToFull(why: string): Reason {
  return isFull ? undefined : `${LEFT}: ${why}`;
}

export function isLeftToFull(reason: string): boolean {
  return reason.startsWith(LEFT);
}

/** A reason to skip slow tests that depend on few files, if none of the files has changed. */
export function unlessChanged(...paths: readonly string[]): Reason {
  return isFull || changedSince(...paths) ? undefined : leftToFull('what it tests has not changed');
}

/** The number of cases of a property test. @param full the number in `npm run test:full` */
export function propertyRuns(full: number): number {
  return isFull ? full : Math.min(full, DAILY_RUNS);
}

/** One in `parts` of the items, which varies with the commit; all in `npm run test:full`, and without a commit. */
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
 * Whether a file below these paths differs from main, committed or not. Main itself is compared with its last commit's
 * parent. True if Git cannot tell, as in a shallow clone.
 *
 * @param paths files and folders relative to the root; `src/storage/*` means the files directly in that folder
 * @throws Error if one does not exist, as after a rename
 */
export function changedSince(...paths: readonly string[]): boolean {
  for (const path of paths) {
    if (!existsSync(join(ROOT, path.replace(/\*$/, '')))) {
      throw new Error(`changedSince(): ${path} does not exist.`);
    }
  }
  changed ??= changedFiles(ROOT);
  return changed === 'unknown' || changed.some((file) => paths.some((path) => isBelow(file, path)));
}

/** The hash of HEAD; empty if there is no commit, or none is needed. */
let commit: string | undefined;
let changed: readonly string[] | 'unknown' | undefined;

/** @param path as for {@link changedSince} */
export function isBelow(file: string, path: string): boolean {
  if (path.endsWith('/*')) return dirname(file) === path.slice(0, -2);
  return file === path || file.startsWith(`${path}/`);
}

/** The files of a repository that {@link changedSince} considers changed. */
export function changedFiles(root: string): readonly string[] | 'unknown' {
  const base = baseCommit(root);
  if (base === undefined) return 'unknown';
  const tracked = git(root, 'diff', '--name-only', '--no-renames', base);
  const added = git(root, 'ls-files', '--others', '--exclude-standard');
  if (tracked === undefined || added === undefined) return 'unknown';
  return `${tracked}\n${added}`.split('\n').filter((name) => name !== '');
}

/** Undefined without a repository, a main branch, or enough history. */
function baseCommit(root: string): string | undefined {
  for (const main of ['origin/main', 'main']) {
    const base = git(root, 'merge-base', 'HEAD', main);
    if (base === undefined) continue;
    const isMain = base === git(root, 'rev-parse', 'HEAD');
    return isMain ? git(root, 'rev-parse', '--verify', '--quiet', 'HEAD^') : base;
  }
  return undefined;
}

/** The output of git; undefined if it fails. */
function git(root: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
