/** What it is to execute an operation. */

import type { DocumentNode, ExecutionResult } from 'graphql';

import type { RequestContext } from '../context.ts';

export interface ExecutionRequest {
  /** A validated document. */
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As they came; coerced here. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context: RequestContext;
}

/** The result may hold JsonText: stringifyJson writes it. */
export type Executor = (request: ExecutionRequest) => Promise<ExecutionResult> | ExecutionResult;
