/** Child processes: each pinned, with an environment of its own, and none left behind. */

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';

import { allowedCores } from './cores.ts';

export type Environment = Readonly<Record<string, string>>;

export interface StartOptions {
  readonly core: number | 'any';
  readonly cwd: string;
  readonly env?: Environment;
}

export interface Started {
  readonly pid: number;
  /** What it printed on stdout so far, and on stderr. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Resolves to the exit status, null where a signal ended it. */
  readonly ended: Promise<number | null>;
  isGone(): boolean;
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Settings of whoever runs the harness are no settings of a subject. */
const BASE: Environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  NODE_ENV: 'production',
};

export function start(command: readonly string[], { core, cwd, env = {} }: StartOptions): Started {
  // Said also for any core, since the harness, which they inherit from, keeps to one.
  const cores = core === 'any' ? allowedCores() : [core];
  const [file = '', ...args] = ['taskset', '-c', cores.join(','), ...command];
  // In a group of its own, so that what it starts can be ended with it.
  const child = spawn(file, args, {
    cwd,
    env: { ...BASE, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  // Whoever waits hears of it; a server nobody waits for is missed soon enough.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    output: () => ({
      stdout: Buffer.concat(chunks.stdout).toString(),
      stderr: Buffer.concat(chunks.stderr).toString(),
    }),
    ended,
    isGone: () => !running.has(child),
    async kill() {
      killGroup(child);
      await ended;
    },
  };
}

/** @throws Error where it fails, with the last of what it said */
export async function run(command: readonly string[], options: StartOptions): Promise<string> {
  const started = start(command, options);
  const code = await started.ended;
  const { stdout, stderr } = started.output();
  if (code !== 0)
    throw new Error(`${command.join(' ')} failed (${code}):\n${stderr.slice(-2000)}${stdout.slice(-2000)}`);
  return stdout;
}

export function killAll(): void {
  for (const child of running) killGroup(child);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Already gone, which is what is wanted.
  }
}
