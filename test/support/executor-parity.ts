/** graphql-js beside the executor: what either answers has to be the other's answer. */

import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { execute, getOperationAST, Kind, OperationTypeNode, print } from 'graphql';

import { MAX_PAGE_SIZE } from '../../src/domain/paging.ts';
import { createContext } from '../../src/graphql/context.ts';
import type { ExecutionRequest, Executor } from '../../src/graphql/operations/execution.ts';

/** The executor that is the measure. */
export function graphqlJs(schema: GraphQLSchema): Executor {
  return async ({ document, operationName, variables, context }) =>
    execute({ schema, document, operationName, variableValues: variables, contextValue: context });
}

/**
 * A result as text: data with the order of keys, and of every error all that a client or a door could see. Errors are
 * in the order of their paths, since graphql-js's own order is that in which things happened to fail.
 */
export function describeResult({ data, errors }: ExecutionResult): string {
  const views = errors?.map(describeError).sort();
  return [`data: ${JSON.stringify(data)}`, ...(views ?? ['no errors'])].join('\n');
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
  schema: GraphQLSchema,
  tested: Executor,
  maxRows: number,
  onDifference: (difference: string) => void,
): Executor {
  const expected = graphqlJs(schema);
  return async (request) => {
    const result = await tested(request);
    if (mayChange(request)) return result;
    const { services, scope } = request.context;
    const actual = describeResult(result);
    const limits = { maxRows: isV0(request.document) ? MAX_PAGE_SIZE : maxRows };
    const other = await expected({
      ...request,
      context: createContext(services, scope, limits),
    });
    if (describeResult(other) !== actual) {
      onDifference(`${print(request.document)}\ngraphql-js\n${describeResult(other)}\nexecutor\n${actual}`);
    }
    return result;
  };
}

/** /v0 has a limit of its own: a page. */
function isV0({ definitions: [definition] }: DocumentNode): boolean {
  return definition?.kind === Kind.OPERATION_DEFINITION && /^V0/.test(definition.name?.value ?? '');
}

/** What is no operation at all may be executed as often as one likes. */
function mayChange({ document, operationName }: ExecutionRequest): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
}
