/** A server under measurement: a process of its own, up and answering. */

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { CLI, subjectFile } from './paths.ts';
import type { Environment } from './processes.ts';
import { run, start } from './processes.ts';
import type { Response, Headers, HttpRequest } from './request.ts';
import { ask } from './request.ts';

export interface Subject {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface SubjectOptions {
  readonly core: number | 'any';
  /** The folder it runs in. */
  readonly folder: string;
  /** What it has to answer with success before it counts as started. */
  readonly probe: HttpRequest;
  readonly headers: Headers;
}

export const OURS = 'Map Locations';

/** A build of our own command line. */
export interface Program {
  readonly name: string;
  /** What Node runs. */
  readonly file: string;
  /** Of Node, before the file. */
  readonly nodeOptions?: readonly string[];
}

/** This build, as a user has it. */
export const OUR_PROGRAM: Program = { name: OURS, file: CLI };

/** Some peers read a million locations first. */
const START_TIMEOUT_MS = 600_000;
const POLL_MS = 2;

/** Our server, as a user runs it. */
export function startOurs(
  databaseUrl: string,
  options: SubjectOptions,
  env: Environment = {},
  program: Program = OUR_PROGRAM,
): Promise<Subject> {
  const { name, file, nodeOptions = [] } = program;
  const command = [process.execPath, ...nodeOptions, file, 'serve'];
  return startServer(name, command, { ...settingsOf(databaseUrl), ...env }, options);
}

/** A peer of bench/subjects. */
export function startPeer(
  name: string,
  file: string,
  env: Environment,
  options: SubjectOptions,
): Promise<Subject> {
  return startServer(name, [process.execPath, subjectFile(file)], env, options);
}

/** Runs our command line on a store; resolves to what it printed. */
export async function cli(
  databaseUrl: string,
  args: readonly string[],
  cwd: string,
  { file }: Program = OUR_PROGRAM,
): Promise<string> {
  const env = settingsOf(databaseUrl);
  return (await run([process.execPath, file, ...args], { core: 'any', cwd, env })).trim();
}

export function settingsOf(databaseUrl: string): Environment {
  const limits = { RATE_LIMIT: '0', PUBLIC_RATE_LIMIT: '0' };
  return { DATABASE_URL: databaseUrl, DEMO: '0', GEOCODER: 'offline', LOG_LEVEL: 'warn', ...limits };
}

async function startServer(
  name: string,
  command: readonly string[],
  env: Environment,
  { core, folder, probe, headers }: SubjectOptions,
): Promise<Subject> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = start(command, { core, cwd: folder, env: { ...env, PORT: String(port) } });
  const begun = performance.now();
  let response: Response | null = null;
  while (response?.status !== 200) {
    if (server.isGone() || performance.now() - begun > START_TIMEOUT_MS) {
      const why =
        response === null ? '' : ` It answered ${response.status}: ${response.body.toString().slice(0, 500)}`;
      throw new Error(`${name} did not start.${why}\n${server.output().stderr.slice(-2000)}`);
    }
    await delay(POLL_MS);
    response = await ask(origin, probe, headers).catch(() => null);
  }
  return { name, origin, pid: server.pid, stop: () => server.kill() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
