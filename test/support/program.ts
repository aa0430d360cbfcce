/** The built program (dist/cli/main.js) as child processes, each in its own folder; none outlives the test. */

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Tests can run another installation instead, such as one from the package. */
export const PROGRAM = join(ROOT, 'dist/cli/main.js');

/** Longer than any startup should take on a busy machine. */
const START_TIMEOUT_MS = 20_000;
const RUN_TIMEOUT_MS = 60_000;

export type Settings = Readonly<Record<string, string | undefined>>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Since the process started. */
  readonly ms: number;
}

export interface Run extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Added to only PATH and HOME: settings from the tests' own environment do not apply. */
  readonly env?: Settings;
  readonly program?: string;
  /** A process group, so that a signal reaches all that the command starts. */
  readonly ownGroup?: boolean;
  /** Another user; only root can switch users. */
  readonly uid?: number | undefined;
}

export interface Server {
  /** From the log. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to its first response at /healthz. */
  readonly startMs: number;
  stdout(): string;
  stderr(): string;
  /** The log's lines, parsed. */
  log(): Record<string, unknown>[];
  signal(signal: NodeJS.Signals): void;
  readonly exited: Promise<Exit>;
  /** Sends SIGTERM, and waits for the exit. */
  stop(): Promise<Exit>;
}

const children = new Map<ChildProcess, RunOptions>();
const folders = new Set<string>();

process.on('exit', () => {
  killPrograms();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** For `afterAll`: kills all programs, even after a failure. */
export function killPrograms(): void {
  for (const [child, { ownGroup = false }] of children) {
    if (ownGroup && child.pid !== undefined) killGroup(child.pid);
    else child.kill('SIGKILL');
  }
  children.clear();
}

function killGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

/** A working directory, removed when the test's process exits. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'map-locations-e2e-'));
  folders.add(folder);
  return folder;
}

/** Starts any command, collects its output, and kills it at the end. */
export function spawnCommand(command: string, args: readonly string[], options: RunOptions) {
  const { cwd, env, ownGroup = false, uid } = options;
  const begun = performance.now();
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
    uid,
  });
  children.set(child, options);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject);
    // `close` is emitted after the last output.
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal, ms: performance.now() - begun });
    });
  });
  return {
    child,
    exited,
    stdout: () => Buffer.concat(out).toString(),
    stderr: () => Buffer.concat(err).toString(),
  };
}

/** Runs a command to its end. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: RunOptions & { readonly timeoutMs?: number },
): Promise<Run> {
  const { child, exited, stdout, stderr } = spawnCommand(command, args, options);
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? RUN_TIMEOUT_MS);
  const exit = await exited;
  clearTimeout(timer);
  return { ...exit, stdout: stdout(), stderr: stderr() };
}

/** Runs a command of the program to its end. */
export function runProgram(args: readonly string[], options: RunOptions): Promise<Run> {
  return runCommand(process.execPath, [options.program ?? PROGRAM, ...args], options);
}

/** Runs a line in bash, as if pasted by a user. */
export function runShell(line: string, options: RunOptions): Promise<Run> {
  return runCommand('bash', ['-c', line], options);
}

/** Starts `serve` on a free port and a file in `cwd`, and waits until it responds. */
export async function startServer(options: RunOptions): Promise<Server> {
  const program = options.program ?? PROGRAM;
  if (!existsSync(program)) throw new Error(`${program} does not exist: run \`npm run build\` first.`);
  const env = {
    PORT: '0',
    DATABASE_URL: 'sqlite:store.db',
    RATE_LIMIT: '0',
    PUBLIC_RATE_LIMIT: '0',
    // The test machine may be busy.
    OVERLOAD_MS: '0',
    DATABASE_TIMEOUT_MS: '20000',
    ...options.env,
  };
  const begun = performance.now();
  const { child, exited, stdout, stderr } = spawnCommand(process.execPath, [program, 'serve'], {
    ...options,
    env,
  });
  const log = () => stderr().split('\n').flatMap(parseLine);
  const url = await waitFor(() => listeningUrl(log()), exited, stderr);
  await waitFor(() => isHealthy(url), exited, stderr);
  const startMs = performance.now() - begun;
  const stop = async () => {
    child.kill('SIGTERM');
    return exited;
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    startMs,
    stdout,
    stderr,
    log,
    signal: (signal) => void child.kill(signal),
    exited,
    stop,
  };
}

/**
 * Uses a separate connection. A kept-alive one would delay the server's shutdown, and one that `fetch` closes could
 * make a test's next request open a new connection.
 */
async function isHealthy(url: string): Promise<true | undefined> {
  const request = get(`${url}/healthz`, { agent: false });
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'close');
    return response.statusCode === 200 || undefined;
  } catch {
    return undefined;
  }
}

/** A server on its own store, without the demo. */
export function startPlainServer(cwd: string, env: Settings = {}): Promise<Server> {
  return startServer({ cwd, env: { DEMO: '0', ...env } });
}

async function waitFor<T>(
  look: () => T | undefined | Promise<T | undefined>,
  exited: Promise<Exit>,
  stderr: () => string,
): Promise<T> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  let exit: Exit | undefined;
  void exited.then((value) => (exit = value));
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (exit !== undefined)
      throw new Error(`The server ended with ${exit.code ?? exit.signal}:\n${stderr()}`);
    if (performance.now() > deadline) throw new Error(`The server did not start:\n${stderr()}`);
    await delay(5);
  }
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Log lines of level warn and above. */
export function failuresIn(log: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return log.filter(({ level }) => ['warn', 'error', 'fatal'].includes(String(level)));
}

function listeningUrl(log: readonly Record<string, unknown>[]): string | undefined {
  return log.map(({ msg }) => /^Server listening at (http:\S+)$/.exec(String(msg))?.[1]).find(Boolean);
}

function parseLine(line: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
  } catch {
    return [];
  }
}

/** The worker processes that the log names. */
export function workersOf(server: Server): readonly number[] {
  return server
    .log()
    .filter(({ msg }) => /^Worker listening/.test(String(msg)))
    .map(({ pid }) => Number(pid));
}
