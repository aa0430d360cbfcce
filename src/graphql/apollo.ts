/** Apollo Server: the GraphQL-over-HTTP protocol, parsing and validation. Execution is left to our executor. */

import type { IncomingHttpHeaders } from 'node:http';

import type { ApolloServerOptionsWithGateway, ApolloServerPlugin, HTTPGraphQLResponse } from '@apollo/server';
import { ApolloServer, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import { stringifyJson } from '../domain/json/json-text.ts';
import type { Scope } from '../services/scope.ts';
import type { RequestContext } from './context.ts';
import type { GraphqlEndpoint } from './endpoint.ts';
import type { FormatError } from './format-error.ts';
import type { Executor } from './execution/execution.ts';
import { Operation } from './execution/operation.ts';
import type { OperationStore } from './execution/operation-store.ts';

export interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  /** Stores parsed and validated documents. */
  readonly operations: OperationStore;
  /** Maximum lexical tokens per document. */
  readonly maxTokens: number;
  /** Memory for persisted queries that clients registered by hash, in bytes. */
  readonly persistedQueryBytes: number;
  /** Whether clients may ask for the schema. */
  readonly introspection: boolean;
  readonly formatError: FormatError;
  readonly logger: NonNullable<ApolloServerOptionsWithGateway<RequestContext>['logger']>;
}

/** Handles every request, valid or not. */
export interface ApolloEndpoint extends GraphqlEndpoint {
  stop(): Promise<void>;
}

export async function openApollo(options: ApolloOptions): Promise<ApolloEndpoint> {
  const apollo = await startApollo(options);
  return {
    async response(request, context) {
      const { status, headers, body } = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { ...request, headers: headerMapOf(request.headers) },
        context: () => Promise.resolve(context),
      });
      return { status: status ?? 200, headers, body: await textOf(body) };
    },
    stop: () => apollo.stop(),
  };
}

async function textOf(body: HTTPGraphQLResponse['body']): Promise<string> {
  if (body.kind === 'complete') return body.string;
  // Never happens: the schema has no directives for incremental delivery.
  let text = '';
  for await (const chunk of body.asyncIterator) text += chunk;
  return text;
}

function headerMapOf(given: IncomingHttpHeaders): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** Starts Apollo Server without its own listener. The routes in http/ pass requests to it. */
export async function startApollo({
  schema,
  executor,
  operations,
  maxTokens,
  persistedQueryBytes,
  introspection,
  formatError,
  logger,
}: ApolloOptions): Promise<ApolloServer<RequestContext>> {
  const scopes = scopesOfErrors();
  const options: ApolloServerOptionsWithGateway<RequestContext> = {
    logger,
    gateway: gatewayTo(schema, executor, operations),
    documentStore: storedDocuments(operations),
    persistedQueries: { cache: boundedTexts(persistedQueryBytes) },
    introspection,
    allowBatchedHttpRequests: false,
    // Not needed: the token is in a header that a cross-site form cannot send, and GET runs only queries.
    csrfPrevention: false,
    includeStacktraceInErrorResponses: false,
    stringifyResult: stringifyJson,
    formatError: (formatted, error) => formatError(formatted, error, scopes.of(error)),
    parseOptions: { maxTokens },
    // The process handles signals itself.
    stopOnTerminationSignals: false,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver to compute a header that we set ourselves.
      ApolloServerPluginCacheControlDisabled(),
      scopes.plugin,
    ],
  };
  const apollo = new ApolloServer<RequestContext>(options);
  await apollo.start();
  return apollo;
}

/** The scope of each error's request, which Apollo does not pass to formatError. */
function scopesOfErrors() {
  const scopes = new WeakMap<object, Scope>();
  const plugin: ApolloServerPlugin<RequestContext> = {
    requestDidStart: () =>
      Promise.resolve({
        didEncounterErrors({ errors, contextValue: { scope } }) {
          for (const error of errors) scopes.set(error, scope);
          return Promise.resolve();
        },
      }),
  };
  return {
    plugin,
    // Apollo rejects some requests before it has a context, never with an unexpected error.
    of: (error: unknown): Scope => scopes.get(error as object) ?? { caller: null },
  };
}

/**
 * Adapts the operation store for Apollo, whose own store weighs a document by its JSON and so misses nearly all of
 * its memory. Apollo's keys end in the hash of the text; the documents are valid.
 */
type KeyValueCache<T> = {
  get(key: string): Promise<T | undefined>;
  set(key: string, value: T): Promise<void>;
  delete(key: string): Promise<boolean>;
};

function storedDocuments(operations: OperationStore): KeyValueCache<DocumentNode> {
  return {
    get: (key) => Promise.resolve(operations.findByHash(key)?.document),
    set: (key, document) => {
      operations.add(document, key);
      return Promise.resolve();
    },
    delete: () => Promise.resolve(false),
  };
}

function boundedTexts(maxBytes: number): KeyValueCache<string> {
  const texts = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (text, key) => 2 * (text.length + key.length),
  });
  return {
    get: (key) => Promise.resolve(texts.get(key)),
    set: (key, text) => {
      texts.set(key, text);
      return Promise.resolve();
    },
    delete: (key) => Promise.resolve(texts.delete(key)),
  };
}

/** Apollo's interface for external execution. */
function gatewayTo(
  schema: GraphQLSchema,
  executor: Executor,
  operations: OperationStore,
): ApolloServerOptionsWithGateway<RequestContext>['gateway'] {
  return {
    load: () =>
      Promise.resolve({
        executor: async ({ document, request, source, context }) =>
          executor({
            // Usually found: Apollo has just read or stored it. A document that did not fit is executed all the same.
            operation: operations.find(source) ?? new Operation(document),
            // Apollo's own value is null if the document has no such operation.
            operationName: request.operationName,
            variables: request.variables,
            context: context as RequestContext,
          }),
      }),
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    stop: () => Promise.resolve(),
  };
}
