/** How a store is opened, and what it reports to the program. */

/** A command sent to the database. */
export interface StorageCommand {
  /** The database's name for it, such as `find`. */
  readonly command: string;
  readonly milliseconds: number;
  readonly isFailed: boolean;
  /** The request that it was sent for, where commands carry it; the first of several. */
  readonly requestId?: string | undefined;
}

/** A message of the store to its operator. */
export interface StorageNotice {
  readonly level: 'info' | 'error';
  /** One or two full sentences, without secrets. */
  readonly message: string;
}

/** Options of {@link openStorage}. */
export interface StorageOptions {
  /** Milliseconds that a call may wait for the database before it fails with STORAGE_UNAVAILABLE. */
  readonly timeoutMs: number;
  /** Milliseconds for connecting to a server; `timeoutMs` by default. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds for the first connection, when the store is opened; `timeoutMs` by default. */
  readonly openTimeoutMs?: number;
  /** Milliseconds for a search, which may have to read a whole map; `timeoutMs` by default. */
  readonly searchTimeoutMs?: number;
  /** Size of the cache of unchanged pages; 0 by default. */
  readonly pageCacheBytes?: number;
  /** Size of each connection's cache of the database file, where there is a file; small by default. */
  readonly fileCacheBytes?: number;
  /** Bytes of the database file to map into memory, where there is a file; 0 by default. */
  readonly mappedFileBytes?: number;
  /** Changes that the log of each map keeps; `MOST_CHANGES` by default. */
  readonly mostChanges?: number;
  /**
   * Milliseconds after which an unfinished write counts as abandoned, in a store that has to decide; short by default.
   */
  readonly lateWriteMs?: number;
  /** Maximum number of connections, in a store with a pool. */
  readonly poolSize?: number;
  /** Maximum number of reader threads of each kind, in a store that has them. */
  readonly readerThreads?: number;
  /** Called with every command, in a store that sends any. */
  readonly onCommand?: (command: StorageCommand) => void;
  /** Whether commands carry their request's id, which slows each call; false by default. */
  readonly namesRequests?: boolean;
  /**
   * Called when a migration, or the wait for another process's, takes long, and when a file was replaced or is damaged.
   */
  readonly onNotice?: (notice: StorageNotice) => void;
}
