/** Generates load with wrk. */

import { writeFileSync } from 'node:fs';

import type { Cores } from './cores.ts';
import { busyBetween, coreTimeOf, cpuSecondsOf } from './cpu.ts';
import { WRK_SCRIPT } from './paths.ts';
import { run } from './processes.ts';
import type { HttpRequest } from './request.ts';
import type { Subject } from './subject.ts';

export interface Sample {
  readonly requests: number;
  readonly perSecond: number;
  /** Requests per processor second of the server's processes. */
  readonly perCpuSecond: number;
  /** Load of the generator's core, 0 to 1. */
  readonly generatorBusy: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The samples of a subject under a load. */
export interface Measured {
  readonly name: string;
  readonly samples: readonly Sample[];
}

export interface Load {
  /** A file of requests from {@link writeRequests}. */
  readonly file: string;
  /** Number of requests in the file. */
  readonly count: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Where in the file to start, 0 to 1. */
  readonly from?: number;
}

interface Summary {
  readonly requests: number;
  readonly seconds: number;
  readonly failed: number;
  readonly broken: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function writeRequests(file: string, requests: readonly HttpRequest[]): void {
  const lines = requests.map(({ path, body }) => (body === undefined ? path : `${path}\t${body}`));
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** @throws Error when any response is not a success: the numbers would mean nothing */
export async function generateLoad(subject: Subject, load: Load, cores: Cores): Promise<Sample> {
  const start = Math.floor((load.from ?? 0) * load.count);
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const command = [
    ...['wrk', '-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`, '--timeout', '10s'],
    ...[...headers, '-s', WRK_SCRIPT, subject.origin, '--', load.file, String(start)],
  ];
  const cpuBefore = cpuSecondsOf(subject.pid);
  const coreBefore = coreTimeOf(cores.generator);
  const output = await run(command, { core: cores.generator, cwd: '/' });
  const generatorBusy = busyBetween(coreBefore, coreTimeOf(cores.generator));
  const cpuSeconds = cpuSecondsOf(subject.pid) - cpuBefore;
  const summary = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Summary;
  const { requests, failed, broken } = summary;
  if (failed > 0 || broken > 0)
    throw new Error(
      `${subject.name}: of ${requests} requests, ${failed} got an error status and ${broken} failed.`,
    );
  return {
    requests,
    perSecond: requests / summary.seconds,
    perCpuSecond: requests / cpuSeconds,
    generatorBusy,
    p50: summary.p50,
    p99: summary.p99,
    max: summary.max,
  };
}
