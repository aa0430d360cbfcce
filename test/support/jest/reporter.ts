/** The output of a test run: a line for each file, its failures, the skips, and finally `N passed, N failed`. */

import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import type { Reporter, Test, TestResult } from '@jest/reporters';

import type { FileResult } from './messages.ts';
import { findMongod } from '../mongod-binary.ts';
import { isLeftToFull } from '../scope.ts';
import { reasonIn } from '../skip.ts';

/**
 * Reasons that allow a skip even with REQUIRE_ALL=1, which otherwise requires every test to run. Each entry says why
 * our machines cannot run it.
 */
const ALLOWED_SKIPS = [
  // Paid or rate-limited third-party services: run manually, with a key.
  /^needs a real (Google|Mapbox|Nominatim)\b/,
  // Debian's nginx is older.
  /^needs nginx 1\.27\.3 or later$/,
  // Needs another platform.
  /^only on (Windows|macOS)\b/,
];

/**
 * Tests of mongod itself: allowed if there is no mongod, and the tests run on a server that only speaks its protocol.
 */
const ALLOWED_WITHOUT_MONGOD = /^needs mongod itself\b/;

/** The number of slowest files listed at the end. */
const SLOWEST = 10;

interface Config {
  readonly rootDir: string;
  readonly testNamePattern?: string;
  readonly verbose?: boolean | null;
}

type Counts = Record<'passed' | 'failed' | 'skipped' | 'left', number>;

const NONE: Readonly<Counts> = { passed: 0, failed: 0, skipped: 0, left: 0 };

export default class LineReporter implements Reporter {
  readonly #config: Config;
  readonly #requireAll = process.env['REQUIRE_ALL'] === '1';
  readonly #begun = performance.now();
  readonly #started = new Map<string, number>();
  readonly #totals: Counts = { ...NONE };
  readonly #failures: string[] = [];
  readonly #skips: string[] = [];
  /** The number of tests left to test:full, by file and reason. */
  readonly #left = new Map<string, number>();
  readonly #times: { readonly file: string; readonly elapsedMs: number; readonly took: string }[] = [];
  #files = 0;

  constructor(config: Config) {
    this.#config = config;
  }

  onTestFileStart({ path }: Test): void {
    this.#started.set(path, performance.now());
  }

  onTestFileResult({ path }: Test, result: TestResult): void {
    const file = relative(this.#config.rootDir, path);
    const counts: Counts = { ...NONE };
    const lines: string[] = [];
    const fail = (title: string, text: string) => {
      counts.failed += 1;
      this.#failures.push(`${file}: ${title}`);
      lines.push(`\n  ✖ ${title}`, indent(text, '    '));
    };
    for (const { ancestorTitles, title: name, status, failureMessages, duration } of result.testResults) {
      const title = [...ancestorTitles, name].join(' > ');
      if (status === 'pending' || status === 'todo') {
        if (!this.#isChosen([...ancestorTitles, name].join(' '), name)) continue;
        const reason = reasonIn(name) ?? 'no reason given';
        if (isLeftToFull(reason)) {
          const left = `${file}: ${reason}`;
          this.#left.set(left, (this.#left.get(left) ?? 0) + 1);
          counts.left += 1;
          continue;
        }
        this.#skips.push(`${file}: ${title}`);
        if (!this.#requireAll || isAllowed(reason)) counts.skipped += 1;
        else fail(title, `skipped, and REQUIRE_ALL=1 allows no such skip: ${reason}`);
        continue;
      }
      if (this.#config.verbose === true)
        lines.push(`    ${status} ${title} (${Math.round(duration ?? 0)} ms)`);
      // jest-light-runner puts the title before the message, and indents each line by four spaces.
      if (status === 'failed')
        fail(
          title,
          failureMessages.map((text) => text.replace(/^.*\n/, '').replace(/^ {4}/gm, '')).join('\n'),
        );
      else counts.passed += 1;
    }
    if (result.testExecError) fail('the file itself', String(result.testExecError.message));
    if ((counts.failed > 0 || this.#config.verbose === true) && result.console) {
      lines.push(...result.console.map(({ message }) => indent(message, '  ')));
    }

    this.#files += 1;
    for (const key of ['passed', 'failed', 'skipped', 'left'] as const) this.#totals[key] += counts[key];
    const elapsedMs = performance.now() - (this.#started.get(path) ?? this.#begun);
    const { processorSeconds } = result as Partial<FileResult>;
    const took =
      seconds(elapsedMs) +
      (processorSeconds === undefined ? '' : `, processor ${seconds(processorSeconds * 1000)}`);
    this.#times.push({ file, elapsedMs, took });
    print(`${counts.failed > 0 ? 'FAIL' : 'ok  '} ${file}  ${countLine(counts)}  (${took})`, ...lines);
    if (counts.failed > 0) print('');
  }

  onRunComplete(): void {
    if (this.#ranNothing())
      print(this.#skips.length + this.#left.size > 0 ? '\nEvery test was skipped.' : '\nNo tests ran.');
    printList('Failed', this.#failures);
    printList('Skipped', this.#skips);
    printList(
      'Left out',
      [...this.#left].map(([left, count]) => `${left}  (${count})`),
    );
    if (this.#files > SLOWEST) {
      const slowest = this.#times.toSorted((a, b) => b.elapsedMs - a.elapsedMs).slice(0, SLOWEST);
      printList(
        `The ${SLOWEST} slowest files`,
        slowest.map(({ file, took }) => `${file}  (${took})`),
      );
    }
    print(`\n${this.#files} files in ${seconds(performance.now() - this.#begun)}`, countLine(this.#totals));
  }

  /** Jest's exit status is not 0 if a reporter has an error. */
  getLastError(): Error | undefined {
    if (this.#totals.failed > 0) return new Error('a test failed');
    return this.#ranNothing() ? new Error('no test ran') : undefined;
  }

  #ranNothing(): boolean {
    return this.#totals.passed + this.#totals.failed === 0;
  }

  /** With -t, Jest reports every other test as skipped. */
  #isChosen(fullName: string, name: string): boolean {
    const { testNamePattern } = this.#config;
    if (!testNamePattern) return true;
    return reasonIn(name) !== undefined && new RegExp(testNamePattern, 'i').test(fullName);
  }
}

function isAllowed(reason: string): boolean {
  if (ALLOWED_WITHOUT_MONGOD.test(reason)) return findMongod() === undefined;
  return ALLOWED_SKIPS.some((allowed) => allowed.test(reason));
}

function printList(title: string, entries: readonly string[]): void {
  if (entries.length > 0) print(`\n${title}:`, ...entries.map((entry) => `  ${entry}`));
}

function print(...lines: readonly string[]): void {
  process.stdout.write(`${stripVTControlCharacters(lines.join('\n'))}\n`);
}

function countLine({ passed, failed, skipped, left }: Counts): string {
  const rest = [skipped > 0 ? `, ${skipped} skipped` : '', left > 0 ? `, ${left} left to test:full` : ''];
  return `${passed} passed, ${failed} failed${rest.join('')}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function indent(text: string, margin: string): string {
  return text.trimEnd().replace(/^/gm, margin);
}
