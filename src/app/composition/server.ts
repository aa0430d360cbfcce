/** The HTTP server of an application, with the GraphQL endpoint, the /v0 endpoint and the pages. */

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import type { ExecutorSchemas } from '../../graphql/execution/executor.ts';
import type { TrustedDocuments, ValidityOptions } from '../../graphql/trusted-documents.ts';
import type { Rate, SharedCounts } from '../../http/limits/rate-limit.ts';
import type { Documents } from '../../http/routes/document-routes.ts';
import { lazy } from '../../lib/lazy.ts';
import type { Metrics } from '../observability/metrics.ts';
import { logFieldsOf } from '../../services/scope.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { BasemapFile } from '../../web/basemap-file/basemap-file.ts';
import type { Application, BackendApi } from './application.ts';

export interface ServerParts {
  /** Null when metrics are off. */
  readonly metrics?: Metrics | null;
  /** The rate-limit counts of all serving processes; null when only this process serves. */
  readonly sharedCounts?: Readonly<Record<Rate, SharedCounts>> | null;
  /** Null by default: no tracing. */
  readonly tracing?: Tracing | null;
  /** Replaces the executor in tests. */
  readonly executorOf?: (schemas: ExecutorSchemas) => Executor;
}

/** The share of the operations' memory for persisted queries, which clients register by hash. */
const PERSISTED_QUERIES_SHARE = 1 / 8;

/** Milliseconds after the start when Apollo Server is loaded, if no request needed it before. */
const APOLLO_AFTER_MS = 1_000;

/** Does not listen yet. The layers above the services are loaded here because commands do not need them. */
export async function createApplicationServer(
  application: Application,
  config: Config,
  logger: Logger,
  { metrics = null, sharedCounts = null, tracing = null, executorOf }: ServerParts = {},
): Promise<FastifyInstance> {
  const api = await application.loadApi();
  const { endpoint, executor, apollo } = await composeGraphql(api.schemas, config, logger, {
    tracing,
    executorOf,
  });
  const { createServer } = await import('../../http/server.ts');
  const app = await createServer({
    config,
    services: application.services,
    graphql: endpoint,
    executor,
    rows: api.rows,
    documents: documentsOf(config, api),
    backend: api.pages,
    logger,
    audit: application.audit,
    isReady: () => application.isReady(),
    ping: () => application.ping(),
    pingTimeoutMs: application.pingTimeoutMs,
    sharedCounts,
    onResponse: metrics === null ? null : (request) => metrics.observeRequest(request),
    observerOf: (transport) => ({
      observeSubscription: (by) => metrics?.observeSubscription(transport, by),
      observeChangeSent: () => metrics?.observeChangeSent(transport),
    }),
    basemap: basemapOf(config, logger),
    tracing,
  });
  // Shortly after the start, not during it: Apollo Server takes as long to load as Fastify.
  const soon = setTimeout(() => {
    apollo.get().catch((error: unknown) => {
      logger.error({ err: error }, 'Apollo Server could not be loaded; the next request retries');
    });
  }, APOLLO_AFTER_MS);
  app.addHook('onClose', async () => {
    clearTimeout(soon);
    await (await apollo.made())?.stop();
  });
  return app;
}

/** The GraphQL endpoint, its executor (which /v0 uses too), and Apollo Server, loaded when a request needs it. */
async function composeGraphql(
  schemas: ExecutorSchemas,
  config: Config,
  logger: Logger,
  { tracing, executorOf }: Required<Pick<ServerParts, 'tracing'>> & Pick<ServerParts, 'executorOf'>,
) {
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
  const { operationsBytes, introspection, trustedDocuments, trustedOnly, ...limits } = config.graphql;
  const { schema } = schemas;
  const untraced = (executorOf ?? createExecutor)(schemas);
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
  const apollo = lazy(async () => {
    const { openApollo } = await import('../../graphql/apollo.ts');
    const persistedQueryBytes = PERSISTED_QUERIES_SHARE * operationsBytes;
    const { maxTokens } = limits;
    return openApollo({
      ...{ schema, executor: graphqlExecutor, operations, maxTokens, persistedQueryBytes },
      ...{ introspection, formatError, logger },
    });
  });
  const trusted =
    trustedDocuments === null
      ? null
      : await trustedDocumentsOf(trustedDocuments, trustedOnly, { schema, introspection });
  const endpoint = createGraphqlEndpoint({
    schema,
    executor: graphqlExecutor,
    operations,
    apollo: apollo.get,
    limits,
    formatError,
    trusted,
  });
  return { endpoint, executor, apollo };
}

function basemapOf({ mapPage: { basemapFile } }: Config, logger: Logger): BasemapFile | null {
  if (basemapFile === null) return null;
  return new BasemapFile(basemapFile.path, (problem) => {
    if (problem === null) logger.info('BASEMAP_FILE is usable again');
    else logger.error(`BASEMAP_FILE must ${problem}; the pages show the built-in map alone`);
  });
}

/** Loaded at the first request for them. */
function documentsOf(config: Config, api: BackendApi): Documents {
  return {
    openApi: () =>
      api.openApi({
        mapProvider: config.v0.mapProvider,
        errorStatus: config.v0.errorStatus,
        fieldLimits: config.limits.fields,
        bodyLimit: config.bodyLimit,
        publicUrl: config.publicUrl,
        allowsOrigins: config.corsOrigins.length > 0,
        acceptsJwts: config.jwt !== null,
      }),
    sdl: async () => (await import('graphql')).printSchema(api.schemas.schema),
  };
}

/** @throws OperatorError when the file cannot be read or holds an invalid document */
async function trustedDocumentsOf(
  path: string,
  isOnly: boolean,
  options: ValidityOptions,
): Promise<TrustedDocuments> {
  const [{ readTrustedDocuments, TrustedDocuments: Documents }, { readPageDocuments }] = await Promise.all([
    import('../../graphql/trusted-documents.ts'),
    import('../../web/page-assets.ts'),
  ]);
  const documents = await readTrustedDocuments(path, options);
  const own = isOnly ? readPageDocuments() : [];
  return new Documents(new Map([...documents, ...own]), isOnly);
}
