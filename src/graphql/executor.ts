/** The one executor: every operation of both doors goes through it, to the same resolvers. */

import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { execute } from 'graphql';

import type { RequestContext } from './context.ts';

export interface ExecutionRequest {
  /** A validated document. */
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As they came; coerced here. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context: RequestContext;
}

export type Executor = (request: ExecutionRequest) => Promise<ExecutionResult>;

export function createExecutor(schema: GraphQLSchema): Executor {
  return async ({ document, operationName, variables, context }) =>
    execute({
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: context,
    });
}
