/** The connection to one database: its collections, and the time limits of calls. */

import { AsyncLocalStorage } from 'node:async_hooks';

import type {
  AbstractCursor,
  ChangeStream,
  ClientSession,
  Db,
  Document,
  FindOptions,
  MongoClient,
  ServerHeartbeatFailedEvent,
  ServerSessionId,
} from 'mongodb';
import { MongoCompatibilityError } from 'mongodb';

import { ServiceError, storageUnavailable } from '../../errors.ts';
import { MOST_CHANGES } from '../changes.ts';
import type { TimeBudget } from '../deadline.ts';
import type { StorageOptions, StorageScope } from '../storage.ts';
import { CHANGE_STREAM_COMMENT, createClient, observeCommands, searchTimeOf } from './client.ts';
import { translate } from './errors.ts';
import { Primaries, readFresh } from './fresh-reads.ts';
import type { Collections, MapDocument } from './schema.ts';
import { LATE_MS } from './writes/late-writes.ts';

const DEFAULT_DATABASE = 'map-locations';
/** For the last work of a closing store. */
const CLOSING_MS = 2_000;
/** A change stream occupies one connection. */
const MIN_POOL_OF_CHANGE_STREAM = 5;
/** A URL, of one or several hosts, whose path names a database. */
const WITH_DATABASE = /^[^/]+\/\/[^/?]+\/[^?]/;
/** Documents per batch of {@link documentsOf}; bounds memory. */
const BATCH = 500;

/**
 * Reads what the primary holds, before the majority has acknowledged it. Only for a compare-and-set that follows: the
 * majority acknowledges both or neither. If a failover rolls the read document back, its version never returns, so the
 * compare-and-set matches nothing.
 */
export const LOCAL = { readConcern: { level: 'local' } } as const;

/** The projection of a change stream's event. */
export interface ChangedMap {
  readonly documentKey: { readonly _id: string };
}

export interface CallTime {
  /** Milliseconds; 0 or less after the call's time limit. */
  readonly leftMs: number;
}

type CallScope = Pick<StorageScope, 'deadline' | 'requestId'>;

export class Database {
  readonly collections: Collections;
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #options: StorageOptions;
  /** Changes that each map's log keeps. */
  readonly mostChanges: number;
  /** Milliseconds after which another process recovers a write. */
  readonly lateWriteMs: number;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;
  /** The request that a command is sent for; null if commands are not observed by request. */
  readonly #requestIds: AsyncLocalStorage<string> | null;
  /** Set by {@link hello}. */
  #hasTransactions = false;
  #isReplicaSet = false;

  /** @throws IncompatibleStorageError for a URL that the driver rejects */
  constructor(url: string, options: StorageOptions) {
    this.#client = createClient(url, options);
    this.#options = options;
    this.mostChanges = options.mostChanges ?? MOST_CHANGES;
    this.lateWriteMs = options.lateWriteMs ?? LATE_MS;
    const { onCommand, namesRequests = false } = options;
    this.#requestIds = onCommand !== undefined && namesRequests ? new AsyncLocalStorage() : null;
    if (onCommand !== undefined) {
      observeCommands(this.#client, (command) =>
        onCommand({ ...command, requestId: this.#requestIds?.getStore() }),
      );
    }
    this.#database = this.#client.db(WITH_DATABASE.test(url) ? undefined : DEFAULT_DATABASE);
    const database = this.#database;
    const primaries = this.#primariesOf(database);
    const collection = <D extends Document>(name: keyof Collections) =>
      readFresh(database.collection<D>(name), primaries);
    this.collections = {
      meta: collection('meta'),
      owners: collection('owners'),
      accounts: collection('accounts'),
      oneTimeSecrets: collection('oneTimeSecrets'),
      sessions: collection('sessions'),
      signInAttempts: collection('signInAttempts'),
      tokens: collection('tokens'),
      maps: collection('maps'),
      locations: collection('locations'),
      claims: collection('claims'),
      keyedCalls: collection('keyedCalls'),
      changes: collection('changes'),
      history: collection('history'),
      versions: collection('versions'),
      externalIds: collection('externalIds'),
      logos: collection('logos'),
      geocodes: collection('geocodes'),
      quotas: collection('quotas'),
      webhooks: collection('webhooks'),
      leases: collection('leases'),
    };
  }

  #primariesOf(database: Db): Primaries {
    const { timeoutMs } = this.#options;
    const primaries = new Primaries(() =>
      database
        .collection('meta')
        .findOne(
          {},
          { readConcern: { level: 'linearizable' }, projection: { _id: 1 }, maxTimeMS: timeoutMs },
        ),
    );
    this.#client.on('serverDescriptionChanged', ({ newDescription }) => primaries.observe(newDescription));
    return primaries;
  }

  /**
   * Runs one call of the port, with all its statements, within the time limit. A statement in progress at the limit is not
   * cancelled: after STORAGE_UNAVAILABLE the outcome is unknown.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  async run<T>(
    work: (collections: Collections, time: CallTime) => Promise<T>,
    { deadline, requestId }: CallScope = {},
  ): Promise<T> {
    return this.#runFor(requestId, () => this.#runWithin(work, this.#options.timeoutMs, deadline?.storage));
  }

  /** Like {@link run}, with the time limit of searches. */
  async search<T>(
    work: (collections: Collections, time: CallTime) => Promise<T>,
    { deadline, requestId }: CallScope = {},
  ): Promise<T> {
    return this.#runFor(requestId, () =>
      this.#runWithin(work, searchTimeOf(this.#options), deadline?.searches),
    );
  }

  /** Without `requestId`, commands belong to the surrounding request, if there is one. */
  #runFor<T>(requestId: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#requestIds === null || requestId === undefined) return work();
    return this.#requestIds.run(requestId, work);
  }

  async #runWithin<T>(
    work: (collections: Collections, time: CallTime) => Promise<T>,
    callMs: number,
    budget: TimeBudget | undefined,
  ): Promise<T> {
    if (this.#closed) throw storageUnavailable();
    const begun = performance.now();
    const running = this.#runInTime(work, Math.min(callMs, budget?.leftMs ?? Infinity));
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw translate(error);
    } finally {
      budget?.spend(performance.now() - begun);
      this.#running.delete(running);
    }
  }

  async #runInTime<T>(
    work: (collections: Collections, time: CallTime) => Promise<T>,
    limitMs: number,
  ): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(storageUnavailable()), Math.max(0, limitMs));
    });
    try {
      return await Promise.race([work(this.collections, timeOf(limitMs)), limit]);
    } finally {
      clearTimeout(timer);
    }
  }

  async ping(): Promise<void> {
    await this.run(() => this.#client.db('admin').command({ ping: 1 }));
  }

  /** The server's own check of a collection. `background` takes no exclusive lock and repairs nothing. */
  validate(name: keyof Collections): Promise<Document> {
    return this.run(() => this.#database.command({ validate: name, background: true }));
  }

  /**
   * Must be called first.
   *
   * @returns null for a server that is too old for the driver
   * @throws ServiceError STORAGE_UNAVAILABLE, with the last failed heartbeat as its cause
   */
  async hello(): Promise<{ readonly maxWireVersion: number } | null> {
    const failures: unknown[] = [];
    // The driver reports an incompatible server as unavailable; the failed heartbeat has the reason.
    const listen = ({ failure }: ServerHeartbeatFailedEvent) => {
      failures.push(failure);
    };
    this.#client.on('serverHeartbeatFailed', listen);
    const { timeoutMs, openTimeoutMs = timeoutMs } = this.#options;
    try {
      const response = await this.#runWithin(
        () => this.#client.db('admin').command({ hello: 1 }),
        openTimeoutMs,
        undefined,
      );
      this.#isReplicaSet = typeof response.setName === 'string';
      this.#hasTransactions = this.#isReplicaSet || response.msg === 'isdbgrid';
      return { maxWireVersion: Number(response.maxWireVersion) };
    } catch (error) {
      if (failures.some((failure) => failure instanceof MongoCompatibilityError)) return null;
      const isLate = error instanceof ServiceError && error.cause === undefined;
      throw isLate ? storageUnavailable(failures.at(-1)) : error;
    } finally {
      this.#client.off('serverHeartbeatFailed', listen);
    }
  }

  /** Read options of pages. A snapshot, if the deployment has them, never shows half of a move. */
  get pageReads(): Pick<FindOptions, 'readConcern'> {
    return this.#hasTransactions ? { readConcern: { level: 'snapshot' } } : {};
  }

  /**
   * A change stream of the map documents, from its first read on.
   *
   * @param awaitMs how long the server waits for a change before it returns an empty batch
   * @returns null if the deployment has no timely change streams, or if the pool is too small for one
   */
  watchMaps(pipeline: readonly Document[], awaitMs: number): ChangeStream<MapDocument, ChangedMap> | null {
    const { timeoutMs, poolSize = Infinity } = this.#options;
    // A sharded cluster delays events until every shard has written something, up to 10 s.
    if (!this.#isReplicaSet || poolSize < MIN_POOL_OF_CHANGE_STREAM) return null;
    // Shorter than the driver's socket timeout.
    const maxAwaitTimeMS = Math.min(awaitMs, timeoutMs);
    return this.collections.maps.watch([...pipeline], { maxAwaitTimeMS, comment: CHANGE_STREAM_COMMENT });
  }

  /** A session for transactions; null on a standalone server, which has none. */
  startSession(): ClientSession | null {
    return this.#hasTransactions ? this.#client.startSession() : null;
  }

  /** Aborts the transaction of a process that may have died. The server alone would wait for a minute. */
  async killSession(session: ServerSessionId): Promise<void> {
    // The session may have ended, or the user may lack the privilege.
    await this.#client
      .db('admin')
      .command({ killSessions: [session] })
      .catch(() => {});
  }

  /**
   * Rejects new calls and waits for those in progress.
   *
   * @param last runs after them, within a short time limit; its failure is ignored
   */
  async close(last: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
    await this.#runInTime(last, Math.min(this.#options.timeoutMs, CLOSING_MS)).catch(() => {});
    await this.#client.close();
  }
}

function timeOf(limitMs: number): CallTime {
  const end = performance.now() + limitMs;
  return {
    get leftMs() {
      return end - performance.now();
    },
  };
}

/** Reads a whole cursor. The time limit applies to each batch. */
export async function* documentsOf<T>(database: Database, cursor: AbstractCursor<T>): AsyncGenerator<T> {
  cursor.batchSize(BATCH);
  try {
    for (;;) {
      const document = await database.run(() => cursor.next());
      if (document === null) return;
      yield document;
    }
  } finally {
    // A failure has been thrown already.
    await cursor.close().catch(() => {});
  }
}
