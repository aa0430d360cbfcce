/**
 * Runs the tests: `node scripts/test.mjs [file or folder …] [--name <pattern>] [--verbose]`.
 *
 * Each file is a process of its own, started here and not by `node --test`, because that (on Node 20) passes no
 * arguments on to the files, lets a hanging file hold up the run, and counts a skipped suite as nothing. What a
 * file prints is shown only when it fails. The last line is always `N passed, N failed` (and `, N skipped`).
 *
 *   TEST_CONCURRENCY   files at once (2)
 *   TEST_TIMEOUT_MS    how long one file may take (5 minutes)
 *   REQUIRE_ALL=1      a skip whose reason is not in ALLOWED_SKIPS is a failure
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { provideMongodb } from './mongodb-server.mjs';

/**
 * Reasons for which a test may be skipped even under REQUIRE_ALL=1, where everything that the machine could run has
 * to run. Each entry says why no machine of ours can be expected to run it.
 */
const ALLOWED_SKIPS = [
  // Paid or rate-limited services of others: run by hand, with a key.
  /^needs a real (Google|Mapbox|Nominatim)\b/,
  // What mongod alone shows, where the server at hand only speaks its protocol.
  /^needs mongod itself\b/,
  // Needs a second platform by its nature.
  /^only on (Windows|macOS)\b/,
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { name: { type: 'string', multiple: true }, verbose: { type: 'boolean', short: 'v' } },
});
const timeoutMs = positiveNumber('TEST_TIMEOUT_MS', 5 * 60_000);
const concurrency = positiveNumber('TEST_CONCURRENCY', 2);
const requireAll = process.env.REQUIRE_ALL === '1';

const scratch = mkdtempSync(join(tmpdir(), 'test-events-'));
const children = new Set();
process.on('exit', () => {
  for (const child of children) killGroup(child);
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const totals = { passed: 0, failed: 0, skipped: 0 };
const skips = [];
const failures = [];
const started = Date.now();

const { files, missing } = findFiles(positionals.length > 0 ? positionals : [join(root, 'test')]);
for (const path of missing) {
  console.log(`No such test file or folder: ${path}`);
  totals.failed += 1;
}
// One server for all files; looking for it can take a minute, so only where a file needs it.
const stopMongodb = files.some((file) => /mongodb/.test(file)) ? await provideMongodb() : async () => {};
const queue = files.entries();
await Promise.all(
  Array.from({ length: Math.min(concurrency, files.length) }, async () => {
    for (const [index, file] of queue) summarize(file, await runFile(file, index));
  }),
);
await stopMongodb();
finish();

function positiveNumber(variable, fallback) {
  const value = Number(process.env[variable] || fallback);
  if (!(value > 0)) throw new Error(`${variable} must be a number over 0`);
  return value;
}

function findFiles(arguments_) {
  const found = new Set();
  const absent = [];
  for (const argument of arguments_) {
    const path = resolve(argument);
    if (!existsSync(path)) absent.push(argument);
    else if (statSync(path).isFile()) found.add(path);
    else {
      for (const name of readdirSync(path, { recursive: true })) {
        if (name.endsWith('.test.ts') && !name.split(/[\\/]/).includes('node_modules')) {
          found.add(join(path, name));
        }
      }
    }
  }
  return { files: [...found].sort(), missing: absent };
}

/** Runs one file to its end, or kills it, with all that it started, after the time limit. */
function runFile(file, index) {
  const events = join(scratch, `${index}.ndjson`);
  const reporter = pathToFileURL(join(root, 'scripts/test-reporter.mjs')).href;
  const begun = Date.now();
  const child = spawn(
    process.execPath,
    [
      ...['--import', import.meta.resolve('tsx')],
      ...[`--test-reporter=${reporter}`, '--test-reporter-destination=stdout'],
      ...(options.name ?? []).map((pattern) => `--test-name-pattern=${pattern}`),
      file,
    ],
    // A process group of its own, so that a server left running by a test ends with it.
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TEST_EVENTS: events },
    },
  );
  children.add(child);
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  return new Promise((done) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child);
    }, timeoutMs);
    child.on('error', (error) => chunks.push(Buffer.from(`${error.stack}\n`)));
    // What a test left running holds the pipes open; it is killed, or, in a group of its own, no longer heard.
    child.on('exit', () => {
      killGroup(child);
      setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()), 1000).unref();
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      children.delete(child);
      const output = Buffer.concat(chunks).toString();
      done({ events: readEvents(events), output, code, signal, timedOut, ms: Date.now() - begun });
    });
  });
}

function killGroup(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Already gone, which is what is wanted.
  }
}

function readEvents(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // Without the last piece: empty, or a line cut short by a kill.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** Counts what a file did and prints one line for it, then its failures. */
function summarize(file, run) {
  const name = relative(root, file);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const problems = [];
  const lines = [];
  for (const event of run.events.filter(({ type }) => type === 'result')) {
    const verdict = judge(event);
    if (verdict === 'ignored') continue;
    const title = event.path.join(' > ');
    lines.push(`    ${verdict.padEnd(7)} ${title} (${Math.round(event.ms)} ms)`);
    if (verdict === 'skipped') {
      const reason = reasonOf(event);
      skips.push({ title: `${name}: ${title}`, reason });
      if (!requireAll || ALLOWED_SKIPS.some((allowed) => allowed.test(reason))) counts.skipped += 1;
      else {
        counts.failed += 1;
        problems.push({ title, error: `skipped, and REQUIRE_ALL=1 allows no such skip: ${reason}` });
      }
      continue;
    }
    counts[verdict] += 1;
    // Of a parent whose subtest failed there is nothing to say that the subtest does not.
    if (verdict === 'failed' && event.failureType !== 'subtestsFailed')
      problems.push({ title, error: event.error });
  }
  const crash = describeCrash(run, counts);
  if (crash !== undefined) {
    counts.failed += 1;
    problems.push({ title: 'the file itself', error: crash });
  }
  for (const key of Object.keys(totals)) totals[key] += counts[key];

  console.log(`${counts.failed > 0 ? 'FAIL' : 'ok  '} ${name}  ${countLine(counts)}  (${seconds(run.ms)})`);
  if (options.verbose) for (const line of lines) console.log(line);
  for (const { title, error } of problems) {
    failures.push(`${name}: ${title}`);
    console.log(`\n  ✖ ${title}\n${indent(error, '    ')}\n`);
  }
  if (counts.failed > 0 && run.output.trim() !== '') {
    console.log(`  what it printed (the last lines):\n${indent(tail(run.output, 60), '  | ')}\n`);
  }
}

function judge(event) {
  if (event.skip !== undefined && event.skip !== false) {
    // With --name, node:test calls every other test skipped.
    return /does not match/.test(event.skip) ? 'ignored' : 'skipped';
  }
  // A todo is not done, whether or not it happens to pass.
  if (event.todo !== undefined && event.todo !== false) return 'skipped';
  if (!event.suite) return event.passed ? 'passed' : 'failed';
  // A suite is no test, but its hooks and body can fail by themselves.
  return event.passed || event.failureType === 'subtestsFailed' ? 'ignored' : 'failed';
}

function reasonOf({ skip, todo }) {
  if (typeof skip === 'string') return skip;
  if (skip === true) return 'no reason given';
  return typeof todo === 'string' ? `todo: ${todo}` : 'todo';
}

/** Says what went wrong with the process itself, where its tests do not explain it. */
function describeCrash({ events, code, signal, timedOut }, counts) {
  if (timedOut) return `timed out after ${seconds(timeoutMs)} and was killed; ${describeUnfinished(events)}`;
  if (events.length === 0 && code === 0) return 'holds no tests';
  if (events.at(-1)?.type !== 'end') {
    const how = signal === null ? `exit code ${code}` : signal;
    return `ended (${how}) before it had reported everything; ${describeUnfinished(events)}`;
  }
  if (code !== 0 && counts.failed === 0) {
    const warnings = events.filter(({ type }) => type === 'warning').map(({ message }) => message);
    return [`exit code ${code}, though no test failed`, ...warnings].join('\n');
  }
  if (counts.passed + counts.failed + counts.skipped === 0 && options.name === undefined)
    return 'holds no tests';
  return undefined;
}

function describeUnfinished(events) {
  const open = new Set();
  for (const { type, path } of events) {
    if (type === 'begin') open.add(path.join(' > '));
    if (type === 'complete') open.delete(path.join(' > '));
  }
  if (open.size > 0) return `the last test begun: ${[...open].at(-1)}`;
  if (events.length === 0) return 'no test had begun';
  return 'all tests begun had ended, so a server, a timer or a child process may keep it alive';
}

function finish() {
  if (totals.passed + totals.failed === 0) {
    console.log(skips.length > 0 ? '\nEvery test was skipped.' : '\nNo tests ran.');
    process.exitCode = 1;
  }
  if (failures.length > 0) {
    console.log('\nFailed:');
    for (const failure of failures) console.log(`  ${failure}`);
  }
  if (skips.length > 0) {
    console.log('\nSkipped:');
    for (const { title, reason } of skips) console.log(`  ${title} (${reason})`);
  }
  if (totals.failed > 0) process.exitCode = 1;
  console.log(`\n${files.length} files in ${seconds(Date.now() - started)}`);
  console.log(countLine(totals));
}

function countLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function indent(text, margin) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => margin + line)
    .join('\n');
}

function tail(text, count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
