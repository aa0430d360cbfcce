/** The types of the executor. */

import type { ExecutionResult } from 'graphql';

import type { RequestContext } from '../context.ts';
import type { Operation } from './operation.ts';

export interface ExecutionRequest {
  readonly operation: Operation;
  readonly operationName?: string | null | undefined;
  /** As the client sent them; the executor coerces them. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context: RequestContext;
}

/** The result may contain JsonText, which encodeJson writes. */
export type Executor = (request: ExecutionRequest) => Promise<ExecutionResult> | ExecutionResult;
