/** How long one request may wait for the store, all its calls together. */

import { AsyncLocalStorage } from 'node:async_hooks';

export interface StorageBudget {
  /** Milliseconds left to the request that is being served; null outside of one. */
  left(): number | null;
  spend(milliseconds: number): void;
}

/** How long a call may wait: its own limit, or what its request has left. */
export function timeLeft(limitMs: number, budget: StorageBudget | undefined): number {
  return Math.max(0, Math.min(limitMs, budget?.left() ?? limitMs));
}

/** What a request has left; made when it arrives, and used by all that is done for it. */
export interface RequestBudget {
  run<T>(work: () => T): T;
}

export interface StorageBudgets {
  readonly budget: StorageBudget;
  /** Begins a request's budget. */
  begin(): RequestBudget;
}

export function createStorageBudgets(milliseconds: number): StorageBudgets {
  const current = new AsyncLocalStorage<{ left: number }>();
  return {
    budget: {
      left: () => current.getStore()?.left ?? null,
      spend: (spent) => {
        const store = current.getStore();
        if (store !== undefined) store.left -= spent;
      },
    },
    begin: () => {
      const own = { left: milliseconds };
      return { run: (work) => current.run(own, work) };
    },
  };
}
