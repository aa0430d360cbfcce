/** Spans of GraphQL operations. The document and its variables are in none. */

import type { ExecutionResult } from 'graphql';
import { GraphQLError } from 'graphql';

import type { Executor } from '../graphql/execution/execution.ts';
import type { SpanEnd, Tracing } from './tracing.ts';
import { endOfFailure } from './tracing.ts';

export function traceOperations(executor: Executor, tracing: Tracing): Executor {
  return (request) => {
    const { operation, operationName = null } = request;
    const type = operation.typeOf(operationName);
    const name = operation.nameOf(operationName);
    return tracing.run(
      {
        // Without the operation's name: clients choose those, and there would be too many names of spans.
        name: type ?? 'GraphQL Operation',
        kind: 'internal',
        attributes: {
          ...(type !== undefined && { 'graphql.operation.type': type }),
          ...(name !== undefined && { 'graphql.operation.name': name }),
        },
      },
      () => executor(request),
      endOf,
    );
  };
}

function endOf({ errors }: ExecutionResult): SpanEnd {
  const [error] = errors ?? [];
  if (error === undefined) return {};
  const { originalError: original } = error;
  // It was not a resolver that failed: the operation, or its variables, do not fit the schema.
  const isOfOperation = original === undefined || original instanceof GraphQLError;
  return isOfOperation ? { errorType: 'BAD_USER_INPUT', isFault: false } : endOfFailure(original);
}
