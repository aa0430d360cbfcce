/** The context of every resolver: the request's scope, the services, loaders and the operation's budget. */

import type { Scope } from '../services/scope.ts';
import type { Services } from '../services/services.ts';
import type { BudgetLimits } from './limits/operation-budget.ts';
import { OperationBudget } from './limits/operation-budget.ts';
import type { Loaders } from './loaders.ts';
import { createLoaders } from './loaders.ts';

/**
 * The responses of a subscription, each the JSON text of a whole result. Ends when its source does, and rejects if
 * that fails.
 */
export type Responses = AsyncIterableIterator<string>;

/** What a streaming transport adds to the request's context. */
export interface Streaming {
  /** True for GET, which must not change anything. */
  readonly isReadOnly: boolean;
  /** Whether the client has unread data. */
  isBlocked(): boolean;
  /** Creates the context of the next response. */
  renew(): RequestContext;
  /** Set once a subscription has started; its first result is then meaningless. */
  responses: Responses | null;
}

export interface RequestContext {
  readonly scope: Scope;
  readonly services: Services;
  readonly loaders: Loaders;
  readonly budget: OperationBudget;
  /** Null if the transport has a single response per request. */
  readonly streaming: Streaming | null;
}

export function createContext(
  services: Services,
  scope: Scope,
  limits: BudgetLimits,
  streaming: Streaming | null = null,
): RequestContext {
  const budget = new OperationBudget(limits);
  return { scope, services, loaders: createLoaders(services, scope, budget), budget, streaming };
}
