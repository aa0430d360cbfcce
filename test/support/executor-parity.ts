/** Compares the executor with graphql-js: both must return the same results. */

import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { execute, getOperationAST, OperationTypeNode, print } from 'graphql';

import { createContext } from '../../src/graphql/context.ts';
import type { ExecutionRequest, Executor } from '../../src/graphql/execution/execution.ts';
import type { ExecutorSchemas } from '../../src/graphql/execution/executor.ts';
import { MAX_VARIABLE_ERRORS } from '../../src/graphql/execution/jit/variables.ts';
import type { ExecutorOptions } from '../../src/graphql/execution/jit/executor.ts';
import { createJitExecutor } from '../../src/graphql/execution/jit/executor.ts';
import { CallerGoneError } from '../../src/services/scope.ts';

/** The reference executor. */
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
 * A result as text: data with the order of keys, and all members of errors that a client or an endpoint can see. Errors
 * are sorted by path, since their order in graphql-js depends on timing.
 */
export function describeResult({ data, errors }: ExecutionResult): string {
  const views = errors?.map(describeError).sort();
  return [`data: ${JSON.stringify(data)}`, ...(views ?? ['no errors'])].join('\n');
}

/**
 * Both results as texts that are equal if both are correct: of several errors below one null, such as when two sibling
 * non-null fields fail, a server may report any (GraphQL specification, 6.4.4).
 */
export function describeBoth(one: ExecutionResult, other: ExecutionResult): readonly [string, string] {
  return [describeResult(withoutNeedless(one, other)), describeResult(withoutNeedless(other, one))];
}

/** The result without errors that the other one need not report. @param other the other result */
function withoutNeedless(
  { data, errors, ...rest }: ExecutionResult,
  other: ExecutionResult,
): ExecutionResult {
  const otherPaths = new Set(other.errors?.map(pathOf));
  const otherNulls = new Set(other.errors?.map((error) => nullOf(other, error)));
  const kept = errors?.filter(
    (error) => otherPaths.has(pathOf(error)) || !otherNulls.has(nullOf({ data }, error)),
  );
  return { data, ...(kept !== undefined && { errors: kept }), ...rest };
}

/** Whether an error has nulled more than its own field: then its siblings may not be awaited. */
export function isCutShort(result: ExecutionResult): boolean {
  return result.errors?.some((error) => nullOf(result, error) !== pathOf(error)) ?? false;
}

function pathOf({ path = [] }: GraphQLError): string {
  return path.join('.');
}

/** The path of the null that an error has caused. */
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
 * Returns what `tested` returns. Executes queries with graphql-js as well, for the same caller.
 *
 * @param onDifference called with a description of each difference
 */
export function createComparingExecutor(
  { schema, privateSchema }: ExecutorSchemas,
  tested: Executor,
  onDifference: (difference: string) => void,
): Executor {
  const expectedPublic = graphqlJs(schema);
  const expectedPrivate = graphqlJs(privateSchema);
  let begun = 0;
  let running = 0;
  const change = async (request: ExecutionRequest) => {
    begun += 1;
    running += 1;
    try {
      return await tested(request);
    } finally {
      running -= 1;
    }
  };
  return async (request) => {
    if (mayChange(request)) return change(request);
    const [changesBefore, isChanging] = [begun, running > 0];
    const result = await tested(request);
    const { services, scope } = request.context;
    const { document, isPrivate } = request.operation;
    const expected = isPrivate ? expectedPrivate : expectedPublic;
    // Both endpoints reject a response that is too long, which graphql-js does not check.
    if (request.context.budget.isUsedUp) return result;
    const context = createContext(services, scope, request.context.budget.limits);
    const reference = await expected({ ...request, context });
    context.budget.release();
    // The client may disconnect between the two executions, and a mutation may change what they read.
    if (hasDisconnected(reference) || isChanging || begun !== changesBefore) return result;
    const [wanted, actual] = describeBoth(reference, result);
    if (wanted !== actual) {
      onDifference(`${print(document)}\ngraphql-js\n${wanted}\nexecutor\n${actual}`);
    }
    return result;
  };
}

function hasDisconnected({ errors = [] }: ExecutionResult): boolean {
  return errors.some(({ originalError }) => originalError instanceof CallerGoneError);
}

/** A request without an operation changes nothing, so it can be executed twice. */
function mayChange({ operation: { document }, operationName }: ExecutionRequest): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
}
