/** Runs a row of the /v0 table: its document through the one executor, its result or failure back. */

import type { ExecutionResult } from 'graphql';

import { ServiceError } from '../errors.ts';
import type { RequestContext } from '../graphql/context.ts';
import type { Executor } from '../graphql/execution.ts';
import type { V0Request, Variables } from './request.ts';
import type { V0Answer, V0Row } from './table.ts';

/** @throws ServiceError for an expected failure; anything else as it was thrown */
export async function answerRow(
  row: V0Row,
  request: V0Request,
  context: RequestContext,
  executor: Executor,
): Promise<V0Answer> {
  const { variables, complaint } = readVariables(row, request);
  const result = await executor({ document: row.document, variables, context });
  const failure = failureOf(result);
  if (complaint !== null && (failure === null || isInputFailure(failure))) throw complaint;
  if (failure !== null) throw failure;
  return row.answer(result.data as never, request);
}

interface ReadVariables {
  readonly variables: Variables;
  /** What was wrong with the request's own form; said only where nothing that comes first is wrong. */
  readonly complaint: ServiceError | null;
}

function readVariables(row: V0Row, request: V0Request): ReadVariables {
  try {
    return { variables: row.variables(request), complaint: null };
  } catch (error) {
    if (!(error instanceof ServiceError) || row.refused === undefined) throw error;
    return { variables: row.refused(request), complaint: error };
  }
}

function isInputFailure(failure: Error): boolean {
  return failure instanceof ServiceError && failure.code === 'BAD_USER_INPUT';
}

/** What a resolver threw, out of graphql-js's wrapping; null where all went well. */
function failureOf({ errors }: ExecutionResult): Error | null {
  const error = errors?.[0];
  return error === undefined ? null : (error.originalError ?? error);
}
