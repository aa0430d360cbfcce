/** Executes repeated operations with graphql-jit and all others with graphql-js, with the same results. */

import type { ExecutionResult, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { execute, getOperationAST, getVariableValues } from 'graphql';

import type { ExecutionRequest } from '../execution.ts';
import type { Executable } from '../operation.ts';
import type { Compile, CompiledOperation } from './compile.ts';
import { createCompiler } from './compile.ts';
import type { VariableValues } from './document.ts';
import { MAX_VARIABLE_ERRORS } from './variables.ts';

export interface ExecutorOptions {
  /** Executions by graphql-js before an operation is compiled. */
  readonly usesBeforeCompiling?: number;
  /** Called for every execution. */
  readonly onExecution?: (isCompiled: boolean) => void;
}

/** Compiling costs as much as many executions, so only repeated operations are compiled. */
export const USES_BEFORE_COMPILING = 10;
/**
 * Forms of one document that may be compiled. Different values of variables in `@skip` and `@include` make different
 * forms.
 */
const MAX_FORMS = 16;

/** Compiles repeated operations. graphql-js executes all others, and those that cannot be compiled. */
export function createJitExecutor(
  schema: GraphQLSchema,
  { usesBeforeCompiling = USES_BEFORE_COMPILING, onExecution }: ExecutorOptions = {},
): (request: ExecutionRequest, executable: Executable) => Promise<ExecutionResult> | ExecutionResult {
  const compile = createCompiler(schema);

  const executeCompiled = (
    { operation, operationName = null, variables = {}, context }: ExecutionRequest,
    executable: Executable,
  ) => {
    const definition = getOperationAST(executable.document, operationName);
    if (!definition) return null;
    const decided = conditionValues(schema, definition, executable.conditions, variables);
    if (decided === null) return null;
    const compiled = formOf(executable, operationName, decided, (document) => {
      const made = compile(document, operationName, decided);
      if (made) operation.grow(made.bytes);
      return made;
    });
    return compiled === null ? null : compiled.run(context, variables);
  };

  const formOf = (
    executable: Executable,
    operationName: string | null,
    decided: VariableValues,
    make: (document: Parameters<Compile>[0]) => CompiledOperation | null | undefined,
  ): CompiledOperation | null => {
    const { conditions } = executable;
    const key = conditions.reduce((text, name) => `${text},${String(decided[name])}`, operationName ?? '');
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

  return (request, executable) => {
    const result = executeCompiled(request, executable);
    onExecution?.(result !== null);
    if (result !== null) return result;
    return execute({
      schema,
      document: executable.document,
      operationName: request.operationName,
      variableValues: request.variables,
      contextValue: request.context,
      options: { maxCoercionErrors: MAX_VARIABLE_ERRORS },
    });
  };
}

const NO_VALUES: VariableValues = {};

/**
 * Coerces only the variables in `@skip` and `@include`. The others are coerced at execution, so that each request
 * coerces them once.
 *
 * @returns null if they cannot be coerced
 */
function conditionValues(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  conditions: readonly string[],
  variables: VariableValues,
): VariableValues | null {
  if (conditions.length === 0) return NO_VALUES;
  const deciding = variableDefinitions.filter(({ variable }) => conditions.includes(variable.name.value));
  const { coerced } = getVariableValues(schema, deciding, variables, { maxErrors: 1 });
  return coerced ?? null;
}
