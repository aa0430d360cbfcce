/** Executes a row of the /v0 table, and returns its response or throws its error. */

import type { ExecutionResult } from 'graphql';

import { ServiceError } from '../errors.ts';
import type { RequestContext } from '../graphql/context.ts';
import type { Executor } from '../graphql/execution/execution.ts';
import { toResult } from '../domain/result.ts';
import type { V0Request, Variables } from './request.ts';
import type { V0Response, V0Row } from './table.ts';

/** @throws ServiceError for an expected failure; any other error as it was thrown */
export async function handleRow(
  row: V0Row,
  request: V0Request,
  context: RequestContext,
  executor: Executor,
): Promise<V0Response> {
  const variables = await readVariables(row, request, context);
  const result = await executor({ operation: row.operation, variables, context });
  const error = errorOf(result);
  if (error !== null) throw error;
  return row.response(result.data as never, request);
}

/** @throws ServiceError for a malformed request, after the checks that come first */
async function readVariables(
  row: V0Row,
  request: V0Request,
  { scope, services }: RequestContext,
): Promise<Variables> {
  const variables = toResult(() => row.variables(request));
  if (!(variables instanceof ServiceError)) return variables;
  if (row.access !== undefined) await services.authorize(scope, request.mapId, row.access);
  throw variables;
}

/** The error that a resolver threw, unwrapped; null if none. */
function errorOf({ errors }: ExecutionResult): Error | null {
  const error = errors?.[0];
  return error === undefined ? null : (error.originalError ?? error);
}
