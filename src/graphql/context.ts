/** What every resolver is given: for whom it works, the services, and the request's own memory. */

import type { Scope } from '../services/scope.ts';
import type { Services } from '../services/services.ts';
import type { AllowanceLimits } from './allowance.ts';
import { Allowance } from './allowance.ts';
import type { Loaders } from './loaders.ts';
import { createLoaders } from './loaders.ts';

export interface RequestContext {
  readonly scope: Scope;
  readonly services: Services;
  readonly loaders: Loaders;
  readonly allowance: Allowance;
}

export function createContext(services: Services, scope: Scope, limits: AllowanceLimits): RequestContext {
  const allowance = new Allowance(limits);
  return { scope, services, loaders: createLoaders(services, scope, allowance), allowance };
}
