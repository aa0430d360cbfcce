/** What a process uses, as Linux tells it. */

import { readFileSync } from 'node:fs';

/** Resident memory, MB. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** Milliseconds of processor that the process has used, to ten of them. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may hold anything: the 14th and 15th fields, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
