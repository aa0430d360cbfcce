/** One client of one database: how it connects, how long its calls may take, and its collections. */

import { AsyncLocalStorage } from 'node:async_hooks';

import type {
  ChangeStream,
  ClientSession,
  Collection,
  Db,
  Document,
  FindOptions,
  MongoClientOptions,
  ServerHeartbeatFailedEvent,
  ServerSessionId,
} from 'mongodb';
import { MongoClient, MongoCompatibilityError } from 'mongodb';

import { ServiceError, storageUnavailable } from '../../errors.ts';
import { MOST_CHANGES } from '../changes.ts';
import { IncompatibleStorageError } from '../incompatible.ts';
import type { TimeBudget } from '../deadline.ts';
import type { StorageOptions, StorageScope } from '../storage.ts';
import type {
  ChangesDocument,
  ClaimDocument,
  ExternalIdDocument,
  GeocodeDocument,
  IndexedLocation,
  LeaseDocument,
  LocationDocument,
  MapDocument,
  MetaDocument,
  OwnerDocument,
  QuotaDocument,
  TokenDocument,
  TombstoneDocument,
  WebhookDocument,
} from './documents.ts';
import { translate } from './failures.ts';
import { Primaries, readFresh } from './fresh-reads.ts';
import { LATE_MS } from './late-writes.ts';

const DEFAULT_DATABASE = 'map-locations';
/** For what is done when the database is closed. */
const LAST_MS = 2_000;
/** A stream of changes takes one for itself. */
const LEAST_POOL_OF_STREAM = 5;
/** Marks a stream's commands: they last until something changes, and fail where there are no streams, which is no failure. */
const OF_STREAM = 'stream of changes';
/** Whether a URL's path names a database; hosts are one or several. */
const WITH_DATABASE = /^[^/]+\/\/[^/?]+\/[^?]/;

export interface Collections {
  readonly meta: Collection<MetaDocument>;
  readonly owners: Collection<OwnerDocument>;
  readonly tokens: Collection<TokenDocument>;
  readonly maps: Collection<MapDocument>;
  readonly locations: Collection<(LocationDocument & Partial<IndexedLocation>) | TombstoneDocument>;
  readonly claims: Collection<ClaimDocument>;
  readonly changes: Collection<ChangesDocument>;
  readonly externalIds: Collection<ExternalIdDocument>;
  readonly geocodes: Collection<GeocodeDocument>;
  readonly quotas: Collection<QuotaDocument>;
  readonly webhooks: Collection<WebhookDocument>;
  readonly leases: Collection<LeaseDocument>;
}

/** An event of a change stream, as little of it as is asked for. */
export interface ChangedMap {
  readonly documentKey: { readonly _id: string };
}

/** The time of a call of the port. */
export interface CallTime {
  /** Milliseconds; not more than 0 when nobody waits for the call any more. */
  readonly leftMs: number;
}

type CallScope = Pick<StorageScope, 'deadline' | 'requestId'>;

export class Database {
  readonly collections: Collections;
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #options: StorageOptions;
  /** Changes that the log of each map keeps. */
  readonly mostChanges: number;
  /** Milliseconds after which a write is taken for one whose process died. */
  readonly lateWriteMs: number;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;
  /** The id of the request that a command is sent for; null where nobody wants to know. */
  readonly #requestIds: AsyncLocalStorage<string> | null;
  /** Known from the first {@link hello}. */
  #hasTransactions = false;
  #isReplicaSet = false;

  /** @throws Error for a URL that the driver does not understand */
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
    // The path of the URL names the database; the driver's own default, `test`, is nobody's wish.
    this.#database = this.#client.db(WITH_DATABASE.test(url) ? undefined : DEFAULT_DATABASE);
    const database = this.#database;
    const primaries = this.#primariesOf(database);
    const collection = <D extends Document>(name: keyof Collections) =>
      readFresh(database.collection<D>(name), primaries);
    this.collections = {
      meta: collection('meta'),
      owners: collection('owners'),
      tokens: collection('tokens'),
      maps: collection('maps'),
      locations: collection('locations'),
      claims: collection('claims'),
      changes: collection('changes'),
      externalIds: collection('externalIds'),
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
    this.#client.on('serverDescriptionChanged', ({ newDescription }) => primaries.note(newDescription));
    return primaries;
  }

  /**
   * Runs one call of the port, all its statements together, within the time limit. What is still under way then goes
   * on, and nobody waits for it: after STORAGE_UNAVAILABLE the outcome is unknown.
   *
   * @param work told the time that is left
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  async run<T>(
    work: (collections: Collections, time: CallTime) => Promise<T>,
    { deadline, requestId }: CallScope = {},
  ): Promise<T> {
    return this.#runFor(requestId, () => this.#runWithin(work, this.#options.timeoutMs, deadline?.storage));
  }

  /** As {@link run}, for a search: within its own time. */
  async search<T>(
    work: (collections: Collections, time: CallTime) => Promise<T>,
    { deadline, requestId }: CallScope = {},
  ): Promise<T> {
    return this.#runFor(requestId, () =>
      this.#runWithin(work, searchTimeOf(this.#options), deadline?.searches),
    );
  }

  /** Without a request it is done for the one that has led to it, if any. */
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

  /** The server's own check of a collection. In the background it locks nobody out, and mends nothing. */
  validate(name: keyof Collections): Promise<Document> {
    return this.run(() => this.#database.command({ validate: name, background: true }));
  }

  /**
   * What the server can do; null where it is so old that the driver does not talk to it. To be called first.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE, with what was wrong last as its cause
   */
  async hello(): Promise<{ readonly maxWireVersion: number } | null> {
    const failures: unknown[] = [];
    // To the driver it is a server that cannot be had.
    const listen = ({ failure }: ServerHeartbeatFailedEvent) => {
      failures.push(failure);
    };
    this.#client.on('serverHeartbeatFailed', listen);
    const { timeoutMs, openTimeoutMs = timeoutMs } = this.#options;
    try {
      const answer = await this.#runWithin(
        () => this.#client.db('admin').command({ hello: 1 }),
        openTimeoutMs,
        undefined,
      );
      this.#isReplicaSet = typeof answer.setName === 'string';
      this.#hasTransactions = this.#isReplicaSet || answer.msg === 'isdbgrid';
      return { maxWireVersion: Number(answer.maxWireVersion) };
    } catch (error) {
      if (failures.some((failure) => failure instanceof MongoCompatibilityError)) return null;
      const isLate = error instanceof ServiceError && error.cause === undefined;
      throw isLate ? storageUnavailable(failures.at(-1)) : error;
    } finally {
      this.#client.off('serverHeartbeatFailed', listen);
    }
  }

  /** How pages are read. With a snapshot no page is seen half changed, where the deployment has snapshots. */
  get pageReads(): Pick<FindOptions, 'readConcern'> {
    return this.#hasTransactions ? { readConcern: { level: 'snapshot' } } : {};
  }

  /**
   * Changes of the maps' documents from the first time that it is asked. Null where the deployment does not tell of them, or
   * not soon, or where the pool has no connection to spare: the stream holds one while it waits.
   *
   * @param awaitMs the server answers after that, also where nothing has changed
   */
  watchMaps(pipeline: readonly Document[], awaitMs: number): ChangeStream<MapDocument, ChangedMap> | null {
    const { timeoutMs, poolSize = Infinity } = this.#options;
    // A sharded cluster tells of a change when each of its shards has written something since, which takes up to 10 s.
    if (!this.#isReplicaSet || poolSize < LEAST_POOL_OF_STREAM) return null;
    // Shorter than the time after which the driver takes the connection for dead.
    const maxAwaitTimeMS = Math.min(awaitMs, timeoutMs);
    return this.collections.maps.watch([...pipeline], { maxAwaitTimeMS, comment: OF_STREAM });
  }

  /** A session to make transactions in; null where the deployment has none, which is one server alone. */
  startSession(): ClientSession | null {
    return this.#hasTransactions ? this.#client.startSession() : null;
  }

  /** Ends the transaction of a session whose process has died. The server itself would wait for a minute. */
  async killSession(session: ServerSessionId): Promise<void> {
    // It may have ended long ago, or we may not be allowed to.
    await this.#client
      .db('admin')
      .command({ killSessions: [session] })
      .catch(() => {});
  }

  /**
   * Waits for the calls that are under way; no other is let in.
   *
   * @param last what is done after them, in a short time or not at all
   */
  async close(last: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
    await this.#runInTime(last, Math.min(this.#options.timeoutMs, LAST_MS)).catch(() => {});
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

/** The driver's own errors may quote the URL, in their message or beside it. */
function createClient(url: string, options: StorageOptions): MongoClient {
  try {
    return new MongoClient(url, clientOptions(options));
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const userInfo = /^[^/]+\/\/(.*)@/.exec(url)?.[1] ?? '';
    const quotes = userInfo.split(':').some((part) => part !== '' && message.includes(part));
    // Without its cause, which is what quotes the URL.
    throw new IncompatibleStorageError(`The MongoDB URL cannot be used${quotes ? '' : `: ${message}`}`);
  }
}

function searchTimeOf({ timeoutMs, searchTimeoutMs = timeoutMs }: StorageOptions): number {
  return searchTimeoutMs;
}

function clientOptions(options: StorageOptions): MongoClientOptions {
  const { timeoutMs, connectTimeoutMs = timeoutMs, poolSize, onCommand } = options;
  return {
    ...(poolSize === undefined ? {} : { maxPoolSize: poolSize }),
    monitorCommands: onCommand !== undefined,
    appName: 'map-locations',
    // Acknowledged is kept: by a majority, in its journal.
    writeConcern: { w: 'majority', journal: true },
    // With the writes above, whoever was answered reads what it wrote, and nothing that a failover takes back.
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryReads: true,
    retryWrites: true,
    // Before the call itself is given up, so that the log says why.
    serverSelectionTimeoutMS: Math.ceil(connectTimeoutMs * 0.9),
    connectTimeoutMS: connectTimeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    // Frees a connection whose call was given up on.
    socketTimeoutMS: Math.max(4 * timeoutMs, 2 * searchTimeOf(options)),
    ignoreUndefined: true,
  };
}

/** Names and times alone: a command's own text holds what people stored. */
function observeCommands(client: MongoClient, onCommand: NonNullable<StorageOptions['onCommand']>): void {
  const ofStreams = new Set<number>();
  client.on('commandStarted', ({ command, requestId }) => {
    if (command.comment === OF_STREAM) ofStreams.add(requestId);
  });
  client.on('commandSucceeded', ({ commandName, duration, requestId }) => {
    if (ofStreams.delete(requestId)) return;
    onCommand({ command: commandName, milliseconds: duration, isFailed: false });
  });
  client.on('commandFailed', ({ commandName, duration, requestId }) => {
    if (ofStreams.delete(requestId)) return;
    onCommand({ command: commandName, milliseconds: duration, isFailed: true });
  });
}
