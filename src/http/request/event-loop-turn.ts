/** Requests that arrive in the same event-loop turn are answered together, one after the other. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ReadTimestamp } from '../../storage/read-timestamp.ts';
import { now } from '../../storage/read-timestamp.ts';

let ending: Promise<ReadTimestamp> | null = null;

/**
 * Resolves when everything that has arrived by now has been read. The work for many requests then follows in a row,
 * which takes about half the time on a busy server: the code and the data are in the processor's caches, the store is
 * asked once whether it has changed, and answers leave together. On an idle server it is the next thing that happens.
 *
 * @returns the logical time of the turn's end. It is the same for all requests of the turn, and later than all of them
 */
export function endOfTurn(): Promise<ReadTimestamp> {
  ending ??= nextTurn().then(() => {
    ending = null;
    return now();
  });
  return ending;
}
