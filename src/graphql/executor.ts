/** The one executor: every operation of both doors goes through it, to the same resolvers. */

import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { execute } from 'graphql';

import type { RequestContext } from './context.ts';
import { rewritePages } from './json-pages/rewrite.ts';

export interface ExecutionRequest {
  /** A validated document. */
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As they came; coerced here. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context: RequestContext;
}

export type Executor = (request: ExecutionRequest) => Promise<ExecutionResult>;

/**
 * @param schema that documents were validated against
 * @param jsonPagesSchema that they are executed on where they were rewritten to read pages as JSON; their results then
 *   hold JsonText, which stringifyJson writes
 */
export function createExecutor(schema: GraphQLSchema, jsonPagesSchema: GraphQLSchema): Executor {
  const rewritten = new WeakMap<DocumentNode, DocumentNode | null>();
  const rewrite = (document: DocumentNode): DocumentNode | null => {
    let found = rewritten.get(document);
    if (found === undefined) {
      found = rewritePages(schema, document);
      rewritten.set(document, found);
    }
    return found;
  };
  return async ({ document, operationName, variables, context }) => {
    const pages = rewrite(document);
    return execute({
      schema: pages === null ? schema : jsonPagesSchema,
      document: pages ?? document,
      operationName,
      variableValues: variables,
      contextValue: context,
    });
  };
}
