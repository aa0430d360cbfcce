/** Puts services, store and providers together, for commands and servers. */

import type { Config } from '../config.ts';
import { AuditFile } from '../observability/audit-file.ts';
import { guardStorage } from '../../services/backup/guard.ts';
import { Audit } from '../../services/audit/audit.ts';
import { prepareSecrets } from '../../services/secrets/secret-rotation.ts';
import { createSecrets } from '../../services/secrets/secrets.ts';
import type { Services } from '../../services/services.ts';
import { createServices } from '../../services/services.ts';
import type { WebhookDispatcher } from '../../services/webhooks/dispatcher.ts';
import { deferStorage } from '../../storage/deferred.ts';
import { openStorage, systemOf } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { traceStorage } from '../../tracing/storage.ts';
import type { BackendApi } from './backend-api.ts';
import type { Parts } from './parts.ts';
import { deferredVerifier, geocoderOf } from './providers.ts';
import { longCalls } from './stores.ts';
import { deliveringOf } from './webhooks.ts';

/** What a server needs, whatever is behind the services. */
export interface Served {
  readonly services: Services;
  /** Null where writes leave no lines. */
  readonly audit: Audit | null;
  /** Opens the file of the audit log anew; null where there is none. */
  readonly reopenAudit: (() => void) | null;
  /** False until what is behind the services is open and was found usable. Until then every call fails with STORAGE_UNAVAILABLE. */
  isReady(): boolean;
  /** Resolves when what is behind the services answers. */
  ping(): Promise<void>;
  /** How long a ping may take, in milliseconds. */
  readonly pingTimeoutMs: number;
  /** Loads the schemas, the /v0 table and the pages. Commands need none of them. */
  loadApi(): Promise<BackendApi>;
  close(): Promise<void>;
}

/** What a command needs: the services, and the store, to close it. */
export interface Gateway extends Omit<Served, 'isReady' | 'ping' | 'pingTimeoutMs' | 'loadApi'> {
  readonly storage: Storage;
}

/** A gateway whose store is opened while the server listens. */
export interface ServingGateway extends Gateway, Served {
  /** Delivers to webhooks, in the one process that tends the store. */
  readonly dispatcher: WebhookDispatcher;
  /**
   * Opens the store. Can be called again after STORAGE_UNAVAILABLE.
   *
   * @throws SecretKeyError, UnfinishedCopyError, UnfinishedRestoreError when the store cannot be served; whatever opening it throws
   */
  open(): Promise<void>;
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
        mappedFileBytes: config.sqliteMmapBytes,
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
    pingTimeoutMs: config.databaseTimeoutMs,
    loadApi: async () => (await import('./store-api.ts')).createStoreApi(config),
    open,
    dispatcher: delivering.dispatcher,
    close: async () => {
      services.changes.close();
      await delivering.dispatcher.stop(config.shutdownTimeoutMs);
      await delivering.close();
      await services.tokens.saveUses();
      await storage.close();
      auditFile?.close();
    },
  };
}

/** A gateway whose store is open, for commands and tests. Throws what {@link ServingGateway.open} throws. */
export async function openGateway(config: Config, parts: Parts = {}): Promise<ServingGateway> {
  const gateway = createGateway(config, parts);
  await gateway.open();
  return gateway;
}
