/** All connections of this process that stay open for subscriptions: how many there are, who they are, and their end. */

import { overloaded, ServiceError } from '../../errors.ts';

/** Milliseconds. Proxies cut a connection on which nothing is sent. */
const PING_EVERY_MS = 12_000;
/** Milliseconds between two looks at the tokens; a token that is revoked is to be noticed within twice the time. */
const CHECK_EVERY_MS = 5_000;

export interface LiveConnection {
  /** Sends something, so that both sides see that the other is there. */
  ping(): void;
  /** Ends it, since its token is valid no longer. */
  forbid(): void;
  /** Ends it when what it is waiting for was answered, since the server stops. */
  goAway(): void;
}

/** Who is on a connection. */
export interface LiveClient {
  /** Stands for the token, or for the address of nobody. */
  readonly key: string;
  /** The `Authorization` that it came with; undefined for none. */
  readonly authorization: string | undefined;
}

export interface LiveLimits {
  /** Connections of this process. */
  readonly connections: number;
  /** Connections of this process with one token, or of one address without a token. */
  readonly connectionsOfClient: number;
}

export interface LiveConnectionsOptions {
  readonly limits: LiveLimits;
  /** Rejects where the token is valid no longer, or cannot be looked up. */
  readonly check: (authorization: string) => Promise<unknown>;
  /** Milliseconds between two pings, and between two looks at the tokens. */
  readonly pingEveryMs?: number;
  readonly checkEveryMs?: number;
}

export class LiveConnections {
  readonly #options: LiveConnectionsOptions;
  /** Null where it has not said yet who it is. */
  readonly #clients = new Map<LiveConnection, LiveClient | null>();
  readonly #counts = new Map<string, number>();
  #timers: readonly NodeJS.Timeout[] = [];
  #isChecking = false;
  #isDraining = false;

  constructor(options: LiveConnectionsOptions) {
    this.#options = options;
  }

  /** @throws ServiceError OVERLOADED when there are too many, or the server stops */
  add(connection: LiveConnection): void {
    if (this.#isDraining || this.#clients.size >= this.#options.limits.connections) throw overloaded();
    this.#clients.set(connection, null);
    if (this.#timers.length > 0) return;
    const { pingEveryMs = PING_EVERY_MS, checkEveryMs = CHECK_EVERY_MS } = this.#options;
    this.#timers = [
      setInterval(() => this.#ping(), pingEveryMs),
      setInterval(() => void this.#check(), checkEveryMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /**
   * Says who is on the connection. Nothing is done for one that is not there.
   *
   * @throws ServiceError RATE_LIMITED when that client has too many
   */
  identify(connection: LiveConnection, client: LiveClient): void {
    if (this.#clients.get(connection) !== null) return;
    const { connectionsOfClient: most } = this.#options.limits;
    const count = this.#counts.get(client.key) ?? 0;
    if (count >= most) {
      throw new ServiceError('RATE_LIMITED', `Over ${most} connections that stay open; close some of them.`);
    }
    this.#counts.set(client.key, count + 1);
    this.#clients.set(connection, client);
  }

  remove(connection: LiveConnection): void {
    const client = this.#clients.get(connection);
    if (!this.#clients.delete(connection)) return;
    if (this.#clients.size === 0) this.#stopTimers();
    if (!client) return;
    const count = this.#counts.get(client.key) ?? 1;
    if (count === 1) this.#counts.delete(client.key);
    else this.#counts.set(client.key, count - 1);
  }

  /** From now on there are no new ones, and those that are there go away. */
  drain(): void {
    this.#isDraining = true;
    for (const connection of this.#clients.keys()) connection.goAway();
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #ping(): void {
    for (const connection of this.#clients.keys()) connection.ping();
  }

  /** Each token is looked up once, however many connections came with it. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const authorizations = new Set(
        [...this.#clients.values()].flatMap((client) => client?.authorization ?? []),
      );
      for (const authorization of authorizations) {
        if (await this.#isGone(authorization)) this.#forbid(authorization);
      }
    } finally {
      this.#isChecking = false;
    }
  }

  /** False where it cannot be known now. */
  async #isGone(authorization: string): Promise<boolean> {
    try {
      await this.#options.check(authorization);
      return false;
    } catch (error) {
      return (
        error instanceof ServiceError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN')
      );
    }
  }

  #forbid(authorization: string): void {
    for (const [connection, client] of this.#clients) {
      if (client?.authorization === authorization) connection.forbid();
    }
  }
}
