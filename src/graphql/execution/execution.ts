/** The types of an execution. */

import type { ExecutionResult } from 'graphql';

import type { RequestContext } from '../context.ts';
import type { Operation } from './operation.ts';

export interface ExecutionRequest {
  readonly operation: Operation;
  readonly operationName?: string | null | undefined;
  /** As the client sent them. The executor coerces them. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context: RequestContext;
}

/** The result may hold JsonText; encodeJson writes it. */
export type Executor = (request: ExecutionRequest) => Promise<ExecutionResult> | ExecutionResult;
