/** What every resolver receives: the request's scope, the services, and the request's own loaders and allowance. */

import type { Scope } from '../services/scope.ts';
import type { Services } from '../services/services.ts';
import type { AllowanceLimits } from './allowance.ts';
import { Allowance } from './allowance.ts';
import type { Loaders } from './loaders.ts';
import { createLoaders } from './loaders.ts';
import type { Streaming } from './streaming.ts';

export interface RequestContext {
  readonly scope: Scope;
  readonly services: Services;
  readonly loaders: Loaders;
  readonly allowance: Allowance;
  /** Null where the transport has one answer for each request. */
  readonly streaming: Streaming | null;
}

export function createContext(
  services: Services,
  scope: Scope,
  limits: AllowanceLimits,
  streaming: Streaming | null = null,
): RequestContext {
  const allowance = new Allowance(limits);
  return { scope, services, loaders: createLoaders(services, scope, allowance), allowance, streaming };
}
