/** Polls for conditions without a notification. */

import { setTimeout as delay } from 'node:timers/promises';

/** Long enough for a busy machine, but below the time limit of a test file, so that the failure names the condition. */
export const PATIENCE_MS = 60_000;
const PAUSE_MS = 5;
/** On a busy machine each try takes longer, which extends the timeout. */
const FEWEST_TRIES = 100;

/**
 * Polls until the condition holds.
 *
 * @param what description of the condition for the timeout error
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; !(await condition()); tries += 1) {
    if (tries >= FEWEST_TRIES && performance.now() > deadline)
      throw new Error(`Not in time: ${typeof what === 'string' ? what : what()}`);
    await delay(PAUSE_MS);
  }
}
