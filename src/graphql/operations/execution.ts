/** What it is to execute an operation. */

import type { ExecutionResult } from 'graphql';

import type { RequestContext } from '../context.ts';
import type { Operation } from './operation.ts';

export interface ExecutionRequest {
  readonly operation: Operation;
  readonly operationName?: string | null | undefined;
  /** As they came; coerced here. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context: RequestContext;
}

/** The result may hold JsonText: encodeJson writes it. */
export type Executor = (request: ExecutionRequest) => Promise<ExecutionResult> | ExecutionResult;
