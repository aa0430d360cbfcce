/** Composes the services with a store and its providers, for commands and servers. */

import type { Config } from '../config.ts';
import { AuditFile } from '../observability/audit-file.ts';
import { guardStorage } from '../../services/backup/guard.ts';
import { Audit } from '../../services/audit/audit.ts';
import { prepareSecrets } from '../../services/secrets/secret-rotation.ts';
import type { Secrets } from '../../services/secrets/secrets.ts';
import { createSecrets } from '../../services/secrets/secrets.ts';
import { createServices } from '../../services/services.ts';
import type { WebhookDispatcher } from '../../services/webhooks/dispatcher.ts';
import { deferStorage } from '../../storage/deferred.ts';
import { openStorage, systemOf } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { traceStorage } from '../../tracing/storage.ts';
import type { Application, Parts } from './application.ts';
import { deferredProvider, deferredVerifier, geocoderOf } from './providers.ts';
import { longCalls } from './whole-stores.ts';
import { deliveringOf } from './webhooks.ts';

/** Services over a store. A server listens while the store is still being opened. */
export interface StoreApplication extends Application {
  readonly storage: Storage;
  /** Delivers to webhooks. One process of a server starts it. */
  readonly dispatcher: WebhookDispatcher;
  /**
   * Opens the store. Can be called again after STORAGE_UNAVAILABLE.
   *
   * @throws SecretKeyError, UnfinishedCopyError or UnfinishedRestoreError when the store must not be served; whatever opening
   *   it throws
   */
  open(): Promise<void>;
}

/** @throws OperatorError when the audit log cannot be opened */
export function createStoreApplication(config: Config, parts: Parts = {}): StoreApplication {
  const auditFile =
    config.auditLog === null ? null : new AuditFile(config.auditLog, parts.onAuditFailure ?? (() => {}));
  const { storage, attach } = deferStorage();
  const secrets = createSecrets(config.secretKey, config.secretKeyFallback);
  const { clock, geocoder = geocoderOf(config, storage, parts) } = parts;
  let isReady = false;
  const audit = auditFile === null ? null : new Audit((line) => auditFile.write(line), clock ?? Date.now);
  const delivering = deliveringOf(config, { storage, secrets }, parts);
  const services = createServices({
    audit,
    storage,
    geocoder,
    jwtVerifier: config.jwt === null ? null : deferredVerifier(config.jwt, parts),
    secrets,
    limits: config.limits,
    allowsPasswords: config.passwordSignIn,
    passwords: parts.passwords,
    signInProvider: config.oidc === null ? null : { ...config.oidc, provider: deferredProvider(config.oidc) },
    history: config.history,
    tileCacheBytes: config.tileCacheBytes,
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
    async open() {
      attach(await openServedStorage(config, parts, secrets));
      isReady = true;
    },
    dispatcher: delivering.dispatcher,
    close: async () => {
      services.changes.close();
      await delivering.dispatcher.stop(config.shutdownTimeoutMs);
      await delivering.close();
      await services.tiles.close();
      await services.tokens.saveUses();
      await services.sessions.saveUses();
      await storage.close();
      auditFile?.close();
    },
  };
}

/** @throws what {@link StoreApplication.open} throws */
async function openServedStorage(config: Config, parts: Parts, secrets: Secrets): Promise<Storage> {
  const { processes = 1, tracing = null, onStorageNotice: onNotice } = parts;
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
      onNotice,
    }));
  try {
    const prepare = (storage: Storage) => prepareSecrets(storage, secrets);
    const guarded = await guardStorage(opened, { prepare, onNotice });
    // A test that passes a store counts its calls: the guard's own must not be among them.
    const served = parts.storage === undefined ? guarded : opened;
    return tracing === null ? served : traceStorage(served, systemOf(config.databaseUrl), tracing);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** An application whose store is open, for commands and tests. Throws what {@link StoreApplication.open} throws. */
export async function openStoreApplication(config: Config, parts: Parts = {}): Promise<StoreApplication> {
  const application = createStoreApplication(config, parts);
  await application.open();
  return application;
}
