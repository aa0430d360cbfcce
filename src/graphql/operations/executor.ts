/** The one executor: every operation of both doors goes through it, to the same resolvers. */

import type { DocumentNode, GraphQLSchema } from 'graphql';

import type { Executor } from './execution.ts';
import type { ExecutorOptions } from './jit/executor.ts';
import { createJitExecutor } from './jit/executor.ts';
import { rewritePages } from './json-pages/rewrite.ts';
import { createJsonPagesSchema } from '../schema.ts';

/** @param schema that documents were validated against */
export function createExecutor(schema: GraphQLSchema, options: ExecutorOptions = {}): Executor {
  const executePlain = createJitExecutor(schema, options);
  const executeRewritten = createJitExecutor(createJsonPagesSchema(schema), options);
  const rewritten = new WeakMap<DocumentNode, DocumentNode | null>();
  const rewrite = (document: DocumentNode): DocumentNode | null => {
    let found = rewritten.get(document);
    if (found === undefined) {
      found = rewritePages(schema, document);
      rewritten.set(document, found);
    }
    return found;
  };
  return (request) => {
    const document = rewrite(request.document);
    if (document === null) return executePlain(request);
    const { operationName, variables, context } = request;
    return executeRewritten({ document, operationName, variables, context });
  };
}
