/** The executor of every operation, from /graphql and /v0 alike. */

import type { ExecutionResult, GraphQLSchema } from 'graphql';

import { bytesOfDocument } from './document-memory.ts';
import type { ExecutionRequest, Executor } from './execution.ts';
import type { ExecutorOptions } from './jit/executor.ts';
import { createJitExecutor } from './jit/executor.ts';
import { rewritePages } from './json-pages/rewrite.ts';
import type { Operation } from './operation.ts';
import { Executable } from './operation.ts';

export interface ExecutorSchemas {
  /** The schema that client documents are validated against. */
  readonly schema: GraphQLSchema;
  /** The same with fields for rewritten documents and our own. */
  readonly privateSchema: GraphQLSchema;
  /** Whether pages are read as JSON if possible; true by default. */
  readonly readsJsonPages?: boolean;
}

export function createExecutor(
  { schema, privateSchema, readsJsonPages = true }: ExecutorSchemas,
  options: ExecutorOptions = {},
): Executor {
  const executePublic = createJitExecutor(schema, options);
  const executePrivate = createJitExecutor(privateSchema, options);

  const rewrittenOf = (operation: Operation): Executable | null => {
    if (!readsJsonPages) return null;
    if (operation.rewritten === undefined) {
      const document = rewritePages(privateSchema, operation.document);
      operation.rewritten = document === null ? null : new Executable(document);
      if (document !== null) operation.grow(bytesOfDocument(document));
    }
    return operation.rewritten;
  };

  return (request) => {
    const { operation } = request;
    request.context.scope.operation = operation.nameOf(request.operationName ?? null);
    const rewritten = rewrittenOf(operation);
    const executable = rewritten ?? operation.plain;
    const execute = operation.isPrivate || rewritten !== null ? executePrivate : executePublic;
    return withinBudget(request, execute(request, executable));
  };
}

/** Replaces a result that exceeds the budget by an error. */
function withinBudget(
  { context: { budget } }: ExecutionRequest,
  result: Promise<ExecutionResult> | ExecutionResult,
): Promise<ExecutionResult> | ExecutionResult {
  if (result instanceof Promise) return result.then((settled) => budget.limit(settled));
  return budget.limit(result);
}
