/** Compiles operations with graphql-jit, with the same results as graphql-js. */

import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { getOperationAST } from 'graphql';

import type { VariableValues } from './document.ts';
import { countSelections, toJitDocument, toJitSchema } from './document.ts';
import type { ErrorReader } from './errors.ts';
import { createErrorReader, leafSerializers } from './errors.ts';
import { graphqlJit } from './graphql-jit.ts';
import { createVariableCoercion } from './variables.ts';

/** Compiling takes 0.1 to 0.2 ms per selection; beyond this the pause would be noticeable. */
const MAX_SELECTIONS = 100;

/** Memory per selection. Measured on the heap: 2 selections took 12 kB, 21 took 89, 48 took 113. */
const SELECTION_BYTES = 6_000;

export interface CompiledOperation {
  /** Estimated memory in bytes. */
  readonly bytes: number;
  /**
   * Executes the operation with variables as the client sent them.
   *
   * @returns null, with nothing executed, if an argument cannot be coerced; errors without data if the variables
   *   cannot
   */
  run(context: unknown, variables: VariableValues): Promise<ExecutionResult> | ExecutionResult | null;
}

/**
 * @param decided coerced values of the variables in `@skip` and `@include`; the compiled form fits only these
 * @returns null for an operation left to graphql-js; undefined while graphql-jit is not loaded
 */
export type Compile = (
  document: DocumentNode,
  operationName: string | null,
  decided: VariableValues,
) => CompiledOperation | null | undefined;

export function createCompiler(schema: GraphQLSchema): Compile {
  const jitSchema = toJitSchema(schema);
  const options = { customSerializers: leafSerializers(schema), disablingCapturingStackErrors: true };

  return (document, operationName, decided) => {
    const prepared = attempt(() => toJitDocument(schema, document, operationName, decided));
    if (prepared === null) return null;
    const selections = countSelections(prepared.document);
    if (selections > MAX_SELECTIONS) return null;
    const jit = graphqlJit();
    if (jit === null) return undefined;
    const compiled = jit.compileQuery(jitSchema, prepared.document, undefined, options);
    if (!jit.isCompiledQuery(compiled)) return null;

    const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
    const coerce = createVariableCoercion(schema, definitions);
    let readErrors: ErrorReader | null = null;
    const toResult = ({ data, errors }: ExecutionResult): ExecutionResult => {
      if (errors === undefined) return { data };
      readErrors ??= createErrorReader(prepared.fields);
      return { errors: readErrors(errors, data), data };
    };
    return {
      bytes: selections * SELECTION_BYTES,
      run(context, given) {
        const { coerced, errors } = coerce(given);
        if (errors !== undefined) return { errors };
        const jitVariables = attempt(() => prepared.variablesOf(coerced));
        if (jitVariables === null) return null;
        const result = compiled.query(undefined, context, jitVariables);
        return result instanceof Promise ? result.then(toResult) : toResult(result);
      },
    };
  };
}

/** Null on an error: graphql-js will meet the same error and report it. */
function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
