/**
 * The reporter inside each test process: one JSON line per finished test, for scripts/test.mjs to count and print.
 * It writes to a file of its own (TEST_EVENTS), not to stdout, so that what a test prints cannot be taken for a
 * result; and synchronously, so that a process that dies has still told what it had finished.
 */
import { appendFileSync } from 'node:fs';
import { inspect, stripVTControlCharacters } from 'node:util';

const file = process.env.TEST_EVENTS;
// A test may start programs of its own; they are not to write here.
delete process.env.TEST_EVENTS;

export default async function* report(source) {
  // Names of the enclosing suites, by depth. `test:start` comes in the order of declaration, together with the
  // results; `test:dequeue` comes when a test really begins, which is what one wants to know of a hanging file.
  const reported = [];
  const running = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') reported[data.nesting] = data.name;
    else if (type === 'test:dequeue') {
      running.length = data.nesting;
      running[data.nesting] = data.name;
      write({ type: 'begin', path: running });
    } else if (type === 'test:complete') {
      write({ type: 'complete', path: [...running.slice(0, data.nesting), data.name] });
    } else if (type === 'test:diagnostic' && /^(Warning|Error): /.test(data.message)) {
      // How node:test tells of an error that was thrown when its test had already ended.
      write({ type: 'warning', message: data.message });
    } else if (type === 'test:pass' || type === 'test:fail') {
      const path = [...reported.slice(0, data.nesting), data.name];
      const error = type === 'test:fail' ? data.details.error : undefined;
      write({
        type: 'result',
        path,
        suite: data.details.type === 'suite',
        passed: type === 'test:pass',
        skip: data.skip,
        todo: data.todo,
        ms: data.details.duration_ms,
        failureType: error?.failureType,
        // Some libraries colour their messages without looking where they go.
        error: error && stripVTControlCharacters(describe(error)),
      });
    }
  }
  write({ type: 'end' });
  yield '';
}

function write(event) {
  appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** node:test wraps what a test threw; the reader wants the thrown thing, its stack and its causes. */
function describe(wrapped) {
  const thrown = wrapped.code === 'ERR_TEST_FAILURE' ? (wrapped.cause ?? wrapped) : wrapped;
  const prefix = wrapped.failureType === 'hookFailed' ? `${wrapped.message}\n` : '';
  return prefix + describeError(thrown, 0);
}

function describeError(error, depth) {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error, { depth: 4 });
  const parts = [withoutForeignFrames(error.stack ?? String(error))];
  if (depth < 4) {
    if (error.cause !== undefined) parts.push(`caused by: ${describeError(error.cause, depth + 1)}`);
    for (const inner of error.errors ?? []) parts.push(`one of: ${describeError(inner, depth + 1)}`);
  }
  return parts.join('\n');
}

/** Frames of Node and of packages say nothing of the failure, unless there are no others. */
function withoutForeignFrames(stack) {
  const lines = stack.split('\n');
  const own = lines.filter((line) => !/^\s+at .*(node:|node_modules)/.test(line));
  return (own.some((line) => /^\s+at /.test(line)) ? own : lines).join('\n');
}
