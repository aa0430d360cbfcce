/** What every resolver receives: the request's scope, the services, and the request's own loaders and allowance. */

import type { Scope } from '../services/scope.ts';
import type { Services } from '../services/services.ts';
import type { BudgetLimits } from './limits/operation-budget.ts';
import { OperationBudget } from './limits/operation-budget.ts';
import type { Loaders } from './loaders.ts';
import { createLoaders } from './loaders.ts';

/** The answers of a subscription as JSON texts of whole results. Ends when its source does; rejects where that fails. */
export type Responses = AsyncIterableIterator<string>;

/** What a transport that can stream gives to the request's context. */
export interface Streaming {
  /** True for a request that must change nothing: a GET. */
  readonly isReadOnly: boolean;
  /** Whether the client has not yet taken all that was sent to it. */
  isBlocked(): boolean;
  /** The context for one more answer. */
  renew(): RequestContext;
  /** Set where the operation is a subscription that was begun: then its first result means nothing. */
  responses: Responses | null;
}

export interface RequestContext {
  readonly scope: Scope;
  readonly services: Services;
  readonly loaders: Loaders;
  readonly budget: OperationBudget;
  /** Null where the transport has one answer for each request. */
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
