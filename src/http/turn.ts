/** Requests that have arrived at the same moment are answered one after the other, not each between two reads. */

import { setImmediate as turn } from 'node:timers/promises';

let ending: Promise<void> | null = null;

/**
 * Resolves when everything that has arrived by now has been read. What follows is then done for many requests in a row,
 * which takes about half the time on a busy server: the code and the data are at hand, the store is asked once whether
 * it has changed, and answers leave together. On an idle server it is the next thing that happens.
 */
export function endOfTurn(): Promise<void> {
  ending ??= turn().then(() => {
    ending = null;
  });
  return ending;
}
