/** The composition root: the only file that knows every layer. */

import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';

import type { Config } from './config.ts';
import type { Geocoder } from './geocoding/geocoder.ts';
import type { OnCall } from './geocoding/events.ts';
import { createGeocoder } from './geocoding/create-geocoder.ts';
import { createOfflineGeocoder } from './geocoding/offline/offline-geocoder.ts';
import type { HttpGet } from './geocoding/http.ts';
import { httpGet } from './geocoding/http.ts';
import { exchange } from './http-client.ts';
import { storedCache, storedQuota } from './geocoding/stored.ts';
import type { JwtVerifier } from './jwt/jwt.ts';
import type { JwtSettings } from './jwt/verifier.ts';
import type { Executor } from './graphql/operations/execution.ts';
import type { ExecutorSchemas } from './graphql/operations/executor.ts';
import type { ValidityOptions } from './graphql/read-trusted-documents.ts';
import type { TrustedDocuments } from './graphql/trusted-documents.ts';
import type { Rate, SharedCounts } from './http/rate-limit.ts';
import type { Documents } from './http/document-routes.ts';
import { AuditFile } from './observability/audit-file.ts';
import type { Metrics } from './observability/metrics.ts';
import type { GuardedPost } from './outbound/guarded-post.ts';
import type { Post } from './outbound/post.ts';
import type { V0Row } from './rest/table.ts';
import { guardStorage } from './services/backup/guard.ts';
import { Audit } from './services/audit.ts';
import type { CopyOptions, CopyResult } from './services/copy.ts';
import { copyStore } from './services/copy.ts';
import { logFieldsOf } from './services/log-fields.ts';
import { prepareSecrets } from './services/secret-key-marks.ts';
import type { Secrets } from './services/secrets.ts';
import { createSecrets } from './services/secrets.ts';
import type { Services } from './services/services.ts';
import { createServices } from './services/services.ts';
import { createUpstreamServices } from './services/upstream/upstream-services.ts';
import type { DelivererObserver, WebhookCounts } from './services/webhooks/deliverer.ts';
import { Deliverer } from './services/webhooks/deliverer.ts';
import type { WebhookMessage } from './services/webhooks/message.ts';
import type { Attempt } from './services/webhooks/send-message.ts';
import { createSendMessage } from './services/webhooks/send-message.ts';
import { Slots } from './services/webhooks/slots.ts';
import { deferStorage } from './storage/deferred.ts';
import { examineStorage, openStorage, systemOf } from './storage/open.ts';
import type { Examination } from './storage/examination.ts';
import type { Storage, StorageCommand, StorageNotice } from './storage/storage.ts';
import type { WebhookRecord } from './storage/webhooks.ts';
import { traceGet, traceSending } from './tracing/provider-requests.ts';
import { traceStorage } from './tracing/storage.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { UpstreamEvent } from './upstream/v0-upstream.ts';
import { createV0Upstream } from './upstream/v0-upstream.ts';
import { VERSION } from './version.ts';

export { describeStorage, isStorageUrl, isThere, mayBeAway } from './storage/open.ts';
export { addressOfUpstream } from './upstream/v0-upstream.ts';

/** What a command needs: the services, and the store, to close it. */
export interface Gateway {
  readonly services: Services;
  readonly storage: Storage;
  /** Null where writes leave no lines. */
  readonly audit: Audit | null;
  /** Opens the file of the audit log anew; null where there is none. */
  readonly reopenAudit: (() => void) | null;
  close(): Promise<void>;
}

/** What a server needs, whatever is behind the services. */
export interface Served {
  readonly services: Services;
  /** Null where writes leave no lines. */
  readonly audit: Audit | null;
  /** Opens the file of the audit log anew; null where there is none. */
  readonly reopenAudit: (() => void) | null;
  /** False until it is open. Until then every call fails with STORAGE_UNAVAILABLE. */
  isReady(): boolean;
  /** Resolves when what is behind the services answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A gateway whose store is opened while the server listens. */
export interface ServingGateway extends Gateway, Served {
  /** Delivers to webhooks, in the one process that tends the store. */
  readonly deliverer: Deliverer;
  /** False until the store is open and was found usable. Until then every call fails with STORAGE_UNAVAILABLE. */
  isReady(): boolean;
  /**
   * Opens the store. Can be called again after STORAGE_UNAVAILABLE.
   *
   * @throws SecretKeyError, UnfinishedCopyError, UnfinishedRestoreError when the store cannot be served; whatever opening it throws
   */
  open(): Promise<void>;
}

/** Parts that tests replace, and observers. */
export interface Parts {
  readonly storage?: Storage;
  readonly geocoder?: Geocoder;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly onStorageCommand?: (command: StorageCommand) => void;
  /** As in StorageOptions. */
  readonly namesRequests?: boolean;
  /** Told what an operator should read of the store. */
  readonly onStorageNotice?: (notice: StorageNotice) => void;
  /** Told of every call to a geocoding provider, and of every answer kept from earlier. */
  readonly onGeocode?: OnCall;
  /** Told of every request to an upstream. */
  readonly onUpstreamCall?: (event: UpstreamEvent) => void;
  readonly onGeocodeCacheFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Told why the keys of JWTs could not be fetched, for which request. */
  readonly onIssuerFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Told where a line of the audit log could not be written. */
  readonly onAuditFailure?: (error: unknown, requestId: string | null) => void;
  /** Told where the last use of tokens could not be stored. */
  readonly onTokenUseFailure?: (error: unknown) => void;
  /** Told each time that the store fails while changes are followed. */
  readonly onChangesFailure?: (error: unknown) => void;
  /** Told of each attempt to deliver a message to a webhook. */
  readonly onWebhookAttempt?: (attempted: AttemptedDelivery) => void;
  /** Told of a webhook that was disabled since its receiver does not take its messages. */
  readonly onWebhookDisabled?: (webhook: WebhookRecord) => void;
  readonly onWebhookCounts?: (counts: WebhookCounts) => void;
  /** Told each time that the store fails while messages are delivered. */
  readonly onWebhooksFailure?: (error: unknown) => void;
  /** Sends messages to webhooks; by default to globally routable addresses alone. */
  readonly post?: Post;
  /** As in StorageOptions. */
  readonly fileCacheBytes?: number;
  /** Whether calls of the store may take as long as those of a copy: no client waits for them. */
  readonly hasLongCalls?: boolean;
  /** Number of processes that serve together and share what the settings allow in all; by default 1. */
  readonly processes?: number;
  /** Null, as by default, where nothing is traced. */
  readonly tracing?: Tracing | null;
}

export interface AttemptedDelivery {
  readonly webhook: WebhookRecord;
  readonly message: WebhookMessage;
  readonly attempt: Attempt;
}

/** @throws OperatorError for an audit log that cannot be opened */
export function createGateway(config: Config, parts: Parts = {}): ServingGateway {
  const auditFile =
    config.auditLog === null ? null : new AuditFile(config.auditLog, parts.onAuditFailure ?? (() => {}));
  const { storage, attach } = deferStorage();
  const secrets = createSecrets(config.secretKey, config.secretKeyFallback);
  const { clock, geocoder = geocoderOf(config, storage, parts), processes = 1, tracing = null } = parts;
  let isReady = false;

  const open = async () => {
    const opened =
      parts.storage ??
      (await openStorage(config.databaseUrl, {
        ...(parts.hasLongCalls
          ? longCalls(config)
          : { timeoutMs: config.databaseTimeoutMs, searchTimeoutMs: config.searchTimeoutMs }),
        pageCacheBytes: config.pageCacheBytes,
        fileCacheBytes: parts.fileCacheBytes ?? config.sqliteCacheBytes,
        readerThreads: config.sqliteReaders,
        mostChanges: config.changeLogMax,
        poolSize: Math.max(1, Math.floor(config.databasePoolSize / processes)),
        onCommand: parts.onStorageCommand,
        namesRequests: parts.namesRequests,
        onNotice: parts.onStorageNotice,
      }));
    const prepare = (of: Storage) => prepareSecrets(of, secrets);
    try {
      const guarded = await guardStorage(opened, { prepare, onNotice: parts.onStorageNotice });
      // Tests count the calls of a store of their own.
      const served = parts.storage === undefined ? guarded : opened;
      attach(tracing === null ? served : traceStorage(served, systemOf(config.databaseUrl), tracing));
    } catch (error) {
      await opened.close();
      throw error;
    }
    isReady = true;
  };

  const audit = auditFile === null ? null : new Audit((line) => auditFile.write(line), clock ?? Date.now);
  const delivering = deliveringOf(config, { storage, secrets }, parts);
  const services = createServices({
    audit,
    storage,
    geocoder,
    jwtVerifier: config.jwt === null ? null : deferredVerifier(config.jwt, parts),
    secrets,
    limits: config.limits,
    webhooks: delivering.forServices,
    clock,
    onTokenUseFailure: parts.onTokenUseFailure,
    onChangesFailure: parts.onChangesFailure,
  });
  return {
    services,
    storage,
    audit,
    reopenAudit: auditFile === null ? null : () => auditFile.reopen(),
    isReady: () => isReady,
    ping: () => storage.ping(),
    open,
    deliverer: delivering.deliverer,
    close: async () => {
      services.changes.close();
      await delivering.deliverer.stop(config.shutdownTimeoutMs);
      await delivering.close();
      await services.tokens.saveUses();
      await storage.close();
      auditFile?.close();
    },
  };
}

/** What makes, tries and delivers to webhooks. */
function deliveringOf(
  { webhooks }: Config,
  { storage, secrets }: { readonly storage: Storage; readonly secrets: Secrets },
  parts: Parts,
) {
  const { clock = Date.now, post: replacement } = parts;
  // Loaded with the first message.
  const outbound = whenNeeded<GuardedPost>(async () => {
    const { createGuardedPost } = await import('./outbound/guarded-post.ts');
    return createGuardedPost({ allowsPrivate: webhooks.allowsPrivate, clock });
  });
  const post: Post =
    replacement ?? (async (sent, timeoutMs, signal) => (await outbound.get()).post(sent, timeoutMs, signal));
  const slots = new Slots(webhooks.concurrency);
  const { timeoutMs, maxOfMap, allowsHttp, allowsPrivate } = webhooks;
  const urlRules = { allowsHttp, allowsPrivate };
  const userAgent = `map-locations/${VERSION}`;
  const send = createSendMessage({ post, secrets, urlRules, userAgent, clock });
  const observer: DelivererObserver = {
    onAttempt: (webhook, message, attempt) => parts.onWebhookAttempt?.({ webhook, message, attempt }),
    onDisabled: (webhook) => parts.onWebhookDisabled?.(webhook),
    onCounts: (counts) => parts.onWebhookCounts?.(counts),
    onFailure: (error) => parts.onWebhooksFailure?.(error),
  };
  const deliverer = new Deliverer({
    ...{ storage, send, slots, timeoutMs, clock, observer },
    holder: randomUUID(),
    retry: { firstMs: webhooks.retryMs, forMs: webhooks.retryForMs, random: Math.random },
  });
  return {
    deliverer,
    forServices: {
      ...{ send, slots, urlRules, maxOfMap, timeoutMs },
      onChange: (webhook: WebhookRecord) => deliverer.changed(webhook),
    },
    close: async () => (await outbound.made())?.close(),
  };
}

/**
 * What is served where UPSTREAM_URL is set: no store is opened, and nothing is kept.
 *
 * @param url of the settings
 */
export function createUpstreamGateway(config: Config, url: string, parts: Parts = {}): Served {
  const upstream = openUpstream(url, config, parts);
  return {
    services: createUpstreamServices(upstream),
    audit: null,
    reopenAudit: null,
    isReady: () => true,
    ping: () => upstream.ping(),
    close: () => Promise.resolve(upstream.close()),
  };
}

/** Another service that speaks /v0. It is to be closed. */
export function openUpstream(url: string, { upstream }: Config, parts: Parts = {}): Upstream {
  return createV0Upstream({
    url,
    timeoutMs: upstream.timeoutMs,
    maxBytes: upstream.answerLimit,
    userAgent: `map-locations/${VERSION}`,
    ...(parts.onUpstreamCall !== undefined && { onCall: parts.onUpstreamCall }),
    ...(parts.tracing && { send: traceSending(exchange, parts.tracing) }),
  });
}

/** Loaded with the first JWT: commands see none, and most servers neither. */
function deferredVerifier(settings: JwtSettings, parts: Parts): JwtVerifier {
  const { clock = Date.now, onIssuerFailure = () => {} } = parts;
  const verifier = whenNeeded(async () => {
    const { createJwtVerifier } = await import('./jwt/verifier.ts');
    return createJwtVerifier(settings, { get: getOf(parts), clock, onIssuerFailure });
  });
  return { verify: async (token, requestId) => (await verifier.get()).verify(token, requestId) };
}

function getOf({ tracing = null }: Parts): HttpGet {
  return tracing === null ? httpGet : traceGet(httpGet, tracing);
}

function geocoderOf({ geocoding }: Config, storage: Storage, parts: Parts): Geocoder {
  return createGeocoder(
    { ...geocoding, userAgent: `map-locations/${VERSION}`, processes: parts.processes },
    {
      offline: createOfflineGeocoder(),
      cache: storedCache(storage),
      quota: storedQuota(storage),
      onCall: parts.onGeocode,
      onCacheFailure: parts.onGeocodeCacheFailure,
      clock: parts.clock,
      get: getOf(parts),
    },
  );
}

/** A gateway whose store is open, for commands and tests. Throws what {@link ServingGateway.open} throws. */
export async function openGateway(config: Config, parts: Parts = {}): Promise<ServingGateway> {
  const gateway = createGateway(config, parts);
  await gateway.open();
  return gateway;
}

/** Of commands that work on whole maps or stores. The calls are large, and no client waits for them. */
const LONG_CALL_MS = 10 * 60 * 1000;
/** Such work is not given up while a replica set elects another primary, which takes 12 s and more. */
const RECONNECT_MS = 30 * 1000;

/** A server that is not there at the beginning is waited for as long as by any other command. */
function longCalls({ databaseTimeoutMs }: Pick<Config, 'databaseTimeoutMs'>) {
  return { timeoutMs: LONG_CALL_MS, connectTimeoutMs: RECONNECT_MS, openTimeoutMs: databaseTimeoutMs };
}

/** What is stored stands all over the indexes. With few pages in memory, most would be read and written for each row. */
export const COMMAND_FILE_CACHE_BYTES = 16 * 1024 * 1024;

/**
 * @param fromUrl and `toUrl` name stores as `DATABASE_URL` does
 * @param parts.onStorageNotice told what an operator should read of either store
 */
export async function copyBetween(
  fromUrl: string,
  toUrl: string,
  config: Pick<Config, 'databaseTimeoutMs'>,
  options: CopyOptions,
  { onStorageNotice: onNotice }: Pick<Parts, 'onStorageNotice'> = {},
): Promise<CopyResult> {
  const calls = longCalls(config);
  const source = await openStorage(fromUrl, { ...calls, onNotice });
  try {
    const target = await openStorage(toUrl, {
      ...calls,
      fileCacheBytes: COMMAND_FILE_CACHE_BYTES,
      onNotice,
    });
    try {
      return await copyStore(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** The store's own. Nothing but a backup or a restore is done with it. */
export function openForBackup(
  config: Pick<Config, 'databaseUrl' | 'databaseTimeoutMs'>,
  { onStorageNotice: onNotice }: Pick<Parts, 'onStorageNotice'> = {},
): Promise<Storage> {
  return openStorage(config.databaseUrl, {
    ...longCalls(config),
    fileCacheBytes: COMMAND_FILE_CACHE_BYTES,
    onNotice,
  });
}

/** Throws what {@link examineStorage} throws. */
export function openForExamination(
  config: Pick<Config, 'databaseUrl' | 'databaseTimeoutMs'>,
): Promise<Examination> {
  return examineStorage(config.databaseUrl, longCalls(config));
}

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
    { createGraphqlDoor },
    { createErrorFormatter },
    { createExecutor },
    { OperationStore },
    { limitVariables },
    { withSubscriptions },
    schemas,
  ] = await Promise.all([
    import('./graphql/door.ts'),
    import('./graphql/format-error.ts'),
    import('./graphql/operations/executor.ts'),
    import('./graphql/operations/store.ts'),
    import('./graphql/operations/variables.ts'),
    import('./graphql/streaming.ts'),
    import('./graphql/schema.ts'),
  ]);
  const [{ createServer }, { createTable }] = await Promise.all([
    import('./http/server.ts'),
    import('./rest/table.ts'),
  ]);
  const { operationsBytes, introspection, federation, trustedDocuments, trustedOnly, ...limits } =
    config.graphql;
  const inFrontOfUpstream = gateway.services.upstream !== null;
  const executable = inFrontOfUpstream
    ? await upstreamSchemas()
    : schemasOf(schemas.createSchema({ federation }), schemas.createPrivateSchema);
  const { schema } = executable;
  const untraced = (executorOf ?? createExecutor)(executable);
  const executor =
    tracing === null
      ? untraced
      : (await import('./tracing/operations.ts')).traceOperations(untraced, tracing);
  const operations = new OperationStore(operationsBytes - PERSISTED_QUERIES_SHARE * operationsBytes);
  const formatError = createErrorFormatter(
    (error, scope) => logger.error({ ...logFieldsOf(scope), err: error }, 'An operation failed'),
    introspection ? schema : null,
  );
  const graphqlExecutor = limitVariables(
    withSubscriptions(executor, schema, formatError),
    schema,
    limits.maxValues,
  );
  const apollo = whenNeeded(async () => {
    const { openApollo } = await import('./graphql/apollo.ts');
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
  const rows = createTable({ ...config.v0, inFrontOfUpstream });
  const app = await createServer({
    config,
    services: gateway.services,
    graphql: createGraphqlDoor({
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
    rows,
    documents: documentsOf(config, rows, schema),
    logger,
    audit: gateway.audit,
    isReady: () => gateway.isReady(),
    ping: () => gateway.ping(),
    sharedCounts,
    onAnswered: metrics === null ? null : (request) => metrics.observeRequest(request),
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

function schemasOf(
  schema: GraphQLSchema,
  privateOf: (schema: GraphQLSchema) => GraphQLSchema,
): ExecutorSchemas {
  return { schema, privateSchema: privateOf(schema) };
}

async function upstreamSchemas(): Promise<ExecutorSchemas> {
  const { createUpstreamPrivateSchema, createUpstreamSchema } = await import('./graphql/upstream/schema.ts');
  return {
    ...schemasOf(createUpstreamSchema(), createUpstreamPrivateSchema),
    // No store writes them, and they could not have the errors of what /v0 does not show.
    readsJsonPages: false,
  };
}

/** @throws OperatorError */
async function trustedDocumentsOf(
  path: string,
  isOnly: boolean,
  options: ValidityOptions,
): Promise<TrustedDocuments> {
  const [{ readTrustedDocuments }, { TrustedDocuments: Documents }, { readPageDocuments }] =
    await Promise.all([
      import('./graphql/read-trusted-documents.ts'),
      import('./graphql/trusted-documents.ts'),
      import('./web/page-documents.ts'),
    ]);
  const documents = await readTrustedDocuments(path, options);
  const own = isOnly ? readPageDocuments() : [];
  return new Documents(new Map([...documents, ...own]), isOnly);
}

/** Loaded when they are first asked for. */
function documentsOf(config: Config, rows: readonly V0Row[], schema: GraphQLSchema): Documents {
  return {
    openApi: async () => {
      const { createOpenApi } = await import('./rest/openapi/document.ts');
      return createOpenApi(rows, {
        mapProvider: config.v0.mapProvider,
        errorStatus: config.v0.errorStatus,
        fieldLimits: config.limits.fields,
        bodyLimit: config.bodyLimit,
        publicUrl: config.publicUrl,
        allowsOrigins: config.corsOrigins.length > 0,
        acceptsJwts: config.jwt !== null,
        inFrontOfUpstream: config.upstream.url !== null,
      });
    },
    sdl: async () => (await import('graphql')).printSchema(schema),
  };
}

/** The part of the operations' memory that holds the documents which clients registered by hash (persisted queries). */
const PERSISTED_QUERIES_SHARE = 1 / 8;

/** Milliseconds after the start when Apollo Server is loaded, if no request needed it before. */
const APOLLO_AFTER_MS = 1_000;

interface WhenNeeded<T> {
  /** Makes it at the first call. */
  readonly get: () => Promise<T>;
  /** Null when it was never needed, or could not be made. */
  readonly made: () => Promise<T | null>;
}

function whenNeeded<T>(make: () => Promise<T>): WhenNeeded<T> {
  let making: Promise<T> | null = null;
  return {
    get: () =>
      (making ??= make().catch((error: unknown) => {
        making = null;
        throw error;
      })),
    made: async () => (making === null ? null : making.catch(() => null)),
  };
}
