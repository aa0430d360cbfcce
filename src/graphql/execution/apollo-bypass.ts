/**
 * Runs operations that Apollo Server has handled before without Apollo: the document is parsed and validated, and the
 * response headers are known. Only plain requests qualify.
 */

import type { ExecutionResult } from 'graphql';

import { encodeJson } from '../../domain/json/json-text.ts';
import { isJsonObject } from '../../domain/json/json.ts';
import type { RequestContext } from '../context.ts';
import type { FormatError } from '../format-error.ts';
import { formatErrors } from '../format-error.ts';
import type { Executor } from './execution.ts';
import type { Headers, Operation } from './operation.ts';

const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/;
const MEMBERS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables']);

/** A POST with nothing but an operation. */
export interface PlainRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Record<string, unknown>;
  /** Empty if the request has none. */
  readonly accept: string;
}

/** @returns null for a request that Apollo must handle */
export function readPlainRequest(body: unknown, accept = ''): PlainRequest | null {
  if (!isJsonObject(body) || !Object.keys(body).every((name) => MEMBERS.has(name))) return null;
  const { query, operationName = null, variables = null } = body;
  if (typeof query !== 'string' || (operationName !== null && typeof operationName !== 'string')) return null;
  if (variables !== null && !isJsonObject(variables)) return null;
  if (operationName !== null && !NAME.test(operationName)) return null;
  return { query, operationName, variables: variables ?? {}, accept };
}

export interface KnownResponse {
  readonly status: number;
  readonly headers: Headers;
  /** UTF-8 if it is not a string. */
  readonly body: string | Buffer;
}

/** @returns null if Apollo must handle the request */
export function executeWithoutApollo(
  operation: Operation,
  { operationName, variables, accept }: PlainRequest,
  context: RequestContext,
  executor: Executor,
  format: FormatError,
): Promise<KnownResponse> | KnownResponse | null {
  const headers = operation.headers.get(accept);
  if (headers === undefined || !operation.hasOperation(operationName)) return null;
  const respond = ({ data, errors }: ExecutionResult): KnownResponse => {
    if (errors === undefined) return { status: 200, headers, body: encodeJson({ data }) };
    // Without data nothing was executed: the variables are invalid.
    const status = data === undefined ? 400 : 200;
    return {
      status,
      headers,
      body: encodeJson({ errors: formatErrors(errors, format, context.scope), data }),
    };
  };
  const result = executor({ operation, operationName, variables, context });
  return result instanceof Promise ? result.then(respond) : respond(result);
}

/** Cached values of `Accept` per operation. */
const MAX_ACCEPTS = 8;
const LONGEST_ACCEPT = 256;
const HEADERS_BYTES = 1_500;

/** Caches the headers of Apollo's response. */
export function rememberHeaders(
  operation: Operation,
  { accept, operationName }: PlainRequest,
  headers: Iterable<readonly [string, string]>,
): void {
  const { headers: known } = operation;
  if (known.has(accept) || known.size === MAX_ACCEPTS || accept.length > LONGEST_ACCEPT) return;
  if (!operation.hasOperation(operationName)) return;
  known.set(
    accept,
    [...headers].filter(([name]) => name !== 'content-length'),
  );
  operation.grow(HEADERS_BYTES);
}
