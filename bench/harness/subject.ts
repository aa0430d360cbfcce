/** Subjects: server processes that are measured. */

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { CLI, subjectFile } from './paths.ts';
import type { Environment } from './processes.ts';
import { run, start } from './processes.ts';
import type { Response, Headers, HttpRequest } from './request.ts';
import { sendRequest } from './request.ts';

export interface Subject {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface SubjectOptions {
  readonly core: number | 'any';
  /** Working directory. */
  readonly folder: string;
  /** The server has started when this request succeeds. */
  readonly probe: HttpRequest;
  readonly headers: Headers;
}

export const OURS = 'Map Locations';

/** A build of our command line. */
export interface Program {
  readonly name: string;
  /** The file that Node runs. */
  readonly file: string;
  /** Options of Node, before the file. */
  readonly nodeOptions?: readonly string[];
}

/** This build, as users run it. */
export const OUR_PROGRAM: Program = { name: OURS, file: CLI };

/** Long, because a peer may read a million locations first. */
const START_TIMEOUT_MS = 600_000;
const POLL_MS = 2;

/** Starts our server, as users do. */
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

/** @param file of bench/subjects, without its extension */
export function startPeer(
  name: string,
  file: string,
  env: Environment,
  options: SubjectOptions,
): Promise<Subject> {
  return startServer(name, [process.execPath, subjectFile(file)], env, options);
}

/** Runs our command line on a store. @returns its output */
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
  const startedAt = performance.now();
  let response: Response | null = null;
  while (response?.status !== 200) {
    if (server.hasEnded() || performance.now() - startedAt > START_TIMEOUT_MS) {
      const why =
        response === null
          ? ''
          : ` It responded with ${response.status}: ${response.body.toString().slice(0, 500)}`;
      throw new Error(`${name} did not start.${why}\n${server.output().stderr.slice(-2000)}`);
    }
    await delay(POLL_MS);
    response = await sendRequest(origin, probe, headers).catch(() => null);
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
