/** Commands that work on one map. */

import type { Config } from '../app/config.ts';
import type { StoreApplication } from '../app/composition/store.ts';
import type { Caller } from '../services/caller.ts';
import { runCommand } from './run.ts';

/** Works on a map on behalf of its owner. */
export function withMap(
  id: string,
  work: (application: StoreApplication, caller: Caller, config: Config) => Promise<void>,
): Promise<void> {
  return runCommand(async (application, config) => {
    const { findOwnedMap, operatorFor } = await import('../services/operator.ts');
    const { owner } = await findOwnedMap(application.storage, id);
    await work(application, operatorFor(owner), config);
  });
}
