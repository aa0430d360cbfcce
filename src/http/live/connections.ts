/** The open WebSocket connections and event streams of this process: their number, their clients, and their end. */

import { overloaded, ServiceError } from '../../errors.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { Credentials } from '../request/authentication.ts';

/** Milliseconds between pings; proxies cut silent connections. */
const PING_EVERY_MS = 12_000;
/** Milliseconds between checks of tokens and sessions; a revoked one is noticed within twice this time. */
const CHECK_EVERY_MS = 1_000;
/** Concurrent checks: a store may answer them together. */
const CONCURRENT_CHECKS = 200;

/** Metrics of subscriptions. */
export interface StreamObserver {
  /** @param by 1 when a subscription starts, -1 when it ends */
  observeSubscription(by: 1 | -1): void;
  observeChangeSent(): void;
}

export interface LiveConnection {
  /** Sends something, so that both sides notice a broken connection. */
  ping(): void;
  /** Closes it because its token or session is no longer valid. */
  forbid(): void;
  /** Closes it once its pending operations are done: the server is stopping. */
  goAway(): void;
}

/** The client of a connection. */
export interface LiveClient {
  /** Identifies the token, or the address of a client without one. */
  readonly key: string;
  /** Null without a token and a session. */
  readonly credentials: Credentials | null;
}

export interface LiveLimits {
  /** Connections of this process. */
  readonly connections: number;
  /** Connections of this process per token, or per address without a token. */
  readonly connectionsOfClient: number;
}

export interface LiveConnectionsOptions {
  readonly limits: LiveLimits;
  /** Rejects if the token or session is no longer valid, or cannot be checked. */
  readonly check: (credentials: Credentials) => Promise<unknown>;
  /** Milliseconds. */
  readonly pingEveryMs?: number;
  readonly checkEveryMs?: number;
}

export class LiveConnections {
  readonly #options: LiveConnectionsOptions;
  /** Null until the client has authenticated. */
  readonly #clients = new Map<LiveConnection, LiveClient | null>();
  readonly #counts = new Map<string, number>();
  #timers: readonly NodeJS.Timeout[] = [];
  #isChecking = false;
  #isDraining = false;

  constructor(options: LiveConnectionsOptions) {
    this.#options = options;
  }

  /** @throws ServiceError OVERLOADED above the limit, or while the server stops */
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
   * Records a connection's client. Ignores unknown connections.
   *
   * @throws ServiceError RATE_LIMITED if the client has too many
   */
  identify(connection: LiveConnection, client: LiveClient): void {
    if (this.#clients.get(connection) !== null) return;
    const { connectionsOfClient: most } = this.#options.limits;
    const count = this.#counts.get(client.key) ?? 0;
    if (count >= most) {
      throw new ServiceError('RATE_LIMITED', `Over ${most} open connections; close some of them.`);
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

  /** Accepts no more connections, and closes the existing ones. */
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

  /** Checks each token and session once, however many connections use it. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const byName = new Map<string, Credentials>();
      for (const client of this.#clients.values()) {
        const credentials = client?.credentials ?? null;
        if (credentials !== null) byName.set(nameOf(credentials), credentials);
      }
      await mapConcurrently([...byName], CONCURRENT_CHECKS, async ([name, credentials]) => {
        if (await this.#isRevoked(credentials)) this.#forbid(name);
      });
    } finally {
      this.#isChecking = false;
    }
  }

  /** False if the check itself fails. */
  async #isRevoked(credentials: Credentials): Promise<boolean> {
    try {
      await this.#options.check(credentials);
      return false;
    } catch (error) {
      return (
        error instanceof ServiceError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN')
      );
    }
  }

  #forbid(name: string): void {
    for (const [connection, client] of this.#clients) {
      const credentials = client?.credentials ?? null;
      if (credentials !== null && nameOf(credentials) === name) connection.forbid();
    }
  }
}

/** The same for connections with the same token or session. */
function nameOf({ authorization, session }: Credentials): string {
  return authorization ?? `session ${session}`;
}
