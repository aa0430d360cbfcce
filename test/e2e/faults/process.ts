/** Resource limits and usage of a running process, on Linux only. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The skip reason on other systems. */
export const NEEDS_PRLIMIT =
  'needs Linux with prlimit (util-linux), to change the limits of a running process';

export const hasPrlimit = existsSync('/usr/bin/prlimit') && existsSync('/proc/self/fd');

/** Changes the soft limit of a running process. */
export function limit(pid: number, resource: 'nofile' | 'fsize', soft: number | 'unlimited'): void {
  execFileSync('/usr/bin/prlimit', ['--pid', String(pid), `--${resource}=${soft}:`]);
}

/** The open file descriptors of a process. */
export function descriptorsOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/fd`).map(Number);
}

/** Resident memory of a process, bytes. */
export function residentBytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Processor ticks of a process, in user and kernel mode. */
export function processorTicksOf(pid: number): number {
  // The second value is a name in brackets, which may hold anything.
  const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(values[11]) + Number(values[12]);
}
