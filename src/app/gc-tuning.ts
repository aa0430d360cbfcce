/** How much V8 lets lie before it collects the whole heap. */

import { setFlagsFromString } from 'node:v8';

/**
 * Percent of what is alive that may come on top of it. On one core V8 lets a heap as small as ours grow by a few megabytes
 * and counts the bytes of answers: a busy server collected its whole heap five times a second.
 */
const GROWTH_PERCENT = 150;

/** From the next collection on; docs/decisions/0026-gc-tuning.md. */
export function tuneGarbageCollection(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
