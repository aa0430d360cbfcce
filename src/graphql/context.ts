/** What every resolver is given: who asks, the services, and the request's own memory. */

import type { Bounds } from '../services/bounds.ts';
import type { Caller } from '../services/caller.ts';
import type { Services } from '../services/services.ts';
import type { RowBudget } from './budget.ts';
import { createRowBudget } from './budget.ts';
import type { Loaders } from './loaders.ts';
import { createLoaders } from './loaders.ts';

export interface RequestContext {
  /** Null where the request carries no token. */
  readonly caller: Caller | null;
  readonly services: Services;
  readonly loaders: Loaders;
  readonly budget: RowBudget;
  readonly bounds: Bounds;
}

/** @param maxRows maps and locations that one operation may read */
export function createContext(
  services: Services,
  caller: Caller | null,
  maxRows: number,
  bounds: Bounds,
): RequestContext {
  return {
    caller,
    services,
    loaders: createLoaders(services, caller),
    budget: createRowBudget(maxRows),
    bounds,
  };
}
