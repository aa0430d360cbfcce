/**
 * Jest's runner: runs each test file in its own process, with jest-light-runner (worker.ts). That package's own worker
 * processes are shared by files, have no time limit, and do not stop what a test leaves running.
 */

import { fork } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Test, TestResult } from '@jest/reporters';
import PQueue from 'p-queue';

import type { Compiled } from './compile.ts';
import { compile } from './compile.ts';
import type { Order, Report } from './messages.ts';
import { TIME_IS_OVER } from './messages.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const V8_OPTIONS = [
  // Parallel garbage collection takes more processor time, and no other core is idle.
  '--single-threaded-gc',
  // A large young generation saves a tenth of the processor time: more objects die before a collection.
  ...['--min-semi-space-size=64', '--max-semi-space-size=64'],
  // V8 optimizes a function after four times the usual work: most files end before optimization pays off. Later
  // versions of Node reject the option.
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=300000'] : []),
];
/** How long a file that exceeded its time limit has to report its current test and remove its folders. */
const LAST_WORDS_MS = 2_000;
/** The longest files, slowest first. They start first, so that the last processes end together. */
const LONGEST = [
  'contract/mongodb',
  'e2e/webhooks',
  'contract/mongodb-search',
  'cli/import-cases',
  'http/console.browser',
  'http/map-page.browser',
  'e2e/kills/kills',
  'storage/mongodb/operation',
  'storage/mongodb/writes/reservations',
  'storage/mongodb/changes',
  'storage/mongodb/change-stream-notifier',
  'storage/mongodb/locations/move',
  'e2e/restore',
  'e2e/canaries/canaries',
  'http/graphiql.browser',
  'storage/mongodb/proof',
  'services/secrets/secret-rotation',
  'cli/import-resume',
  'e2e/attacks/documents',
  'http/console-import.browser',
  'e2e/workers',
  'e2e/shutdown-under-load',
  'graphql/selections',
  'contract/mongodb-clusters',
  'e2e/shutdown',
  'http/console-address.browser',
  'http/console-form.browser',
  'e2e/attacks/responses',
  'storage/mongodb/writes/crash',
  'http/console-list.browser',
  'transfer/export/batches',
  'e2e/package',
  'contract/sqlite',
  'storage/mongodb/explain',
  'http/live/ends',
  'e2e/client-package',
  'e2e/secret-key',
];
/** The number of output lines shown for a failed file. */
const SHOWN_LINES = 60;

interface Options {
  readonly timeoutMs: number;
}

interface End {
  readonly report: Report | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly output: string;
}

export default class FileRunner {
  readonly #globalConfig: { readonly maxWorkers: number };
  readonly #options: Options;
  readonly #running = new Set<number>();

  constructor(globalConfig: { readonly maxWorkers: number }, _context: unknown, options: Options) {
    this.#globalConfig = globalConfig;
    this.#options = options;
  }

  async runTests(
    tests: readonly Test[],
    _watcher: unknown,
    onStart: (test: Test) => Promise<void>,
    onResult: (test: Test, result: TestResult) => Promise<void>,
    onFailure: (test: Test, error: { message: string; stack: string }) => Promise<void>,
  ): Promise<void> {
    const [first] = tests;
    if (first === undefined) return;
    const { rootDir, setupFilesAfterEnv } = first.context.config;
    const sources = [WORKER, ...setupFilesAfterEnv, ...tests.map(({ path }) => path)];
    const { folder, pathOf, remove } = await compile(rootDir, sources);
    // For the programs that tests start.
    process.env['COMPILED_TESTS'] = pathToFileURL(folder).href;
    const scratch = mkdtempSync(join(tmpdir(), 'map-locations-tests-'));
    process.on('exit', () => {
      for (const pid of this.#running) killGroup(pid);
      remove();
      rmSync(scratch, { recursive: true, force: true });
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => process.exit(130));

    const queue = new PQueue({ concurrency: this.#globalConfig.maxWorkers });
    await Promise.all(
      longestFirst(tests).map((test, index) =>
        queue.add(async () => {
          await onStart(test);
          const end = await this.#run(test, pathOf, join(scratch, `${index}.txt`));
          if (end.report?.kind === 'result') {
            const { path: testFilePath } = test;
            await onResult(test, { ...end.report.result, testFilePath, console: consoleOf(end.output) });
          } else {
            const message = this.#describe(end) + printed(end.output);
            await onFailure(test, { message, stack: message });
          }
        }),
      ),
    );
  }

  /** Runs a file. After the time limit, kills it with all the processes that it started. */
  #run({ path, context }: Test, pathOf: Compiled['pathOf'], outputPath: string): Promise<End> {
    const output = openSync(outputPath, 'w');
    const child = fork(pathOf(WORKER), {
      execArgv: V8_OPTIONS,
      // A separate process group, so that processes left running by a test end with it.
      detached: true,
      // A file, since a process left running would hold a pipe open.
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    const { pid } = child;
    if (pid !== undefined) this.#running.add(pid);
    let report: Report | undefined;
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.send(TIME_IS_OVER, () => {});
      setTimeout(() => pid !== undefined && killGroup(pid), LAST_WORDS_MS).unref();
    }, this.#options.timeoutMs);
    const setupFilesAfterEnv = context.config.setupFilesAfterEnv.map(pathOf);
    child.send({
      globalConfig: this.#globalConfig,
      projectConfig: { ...context.config, setupFilesAfterEnv },
      path: pathOf(path),
    } satisfies Order);
    child.on('message', (message) => (report = message as Report));
    child.on('exit', () => {
      clearTimeout(timer);
      if (pid === undefined) return;
      killGroup(pid);
      this.#running.delete(pid);
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      // Emitted after the last message has been read.
      child.on('close', (code, signal) =>
        resolve({ report, code, signal, timedOut, output: readFileSync(outputPath, 'utf8') }),
      );
    });
  }

  #describe({ report, code, signal, timedOut }: End): string {
    if (report?.kind === 'error') return report.message;
    const at =
      report?.kind === 'unfinished' && report.lastTest !== undefined
        ? `the last test begun: ${report.lastTest}`
        : 'it has not said at which test it was';
    if (timedOut) return `timed out after ${this.#options.timeoutMs / 1000} s and was ended; ${at}`;
    return `ended (${signal ?? `exit code ${code}`}) before all its tests had; ${at}`;
  }
}

function longestFirst(tests: readonly Test[]): Test[] {
  const rank = ({ path }: Test) => {
    const index = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
    return index < 0 ? LONGEST.length : index;
  };
  return [...tests].sort((a, b) => rank(a) - rank(b));
}

function killGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

/** A file's output in the form that Jest's reporters expect. */
function consoleOf(output: string): TestResult['console'] {
  if (output.trim() === '') return undefined;
  return [{ message: printed(output), origin: '', type: 'log' }];
}

function printed(output: string): string {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  if (output.trim() === '') return '';
  return `\nwhat it printed (the last lines):\n${lines.map((line) => `| ${line}`).join('\n')}`;
}
