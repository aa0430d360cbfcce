/** The built program (dist/cli/main.js) as child processes, each in a folder of its own and none outliving the test. */

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
/** Another installation of the program may be put in its place, such as the one of a package. */
export const PROGRAM = join(ROOT, 'dist/cli/main.js');

/** Longer than any start should take on a busy machine. */
const START_TIMEOUT_MS = 20_000;
const RUN_TIMEOUT_MS = 60_000;

export type Settings = Readonly<Record<string, string | undefined>>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Since the process was started. */
  readonly ms: number;
}

export interface Run extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Over nothing but PATH and HOME: the settings of whoever runs the tests have no part in them. */
  readonly env?: Settings;
  readonly program?: string;
  /** A process group, so that a signal can reach all that the command starts. */
  readonly ownGroup?: boolean;
  /** Another user, which root alone can become. */
  readonly uid?: number | undefined;
}

export interface Server {
  /** As the log says it. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to its first answer at /healthz. */
  readonly startMs: number;
  stdout(): string;
  stderr(): string;
  /** The log's lines, parsed. */
  log(): Record<string, unknown>[];
  signal(signal: NodeJS.Signals): void;
  readonly exited: Promise<Exit>;
  /** SIGTERM, and the end of it. */
  stop(): Promise<Exit>;
}

const children = new Map<ChildProcess, RunOptions>();
const folders = new Set<string>();

process.on('exit', () => {
  killPrograms();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** For `afterAll`: whatever failed, nothing is left running. */
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
    // Already gone, which is what is wanted.
  }
}

/** A folder to start in, removed with the test's process. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'map-locations-e2e-'));
  folders.add(folder);
  return folder;
}

/** Starts any command, collects what it prints, and kills it in the end. */
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
    // `close` comes after the last of what it printed.
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

/** Runs a line in bash, as a person would paste it. */
export function runShell(line: string, options: RunOptions): Promise<Run> {
  return runCommand('bash', ['-c', line], options);
}

/** `serve`, on a free port and a file in `cwd`, until it answers. */
export async function startServer(options: RunOptions): Promise<Server> {
  const program = options.program ?? PROGRAM;
  if (!existsSync(program)) throw new Error(`${program} is not there: run \`npm run build\` first.`);
  const env = {
    PORT: '0',
    DATABASE_URL: 'sqlite:store.db',
    RATE_LIMIT: '0',
    PUBLIC_RATE_LIMIT: '0',
    // The tests' machine may be busy.
    OVERLOAD_MS: '0',
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
 * Over a connection of its own. One that is kept makes the server's end longer, and one that `fetch` has closed is among
 * those that it takes by turns: a test's next request may then open a connection.
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

/** A server of a test, over a store of its own without the demo. */
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

/** Lines of a log of level warn and above. */
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

/** The processes that serve, where there are several, as the log names them. */
export function workersOf(server: Server): readonly number[] {
  return server
    .log()
    .filter(({ msg }) => /^Worker listening/.test(String(msg)))
    .map(({ pid }) => Number(pid));
}
