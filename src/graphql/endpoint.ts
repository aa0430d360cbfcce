/** The port between http/ and GraphQL: plain requests in, plain responses out. */

import type { IncomingHttpHeaders } from 'node:http';

import type { GraphQLSchema } from 'graphql';

import { isJsonObject } from '../domain/json/json.ts';
import type { RequestContext } from './context.ts';
import type { FormatError } from './format-error.ts';
import type { Executor } from './execution/execution.ts';
import { executeWithoutApollo, rememberHeaders, readPlainRequest } from './execution/apollo-bypass.ts';
import type { DocumentLimits } from './limits/document-limits.ts';
import { assertAffordable } from './limits/document-limits.ts';
import type { OperationStore } from './execution/operation-store.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

export interface GraphqlRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The query string with its question mark; may be empty. */
  readonly search: string;
  /** The parsed JSON. */
  readonly body: unknown;
}

export interface GraphqlResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** UTF-8 if it is not a string. */
  readonly body: string | Buffer;
}

export interface GraphqlEndpoint {
  /** @throws DocumentRefusal for a document that is too expensive */
  response(request: GraphqlRequest, context: RequestContext): Promise<GraphqlResponse>;
}

export interface GraphqlEndpointOptions {
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  readonly operations: OperationStore;
  /** Apollo Server's endpoint, started on first use. */
  readonly apollo: () => Promise<GraphqlEndpoint>;
  readonly limits: DocumentLimits;
  readonly formatError: FormatError;
  /** Null if there are none. */
  readonly trusted: TrustedDocuments | null;
}

/** Executes known operations directly. Apollo Server handles all other requests, including invalid ones. */
export function createGraphqlEndpoint(options: GraphqlEndpointOptions): GraphqlEndpoint {
  const { schema, executor, operations, apollo, limits, formatError, trusted } = options;
  return {
    async response(received, context) {
      const request = trusted === null ? received : trusted.resolve(received);
      const plain = request.method === 'POST' ? readPlainRequest(request.body, request.headers.accept) : null;
      const text = plain?.query ?? textOf(request);
      const operation = text === null ? undefined : operations.find(text);
      if (plain !== null && operation !== undefined) {
        const known = executeWithoutApollo(operation, plain, context, executor, formatError);
        if (known !== null) return toResponse(await known, context);
      }
      if (text !== null && operation === undefined) assertAffordable(schema, text, limits);
      const response = await (await apollo()).response(request, context);
      const learned = plain === null || response.status !== 200 ? undefined : operations.find(plain.query);
      if (plain !== null && learned !== undefined) rememberHeaders(learned, plain, response.headers);
      return toResponse(response, context);
    },
  };
}

/** The document's text; null if the request has none. */
function textOf({ method, body, search }: GraphqlRequest): string | null {
  const query =
    method === 'GET' ? new URLSearchParams(search).get('query') : isJsonObject(body) && body['query'];
  return typeof query === 'string' ? query : null;
}

const RESPONSE_TYPE = 'application/graphql-response+json';

/** GraphQL over HTTP (6.4): a response without data has an error status, unless its media type is the legacy one. */
function toResponse(response: GraphqlResponse, { budget }: RequestContext): GraphqlResponse {
  if (!budget.isUsedUp) return response;
  const type = new Map(response.headers).get('content-type') ?? '';
  return { ...response, status: type.startsWith(RESPONSE_TYPE) ? 413 : 200 };
}
