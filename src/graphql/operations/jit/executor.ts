/** Executes operations by graphql-jit where they come again, and by graphql-js otherwise; nobody can tell which. */

import type { GraphQLSchema } from 'graphql';
import { execute, getOperationAST, getVariableValues } from 'graphql';

import type { ExecutionRequest, Executor } from '../execution.ts';
import type { CompiledOperation } from './compile.ts';
import { createCompiler } from './compile.ts';
import { compileHotOperations } from './hot-operations.ts';

export interface ExecutorOptions {
  /** How often graphql-js executes an operation before it is compiled. */
  readonly usesBeforeCompiling?: number;
  /** Told for every operation whether it was compiled. */
  readonly onExecution?: (isCompiled: boolean) => void;
}

/** Operations that come again are compiled; everything else, and every refusal, is graphql-js's. */
export function createJitExecutor(
  schema: GraphQLSchema,
  { usesBeforeCompiling, onExecution }: ExecutorOptions = {},
): Executor {
  const findCompiled = compileHotOperations(createCompiler(schema), usesBeforeCompiling);

  const executeCompiled = ({ document, operationName, variables, context }: ExecutionRequest) => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return null;
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
    if (coerced === undefined) return null;
    const compiled: CompiledOperation | null = findCompiled(document, operationName ?? null, coerced);
    return compiled === null ? null : compiled(context, coerced);
  };
  return (request) => {
    const result = executeCompiled(request);
    onExecution?.(result !== null);
    if (result !== null) return result;
    return execute({
      schema,
      document: request.document,
      operationName: request.operationName,
      variableValues: request.variables,
      contextValue: request.context,
    });
  };
}
