/** Waits for what nothing tells of. */

import { setTimeout as delay } from 'node:timers/promises';

/** Long enough for a busy machine: what does not come would otherwise be told as the whole file's time being over. */
export const PATIENCE_MS = 60_000;
const PAUSE_MS = 5;
/** Where the machine is busy each of them takes longer, and so the patience is longer. */
const FEWEST_TRIES = 100;

/**
 * Asks again and again until it is so.
 *
 * @param what to be told where it is not so in time
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string | (() => string),
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; !(await isSo()); tries += 1) {
    if (tries >= FEWEST_TRIES && performance.now() > deadline)
      throw new Error(`Not in time: ${typeof what === 'string' ? what : what()}`);
    await delay(PAUSE_MS);
  }
}
