/** Apollo Server: the GraphQL-over-HTTP protocol, parsing, validation and limits, in front of our executor. */

import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, GraphQLSchema } from 'graphql';

import { stringifyJson } from '../domain/json-text.ts';
import type { RequestContext } from './context.ts';
import type { Executor } from './execution.ts';
import type { LogFailure } from './format-error.ts';
import { createErrorFormatter } from './format-error.ts';
import { aliasLimit, depthLimit } from './validation.ts';

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

export type Apollo = ApolloServer<RequestContext>;

/** Starts Apollo Server without a listener of its own; http/ feeds it plain requests. */
export async function startApollo({
  schema,
  executor,
  onDocument,
  limits,
  logFailure,
  logger,
}: ApolloOptions): Promise<Apollo> {
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
