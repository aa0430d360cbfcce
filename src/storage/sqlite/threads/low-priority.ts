/** Lets the event loop have a core before a thread that reads long. */

import { constants, getPriority, setPriority } from 'node:os';
import { platform } from 'node:process';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Of the calling thread alone. So it is on Linux (https://man7.org/linux/man-pages/man2/setpriority.2.html, "C library/kernel
 * differences"); elsewhere it would be the whole process, so nothing is done there.
 */
export function lowerPriority(): void {
  if (platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
  } catch {
    // A sandbox may forbid it. The thread works all the same.
  }
}
