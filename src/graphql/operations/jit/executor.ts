/** Executes operations by graphql-jit where they come again, and by graphql-js otherwise; nobody can tell which. */

import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { execute, getOperationAST, getVariableValues } from 'graphql';

import type { RequestContext } from '../../context.ts';
import type { Executable, Operation } from '../operation.ts';
import type { Compile, CompiledOperation } from './compile.ts';
import { createCompiler } from './compile.ts';
import type { VariableValues } from './document.ts';

export interface ExecutorOptions {
  /** How often graphql-js executes an operation before it is compiled. */
  readonly usesBeforeCompiling?: number;
  /** Told for every operation whether it was compiled. */
  readonly onExecution?: (isCompiled: boolean) => void;
}

/** Compiling costs as much as many executions, so an operation has to show first that it comes again. */
export const USES_BEFORE_COMPILING = 10;
/** Forms of one document that are looked at: of each its variables decide otherwise what is left out. */
const MAX_FORMS = 16;

export interface ExecutableRequest {
  /** Told what its compiled forms hold. */
  readonly operation: Operation;
  readonly executable: Executable;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context: RequestContext;
}

/** Operations that come again are compiled; everything else, and every refusal, is graphql-js's. */
export function createJitExecutor(
  schema: GraphQLSchema,
  { usesBeforeCompiling = USES_BEFORE_COMPILING, onExecution }: ExecutorOptions = {},
): (request: ExecutableRequest) => Promise<ExecutionResult> | ExecutionResult {
  const compile = createCompiler(schema);

  const executeCompiled = (request: ExecutableRequest) => {
    const { operation, executable, operationName = null, variables = {}, context } = request;
    const definition = getOperationAST(executable.document, operationName);
    if (!definition) return null;
    const { coerced } = getVariableValues(schema, definition.variableDefinitions ?? [], variables);
    if (coerced === undefined) return null;
    const compiled = formOf(executable, operationName, coerced, (document) => {
      const made = compile(document, operationName, coerced);
      if (made) operation.grow(made.bytes);
      return made;
    });
    return compiled === null ? null : compiled.run(context, coerced);
  };

  const formOf = (
    executable: Executable,
    operationName: string | null,
    variables: VariableValues,
    make: (document: Parameters<Compile>[0]) => CompiledOperation | null | undefined,
  ): CompiledOperation | null => {
    const key = [operationName ?? '', ...executable.conditions.map((name) => String(variables[name]))].join();
    let form = executable.forms.get(key);
    if (form === undefined) {
      if (executable.forms.size === MAX_FORMS) return null;
      form = { uses: 0, compiled: undefined };
      executable.forms.set(key, form);
    }
    if (form.uses < usesBeforeCompiling) {
      form.uses += 1;
      return null;
    }
    if (form.compiled === undefined) form.compiled = make(executable.document);
    return form.compiled ?? null;
  };

  return (request) => {
    const result = executeCompiled(request);
    onExecution?.(result !== null);
    if (result !== null) return result;
    return execute({
      schema,
      document: request.executable.document,
      operationName: request.operationName,
      variableValues: request.variables,
      contextValue: request.context,
    });
  };
}
