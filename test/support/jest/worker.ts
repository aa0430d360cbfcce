/** The process of one test file: jest-light-runner runs the file in it, as Node runs any module. */

import { readFileSync } from 'node:fs';

import LightRunner from 'jest-light-runner';

import { traceOf } from '../../../src/lib/stack-traces.ts';
import type { Order, Report } from './messages.ts';
import { TIME_IS_OVER } from './messages.ts';
import { describeError } from './describe-error.ts';

// Node's --enable-source-maps reads every map at startup, and most tests never print a stack trace.
Error.prepareStackTrace = traceOf;

/** For /proc, on every Linux platform that Node supports. */
const TICKS_PER_SECOND = 100;

let reported = false;

process.once('message', (order: Order) => void run(order));

process.on('exit', () => {
  if (!reported) process.send?.({ kind: 'unfinished', lastTest: lastTest() } satisfies Report);
});

async function run({ globalConfig, projectConfig, path }: Order): Promise<void> {
  process.on('message', (message) => {
    if (message === TIME_IS_OVER) process.exit(1);
  });
  // The runner has exited.
  process.once('disconnect', () => {
    process.once('exit', () => process.kill(-process.pid, 'SIGKILL'));
    process.exit(1);
  });
  // A file with nothing left to wait for must end, not hang.
  process.channel?.unref();
  // With one worker, jest-light-runner starts no further process.
  const runner = new LightRunner({ ...globalConfig, maxWorkers: 1 });
  await runner.runTests(
    [{ path, context: { config: projectConfig } as never }],
    undefined,
    async () => {},
    async (_test, result) =>
      report({ kind: 'result', result: { ...result, processorSeconds: processorSeconds() } }),
    async (_test, error) => report({ kind: 'error', message: describeError(error) }),
  );
}

/** Sends the outcome, and exits even if the tests have left something open. */
function report(outcome: Report): void {
  reported = true;
  process.send?.(outcome, undefined, undefined, () => process.exit());
}

/** Includes child processes, which Node does not count but Linux does. */
function processorSeconds(): number | undefined {
  try {
    // Index 0 is the third field, the state; utime, stime, cutime and cstime are fields 14 to 17.
    const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const ticks = fields.split(' ').slice(11, 15).map(Number);
    return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

function lastTest(): string | undefined {
  // Undefined if the file ended before Jest's globals existed.
  return (globalThis as { expect?: typeof expect }).expect?.getState().currentTestName;
}
