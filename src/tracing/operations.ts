/** Spans of GraphQL operations, without the document and its variables. */

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
        // Not the operation's name, which clients choose: span names must be few.
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
  // Not a failed resolver: the operation or its variables do not match the schema.
  const isOfOperation = original === undefined || original instanceof GraphQLError;
  return isOfOperation ? { errorType: 'BAD_USER_INPUT', isFault: false } : endOfFailure(original);
}
