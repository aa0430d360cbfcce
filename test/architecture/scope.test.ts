/** What a daily run leaves to `npm run test:full`. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Test, TestResult } from '@jest/reporters';

import LineReporter from '../support/jest/reporter.ts';
import { changedFiles, changedSince, isBelow, sampleFor } from '../support/scope.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

describe('the files that have changed', () => {
  const root = mkdtempSync(join(tmpdir(), 'scope-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: root });
  const commit = (file: string) => {
    writeFileSync(join(root, file), file);
    git('add', file);
    git('commit', '--quiet', '--message', file);
  };

  it('are unknown outside a repository and before main’s second commit', () => {
    expect(changedFiles(root)).toBe('unknown');
    git('init', '--quiet', '--initial-branch', 'main');
    commit('first');
    expect(changedFiles(root)).toBe('unknown');
  });

  it('on main are those of the last commit and uncommitted ones', () => {
    commit('second');
    expect(changedFiles(root)).toEqual(['second']);
    writeFileSync(join(root, 'first'), 'changed');
    writeFileSync(join(root, 'new'), '');
    expect(changedFiles(root)).toEqual(['first', 'second', 'new']);
  });

  it('on a branch are those of all its commits, by old and new names', () => {
    git('checkout', '--quiet', '--force', '-b', 'branch');
    rmSync(join(root, 'new'));
    commit('third');
    git('mv', 'second', 'moved');
    git('commit', '--quiet', '--message', 'move');
    expect(changedFiles(root)).toEqual(['moved', 'second', 'third']);
  });

  it('are unknown in a shallow clone', () => {
    const clone = join(root, 'clone');
    git('clone', '--quiet', '--depth', '1', '--branch', 'main', `file://${root}`, clone);
    expect(changedFiles(clone)).toBe('unknown');
  });

  it('match a folder at any depth, or only its direct children', () => {
    expect(isBelow('src/storage/sqlite/open.ts', 'src/storage')).toBe(true);
    expect(isBelow('src/storage/sqlite/open.ts', 'src/storage/*')).toBe(false);
    expect(isBelow('src/storage/storage.ts', 'src/storage/*')).toBe(true);
    expect(isBelow('src/storage-port.ts', 'src/storage')).toBe(false);
    expect(isBelow('package.json', 'package.json')).toBe(true);
  });

  it('cannot be tested for a path that does not exist', () => {
    expect(() => changedSince('src/nothing')).toThrow('src/nothing does not exist');
  });
});

it('the files that run first exist', () => {
  const runner = readFileSync(join(TESTS, 'support/jest/runner.ts'), 'utf8');
  const [, list = ''] = /^const LONGEST = \[\n(.*?)^\];/ms.exec(runner) ?? [];
  const names = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => `${name}.test.ts`);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !existsSync(join(TESTS, name)))).toEqual([]);
});

it('a sample is one in five, and five samples cover all', () => {
  const items = Array.from({ length: 23 }, (_, index) => index);
  const samples = ['0', '1', '2', '3', '4'].map((end) => sampleFor(`0000000${end}ffff`, items, 5));
  expect(samples.map(({ length }) => length)).toEqual([5, 5, 5, 4, 4]);
  expect(samples.flat().toSorted((a, b) => a - b)).toEqual(items);
});

describe('a skipped test under REQUIRE_ALL=1', () => {
  const before = process.env['REQUIRE_ALL'];
  beforeAll(() => {
    process.env['REQUIRE_ALL'] = '1';
  });
  afterAll(() => {
    if (before === undefined) delete process.env['REQUIRE_ALL'];
    else process.env['REQUIRE_ALL'] = before;
  });

  function errorOf(reason: string): Error | undefined {
    const reporter = new LineReporter({ rootDir: '/' });
    const tests = [
      { title: 'runs', status: 'passed' },
      { title: `waits [skipped: ${reason}]`, status: 'pending' },
    ].map((test) => ({ ...test, ancestorTitles: [], failureMessages: [] }));
    reporter.onTestFileResult(
      { path: '/a.test.ts' } as Test,
      { testResults: tests } as unknown as TestResult,
    );
    return reporter.getLastError();
  }

  it('fails when the machine could run it', () => {
    expect(errorOf('needs Chromium')).toEqual(new Error('a test failed'));
  });

  it('may be left to npm run test:full', () => {
    expect(errorOf('left to npm run test:full: the same in a file as in memory')).toBeUndefined();
  });
});
