/** graphql-js beside the executor: what either answers has to be the other's answer. */

import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { execute, getOperationAST, OperationTypeNode, print } from 'graphql';

import { createContext } from '../../src/graphql/context.ts';
import type { ExecutionRequest, Executor } from '../../src/graphql/execution/execution.ts';
import type { ExecutorSchemas } from '../../src/graphql/execution/executor.ts';
import { MAX_VARIABLE_ERRORS } from '../../src/graphql/execution/jit/variables.ts';
import type { ExecutorOptions } from '../../src/graphql/execution/jit/executor.ts';
import { createJitExecutor } from '../../src/graphql/execution/jit/executor.ts';

/** The executor that is the measure. */
export function graphqlJs(schema: GraphQLSchema): Executor {
  return async ({ operation: { document }, operationName, variables, context }) =>
    execute({
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: context,
      options: { maxCoercionErrors: MAX_VARIABLE_ERRORS },
    });
}

/** The executor without pages as JSON. */
export function jitExecutor(schema: GraphQLSchema, options?: ExecutorOptions): Executor {
  const execute = createJitExecutor(schema, options);
  return (request) => execute(request, request.operation.plain);
}

/**
 * A result as text: data with the order of keys, and of every error all that a client or a door could see. Errors are
 * in the order of their paths, since graphql-js's own order is that in which things happened to fail.
 */
export function describeResult({ data, errors }: ExecutionResult): string {
  const views = errors?.map(describeError).sort();
  return [`data: ${JSON.stringify(data)}`, ...(views ?? ['no errors'])].join('\n');
}

/**
 * Both results as texts that are alike where either is a right answer: of several errors below one null, as where a field
 * fails that cannot be null and one beside it too, a server may tell any (GraphQL specification, 6.4.4).
 */
export function describeBoth(one: ExecutionResult, other: ExecutionResult): readonly [string, string] {
  return [describeResult(withoutNeedless(one, other)), describeResult(withoutNeedless(other, one))];
}

/** The result without errors that another answer need not have. @param told the other one */
function withoutNeedless({ data, errors, ...rest }: ExecutionResult, told: ExecutionResult): ExecutionResult {
  const toldPaths = new Set(told.errors?.map(pathOf));
  const toldNulls = new Set(told.errors?.map((error) => nullOf(told, error)));
  const kept = errors?.filter(
    (error) => toldPaths.has(pathOf(error)) || !toldNulls.has(nullOf({ data }, error)),
  );
  return { data, ...(kept !== undefined && { errors: kept }), ...rest };
}

/** Whether an error has made more null than its own field: what stands beside it may then not be waited for. */
export function isCutShort(result: ExecutionResult): boolean {
  return result.errors?.some((error) => nullOf(result, error) !== pathOf(error)) ?? false;
}

function pathOf({ path = [] }: GraphQLError): string {
  return path.join('.');
}

/** Where in the data the null stands that an error has made. */
function nullOf({ data }: ExecutionResult, { path = [] }: GraphQLError): string {
  let value: unknown = data;
  const there = path.filter((key) => {
    if (value === null || value === undefined) return false;
    value = (value as Record<string | number, unknown>)[key];
    return true;
  });
  return there.join('.');
}

function describeError({
  message,
  path,
  locations,
  extensions,
  originalError,
  nodes,
  name,
}: GraphQLError): string {
  const view = { path, message, locations, extensions, name, nodes: nodes?.map(({ kind }) => kind) };
  return JSON.stringify({ ...view, original: describeOriginal(originalError) });
}

function describeOriginal(error: (Error & { nodes?: readonly unknown[]; code?: unknown }) | undefined) {
  if (error === undefined) return null;
  const { name, message, code, nodes, constructor } = error;
  return { class: constructor.name, name, message, code, nodes: nodes?.length };
}

/**
 * Answers as `tested` does. Queries are executed by graphql-js as well, for the same caller.
 *
 * @param onDifference told what differed
 */
export function createComparingExecutor(
  { schema, privateSchema }: ExecutorSchemas,
  tested: Executor,
  onDifference: (difference: string) => void,
): Executor {
  const expectedPublic = graphqlJs(schema);
  const expectedPrivate = graphqlJs(privateSchema);
  return async (request) => {
    const result = await tested(request);
    if (mayChange(request)) return result;
    const { services, scope } = request.context;
    const { document, isPrivate } = request.operation;
    const expected = isPrivate ? expectedPrivate : expectedPublic;
    // An answer that is too long is none at either door, which graphql-js does not look at.
    if (request.context.budget.isUsedUp) return result;
    const context = createContext(services, scope, request.context.budget.limits);
    const [wanted, actual] = describeBoth(await expected({ ...request, context }), result);
    context.budget.release();
    if (wanted !== actual) {
      onDifference(`${print(document)}\ngraphql-js\n${wanted}\nexecutor\n${actual}`);
    }
    return result;
  };
}

/** What is no operation at all may be executed as often as one likes. */
function mayChange({ operation: { document }, operationName }: ExecutionRequest): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
}
