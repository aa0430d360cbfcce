/** graphql-jit, made to answer as graphql-js does. */

import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';

import type { VariableValues } from './document.ts';
import { countSelections, toJitDocument } from './document.ts';
import type { ErrorReader } from './errors.ts';
import { createErrorReader, leafSerializers } from './errors.ts';
import { graphqlJit } from './graphql-jit.ts';
import { toJitSchema } from './schema.ts';

/** Compiling takes a tenth of a millisecond or two for each selection; for more the pause would be felt. */
const MAX_SELECTIONS = 100;

/**
 * Executes an operation with coerced variables.
 *
 * @returns null where graphql-jit is not loaded yet or an argument cannot be coerced; nothing has run then
 */
export type CompiledOperation = (
  context: unknown,
  variables: VariableValues,
) => Promise<ExecutionResult> | ExecutionResult | null;

/** @returns null for an operation that is left to graphql-js; what is compiled is good for equal conditions alone */
export type Compile = (
  document: DocumentNode,
  operationName: string | null,
  variables: VariableValues,
) => CompiledOperation | null;

export function createCompiler(schema: GraphQLSchema): Compile {
  const jitSchema = toJitSchema(schema);
  const options = { customSerializers: leafSerializers(schema), disablingCapturingStackErrors: true };

  return (document, operationName, variables) => {
    const prepared = attempt(() => toJitDocument(schema, document, operationName, variables));
    if (prepared === null || countSelections(prepared.document) > MAX_SELECTIONS) return null;
    /** Undefined before it is compiled, null where it cannot be. */
    let compiled: CompiledQuery | null | undefined;
    const compileNow = (): CompiledQuery | null | undefined => {
      const jit = graphqlJit();
      if (jit === null) return undefined;
      const result = jit.compileQuery(jitSchema, prepared.document, undefined, options);
      return jit.isCompiledQuery(result) ? result : null;
    };
    let readErrors: ErrorReader | null = null;
    const toResult = ({ data, errors }: ExecutionResult): ExecutionResult => {
      if (errors === undefined) return { data };
      readErrors ??= createErrorReader(prepared.fields);
      return { errors: readErrors(errors, data), data };
    };
    return (context, given) => {
      if (compiled === undefined) compiled = compileNow();
      if (!compiled) return null;
      const jitVariables = attempt(() => prepared.variablesOf(given));
      if (jitVariables === null) return null;
      const result = compiled.query(undefined, context, jitVariables);
      return result instanceof Promise ? result.then(toResult) : toResult(result);
    };
  };
}

/** What fails here fails again in graphql-js, which says why. */
function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
