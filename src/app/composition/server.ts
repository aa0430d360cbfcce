/** The HTTP server with both doors over a gateway. */

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import type { ExecutorSchemas } from '../../graphql/execution/executor.ts';
import type { TrustedDocuments, ValidityOptions } from '../../graphql/trusted-documents.ts';
import type { Rate, SharedCounts } from '../../http/limits/rate-limit.ts';
import type { Metrics } from '../observability/metrics.ts';
import { logFieldsOf } from '../../services/scope.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { documentsOf } from './documents.ts';
import type { Served } from './gateway.ts';
import { whenNeeded } from './when-needed.ts';

export interface ServerParts {
  /** Null when metrics are off. */
  readonly metrics?: Metrics | null;
  /** What other serving processes have counted; null when this process serves alone. */
  readonly sharedCounts?: Readonly<Record<Rate, SharedCounts>> | null;
  /** Null, as by default, where nothing is traced. */
  readonly tracing?: Tracing | null;
  /** For tests: another executor. */
  readonly executorOf?: (schemas: ExecutorSchemas) => Executor;
}

/**
 * The HTTP server with both doors over a gateway; not listening yet. It is loaded here, since commands do not need it.
 */
export async function createGatewayServer(
  gateway: Served,
  config: Config,
  logger: Logger,
  { metrics = null, sharedCounts = null, tracing = null, executorOf }: ServerParts = {},
): Promise<FastifyInstance> {
  const [
    { createGraphqlEndpoint },
    { createErrorFormatter },
    { createExecutor },
    { OperationStore },
    { limitVariables, refuseUnsafeLiterals },
    { withSubscriptions },
  ] = await Promise.all([
    import('../../graphql/endpoint.ts'),
    import('../../graphql/format-error.ts'),
    import('../../graphql/execution/executor.ts'),
    import('../../graphql/execution/operation-store.ts'),
    import('../../graphql/execution/input-checks.ts'),
    import('../../graphql/execution/subscriptions.ts'),
  ]);
  const { createServer } = await import('../../http/server.ts');
  const api = await gateway.loadApi();
  const { operationsBytes, introspection, trustedDocuments, trustedOnly, ...limits } = config.graphql;
  const { schema } = api.schemas;
  const untraced = (executorOf ?? createExecutor)(api.schemas);
  const executor =
    tracing === null
      ? untraced
      : (await import('../../tracing/operations.ts')).traceOperations(untraced, tracing);
  const operations = new OperationStore(operationsBytes - PERSISTED_QUERIES_SHARE * operationsBytes);
  const formatError = createErrorFormatter(
    (error, scope) => logger.error({ ...logFieldsOf(scope), err: error }, 'An operation failed'),
    introspection ? schema : null,
  );
  const graphqlExecutor = limitVariables(
    refuseUnsafeLiterals(withSubscriptions(executor, schema, formatError), schema),
    schema,
    limits.maxValues,
  );
  const apollo = whenNeeded(async () => {
    const { openApollo } = await import('../../graphql/apollo.ts');
    return openApollo({
      schema,
      executor: graphqlExecutor,
      operations,
      maxTokens: limits.maxTokens,
      persistedQueryBytes: PERSISTED_QUERIES_SHARE * operationsBytes,
      introspection,
      formatError,
      logger,
    });
  });
  const app = await createServer({
    config,
    services: gateway.services,
    graphql: createGraphqlEndpoint({
      schema,
      executor: graphqlExecutor,
      operations,
      apollo: apollo.get,
      limits,
      formatError,
      trusted:
        trustedDocuments === null
          ? null
          : await trustedDocumentsOf(trustedDocuments, trustedOnly, { schema, introspection }),
    }),
    executor,
    rows: api.rows,
    documents: documentsOf(config, api),
    backend: api.pages,
    logger,
    audit: gateway.audit,
    isReady: () => gateway.isReady(),
    ping: () => gateway.ping(),
    pingTimeoutMs: gateway.pingTimeoutMs,
    sharedCounts,
    onResponse: metrics === null ? null : (request) => metrics.observeRequest(request),
    observerOf: (transport) => ({
      observeSubscription: (by) => metrics?.observeSubscription(transport, by),
      observeChangeSent: () => metrics?.observeChangeSent(transport),
    }),
    tracing,
  });
  // Shortly after the start, not during it: Apollo Server takes as long to load as Fastify.
  const soon = setTimeout(() => {
    apollo.get().catch((error: unknown) => {
      logger.error({ err: error }, 'GraphQL cannot be served; it is tried again at the next request');
    });
  }, APOLLO_AFTER_MS);
  app.addHook('onClose', async () => {
    clearTimeout(soon);
    await (await apollo.made())?.stop();
  });
  return app;
}

/** @throws OperatorError */
async function trustedDocumentsOf(
  path: string,
  isOnly: boolean,
  options: ValidityOptions,
): Promise<TrustedDocuments> {
  const [{ readTrustedDocuments }, { TrustedDocuments: Documents }, { readPageDocuments }] =
    await Promise.all([
      import('../../graphql/trusted-documents.ts'),
      import('../../graphql/trusted-documents.ts'),
      import('../../web/page-assets.ts'),
    ]);
  const documents = await readTrustedDocuments(path, options);
  const own = isOnly ? readPageDocuments() : [];
  return new Documents(new Map([...documents, ...own]), isOnly);
}

/** The part of the operations' memory that holds the documents which clients registered by hash (persisted queries). */
const PERSISTED_QUERIES_SHARE = 1 / 8;

/** Milliseconds after the start when Apollo Server is loaded, if no request needed it before. */
const APOLLO_AFTER_MS = 1_000;
