/** Commands that work on one map. */

import type { Gateway } from '../gateway.ts';
import type { Caller } from '../services/caller.ts';
import { runCommand } from './run.ts';

/** Works on a map on behalf of its owner. */
export function withMap(
  id: string,
  work: (gateway: Gateway, caller: Caller) => Promise<void>,
): Promise<void> {
  return runCommand(async (gateway) => {
    const { findOwnedMap, operatorFor } = await import('../services/operator.ts');
    const { owner } = await findOwnedMap(gateway.storage, id);
    await work(gateway, operatorFor(owner));
  });
}
