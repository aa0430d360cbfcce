/** The two cores: one for the measured server, one for everything else. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Cores {
  readonly server: number;
  readonly generator: number;
}

/** The cores of the process before {@link pinSelf}. */
const ALLOWED = readAllowedCores();

export function allowedCores(): readonly number[] {
  return ALLOWED;
}

function readAllowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** The first two cores, or the only one twice. */
export function chooseCores(): Cores {
  const [server = 0, generator = server] = ALLOWED;
  return { server, generator };
}

/** Keeps the harness off the server's core. */
export function pinSelf({ generator }: Cores): void {
  spawnSync('taskset', ['-acp', String(generator), String(process.pid)]);
}
