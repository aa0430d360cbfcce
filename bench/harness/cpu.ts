/** Processor time and memory of processes, and load of cores, from /proc. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor seconds of a process and its descendants, since each started. */
export function cpuSecondsOf(pid: number): number {
  const ticks = processTreeOf(pid).map((member) => {
    // The name, in parentheses, is the only field that may contain spaces.
    const fields = readFileSync(`/proc/${member}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** Resident memory of a process and its descendants, in MiB. */
export function residentMegabytesOf(pid: number): number {
  const kilobytes = processTreeOf(pid).map((member) =>
    Number(/^VmRSS:\s*([0-9]+)/m.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

function processTreeOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processTreeOf)];
}

export interface CoreTime {
  readonly busy: number;
  readonly total: number;
}

/** The time of a core since boot, in ticks. */
export function coreTimeOf(core: number): CoreTime {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, interrupts = 0, soft = 0, steal = 0] = line
    .split(' ')
    .map(Number);
  const busy = user + nice + system + interrupts + soft + steal;
  return { busy, total: busy + idle + wait };
}

/** @returns from 0 to 1 */
export function busyBetween(before: CoreTime, after: CoreTime): number {
  return (after.busy - before.busy) / Math.max(1, after.total - before.total);
}
