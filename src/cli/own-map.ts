/** Commands that work on one map. */

import type { Config } from '../app/config.ts';
import type { Gateway } from '../app/composition/gateway.ts';
import type { Caller } from '../services/caller.ts';
import { runCommand } from './run.ts';

/** Works on a map on behalf of its owner. */
export function withMap(
  id: string,
  work: (gateway: Gateway, caller: Caller, config: Config) => Promise<void>,
): Promise<void> {
  return runCommand(async (gateway, config) => {
    const { findOwnedMap, operatorFor } = await import('../services/operator.ts');
    const { owner } = await findOwnedMap(gateway.storage, id);
    await work(gateway, operatorFor(owner), config);
  });
}
