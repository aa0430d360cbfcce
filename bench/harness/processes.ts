/** Child processes: pinned to cores, with a clean environment, and killed at the end. */

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
  /** Its output so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Resolves to the exit status; null when a signal ended the process. */
  readonly ended: Promise<number | null>;
  hasEnded(): boolean;
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Subjects do not inherit other settings of the harness. */
const BASE: Environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  NODE_ENV: 'production',
};

export function start(command: readonly string[], { core, cwd, env = {} }: StartOptions): Started {
  // For 'any' too, because children inherit the affinity of the harness.
  const cores = core === 'any' ? allowedCores() : [core];
  const [file = '', ...args] = ['taskset', '-c', cores.join(','), ...command];
  // Its own process group, so that its children are killed with it.
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
  // Prevents an unhandled rejection; callers that await it still get the error.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    output: () => ({
      stdout: Buffer.concat(chunks.stdout).toString(),
      stderr: Buffer.concat(chunks.stderr).toString(),
    }),
    ended,
    hasEnded: () => !running.has(child),
    async kill() {
      killGroup(child);
      await ended;
    },
  };
}

/** @throws Error with the end of the output when the command fails */
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
    // It has already ended.
  }
}
