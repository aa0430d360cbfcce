/** Apollo Server: the GraphQL-over-HTTP protocol, parsing, validation and limits, in front of our executor. */

import type { IncomingHttpHeaders } from 'node:http';

import type { ApolloServerOptionsWithGateway, HTTPGraphQLResponse } from '@apollo/server';
import { ApolloServer, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, GraphQLSchema } from 'graphql';

import { stringifyJson } from '../domain/json-text.ts';
import type { RequestContext } from './context.ts';
import type { Executor } from './operations/execution.ts';
import type { LogFailure } from './format-error.ts';
import { createErrorFormatter } from './format-error.ts';
import { aliasLimit, depthLimit } from './operations/limits.ts';

export interface GraphqlLimits {
  /** Lexical tokens in a document. */
  readonly maxTokens: number;
  /** Levels of nested fields. */
  readonly maxDepth: number;
  /** Aliased fields. */
  readonly maxAliases: number;
  /** Maps and locations that one operation may read. */
  readonly maxRows: number;
}

export interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  /** Told which document a request came to. */
  readonly onDocument: (context: RequestContext, document: DocumentNode) => void;
  readonly limits: GraphqlLimits;
  readonly logFailure: LogFailure;
  readonly logger: NonNullable<ApolloServerOptionsWithGateway<RequestContext>['logger']>;
}

export interface ApolloRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** With its question mark, or empty. */
  readonly search: string;
  /** Read as JSON. */
  readonly body: unknown;
}

/** Apollo Server as http/ sees it: requests in, answers out. */
export interface ApolloDoor {
  answer(request: ApolloRequest, context: RequestContext): Promise<HTTPGraphQLResponse>;
  stop(): Promise<void>;
}

export async function openApollo(options: ApolloOptions): Promise<ApolloDoor> {
  const apollo = await startApollo(options);
  return {
    answer: (request, context) =>
      apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { ...request, headers: headerMapOf(request.headers) },
        context: () => Promise.resolve(context),
      }),
    stop: () => apollo.stop(),
  };
}

function headerMapOf(given: IncomingHttpHeaders): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** Starts Apollo Server without a listener of its own; http/ feeds it plain requests. */
export async function startApollo({
  schema,
  executor,
  onDocument,
  limits,
  logFailure,
  logger,
}: ApolloOptions): Promise<ApolloServer<RequestContext>> {
  const options: ApolloServerOptionsWithGateway<RequestContext> = {
    logger,
    gateway: gatewayTo(schema, executor, onDocument),
    introspection: true,
    allowBatchedHttpRequests: false,
    // Credentials travel in a header that no cross-site form can send, and GET runs queries alone.
    csrfPrevention: false,
    includeStacktraceInErrorResponses: false,
    stringifyResult: stringifyJson,
    formatError: createErrorFormatter(logFailure),
    parseOptions: { maxTokens: limits.maxTokens },
    validationRules: [depthLimit(limits.maxDepth), aliasLimit(limits.maxAliases)],
    // Signals are the process's own to handle; so is the page that a browser gets.
    stopOnTerminationSignals: false,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It wraps every resolver to compute a header that we set ourselves.
      ApolloServerPluginCacheControlDisabled(),
    ],
  };
  const apollo = new ApolloServer<RequestContext>(options);
  await apollo.start();
  return apollo;
}

/** Apollo's way to leave execution to somebody else. */
function gatewayTo(
  schema: GraphQLSchema,
  executor: Executor,
  onDocument: ApolloOptions['onDocument'],
): ApolloServerOptionsWithGateway<RequestContext>['gateway'] {
  return {
    load: () =>
      Promise.resolve({
        executor: async ({ document, request, context }) => {
          onDocument(context as RequestContext, document);
          return executor({
            document,
            // As it was asked for: the name beside it is null where the document has no such operation.
            operationName: request.operationName,
            variables: request.variables,
            context: context as RequestContext,
          });
        },
      }),
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    stop: () => Promise.resolve(),
  };
}
