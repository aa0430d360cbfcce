/** Runs the program in a separate process, with its own folder and database. */

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly outcome: Promise<Outcome>;
}

export interface Workspace {
  readonly folder: string;
  readonly databaseUrl: string;
  /** Settings besides DATABASE_URL. */
  readonly environment: Record<string, string>;
  path(name: string): string;
  start(...args: string[]): Running;
  run(...args: string[]): Promise<Outcome>;
  /** Like `run`, with a file as stdin. */
  runFrom(file: string, ...args: string[]): Promise<Outcome>;
  /** Like `run`, for a command that must succeed. @returns its stdout without the line end */
  get(...args: string[]): Promise<string>;
  remove(): void;
}

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** Node arguments for the build, which starts twice as fast; for the sources where the build is out of date. */
function programArguments(): string[] {
  const built = join(DIST, 'cli/main.js');
  const builtAt = statSync(join(DIST, '.stamp.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const isCurrent = names.every((name) => statSync(join(SOURCES, name)).mtimeMs < builtAt);
  return isCurrent ? [built] : ['--import', import.meta.resolve('tsx'), join(SOURCES, 'cli/main.ts')];
}

/** The arguments of Node. */
export const PROGRAM = programArguments();

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'map-locations-cli-'));
  const databaseUrl = `sqlite:${join(folder, 'test.db')}`;
  const environment: Record<string, string> = {};

  const startWith = (stdin: 'pipe' | number, args: readonly string[]): Running => {
    const child = spawn(process.execPath, [...PROGRAM, ...args], {
      cwd: folder,
      stdio: [stdin, 'pipe', 'pipe'],
      // Hides this machine's settings; a process may rely on PATH and HOME.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: databaseUrl, ...environment },
    });
    const outcome = new Promise<Outcome>((done, fail) => {
      let stdout = '';
      let stderr = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.on('error', fail);
      child.on('close', (code) => done({ code, stdout, stderr }));
    });
    return { child, outcome };
  };

  const start = (...args: string[]) => startWith('pipe', args);
  const run = (...args: string[]) => {
    const { child, outcome } = start(...args);
    child.stdin?.end();
    return outcome;
  };

  return {
    folder,
    databaseUrl,
    environment,
    path: (name) => join(folder, name),
    start,
    run,
    async runFrom(file, ...args) {
      const stdin = openSync(file, 'r');
      try {
        return await startWith(stdin, args).outcome;
      } finally {
        closeSync(stdin);
      }
    },
    async get(...args) {
      const { code, stdout, stderr } = await run(...args);
      if (code !== 0) throw new Error(`map-locations ${args.join(' ')} ended with ${code}:\n${stderr}`);
      return stdout.trimEnd();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
