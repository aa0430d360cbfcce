/** graphql-jit, made to answer as graphql-js does. */

import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';

import type { VariableValues } from './document.ts';
import { countSelections, toJitDocument } from './document.ts';
import type { ErrorReader } from './errors.ts';
import { createErrorReader, leafSerializers } from './errors.ts';
import { graphqlJit } from './graphql-jit.ts';
import { toJitSchema } from './schema.ts';

/** Compiling takes a tenth of a millisecond or two for each selection; for more the pause would be felt. */
const MAX_SELECTIONS = 100;

/** Measured by test/graphql/operations/bytes.test.ts: the code of a selection, and what it refers to. */
const SELECTION_BYTES = 6_000;

export interface CompiledOperation {
  /** That it holds in memory, about. */
  readonly bytes: number;
  /**
   * Executes the operation with coerced variables.
   *
   * @returns null where an argument cannot be coerced; nothing has run then
   */
  run(context: unknown, variables: VariableValues): Promise<ExecutionResult> | ExecutionResult | null;
}

/**
 * @returns null for an operation that is left to graphql-js, undefined where graphql-jit is not loaded yet; what is
 *   compiled is good for equal conditions alone
 */
export type Compile = (
  document: DocumentNode,
  operationName: string | null,
  variables: VariableValues,
) => CompiledOperation | null | undefined;

export function createCompiler(schema: GraphQLSchema): Compile {
  const jitSchema = toJitSchema(schema);
  const options = { customSerializers: leafSerializers(schema), disablingCapturingStackErrors: true };

  return (document, operationName, variables) => {
    const prepared = attempt(() => toJitDocument(schema, document, operationName, variables));
    if (prepared === null) return null;
    const selections = countSelections(prepared.document);
    if (selections > MAX_SELECTIONS) return null;
    const jit = graphqlJit();
    if (jit === null) return undefined;
    const compiled = jit.compileQuery(jitSchema, prepared.document, undefined, options);
    if (!jit.isCompiledQuery(compiled)) return null;

    let readErrors: ErrorReader | null = null;
    const toResult = ({ data, errors }: ExecutionResult): ExecutionResult => {
      if (errors === undefined) return { data };
      readErrors ??= createErrorReader(prepared.fields);
      return { errors: readErrors(errors, data), data };
    };
    return {
      bytes: selections * SELECTION_BYTES,
      run(context, given) {
        const jitVariables = attempt(() => prepared.variablesOf(given));
        if (jitVariables === null) return null;
        const result = compiled.query(undefined, context, jitVariables);
        return result instanceof Promise ? result.then(toResult) : toResult(result);
      },
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
