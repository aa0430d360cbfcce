import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 20;

/** Lets other work of this process go on before a lock is tried again. */
export async function lockPause(): Promise<void> {
  // A random time: SQLite keeps no queue, and processes in step would starve one another.
  await delay(1 + Math.random() * LONGEST_PAUSE_MS);
}
