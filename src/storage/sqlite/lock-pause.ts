import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 20;

/** Lets other work of this process go on before it tries again to get a lock. */
export async function lockPause(): Promise<void> {
  // The time is random: SQLite has no queue, so processes in step would starve one another.
  await delay(1 + Math.random() * LONGEST_PAUSE_MS);
}
