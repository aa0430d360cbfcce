/** One WebSocket connection: sending, backpressure, pings and closing. */

import type { Socket } from 'node:net';

import type { WebSocket } from 'ws';

import type { ServiceError } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import type { Credentials } from '../request/authentication.ts';
import type { LiveConnection } from './connections.ts';
import type { OperationClient } from './operations.ts';

/** Close codes; 4000 to 4999 are for applications. */
export const CLOSE = {
  /** From graphql-transport-ws. */
  badMessage: 4400,
  goingAway: 1001,
  tryAgainLater: 1013,
  forbidden: 4403,
  tooMuch: 4429,
  failed: 4500,
} as const;

const PING = '{"type":"ping"}';

export interface WebSocketOptions {
  readonly requestId: string;
  readonly address: string;
  /** The base of absolute links to this server. */
  readonly baseUrl: string;
  /** Of the upgrade request. */
  readonly credentials: Credentials;
  /** Milliseconds that a client may neither send nor read anything. */
  readonly silenceMs: number;
}

export class WebSocketConnection implements LiveConnection, OperationClient {
  readonly requestId: string;
  readonly address: string;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Null before authentication, and for clients without a token. */
  caller: Caller | null = null;
  /** True once `connection_init` was accepted. */
  isInitialized = false;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #silenceMs: number;
  /** Errors of operations to reject when graphql-ws starts them, by operation id. */
  readonly refusals = new Map<string, ServiceError>();
  /** Single-response operations in progress. */
  #operations = 0;
  #isGoing = false;
  /** When the client last sent or read something, in monotonic milliseconds. */
  #seenAt = performance.now();
  /** Unsent and sent bytes at the last ping. */
  #waited = 0;
  #taken = 0;

  constructor(webSocket: WebSocket, socket: Socket, options: WebSocketOptions) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.requestId = options.requestId;
    this.address = options.address;
    this.baseUrl = options.baseUrl;
    this.credentials = options.credentials;
    this.#silenceMs = options.silenceMs;
  }

  isBlocked(): boolean {
    return this.#webSocket.bufferedAmount > 0;
  }

  /** Records that the client has sent something. */
  heard(): void {
    this.#seenAt = performance.now();
  }

  /** Resolves when the message has left this process or cannot be sent. */
  send(message: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#webSocket.readyState !== this.#webSocket.OPEN) resolve();
      // A send error closes the connection.
      else this.#webSocket.send(message, { binary: false }, () => resolve());
    });
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  ping(): void {
    const waiting = this.#webSocket.bufferedAmount;
    const taken = this.#socket.bytesWritten - waiting;
    if (this.#waited > 0 && taken > this.#taken) this.heard();
    this.#waited = waiting;
    this.#taken = taken;
    if (performance.now() - this.#seenAt > this.#silenceMs) return this.#webSocket.terminate();
    // A ping would queue behind the unsent messages.
    if (waiting > 0 || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    this.#webSocket.ping();
    // Browsers answer the WebSocket ping above without telling the page; the protocol's ping reaches it.
    if (this.isInitialized) void this.send(PING);
  }

  forbid(): void {
    this.close(CLOSE.forbidden, 'Forbidden');
  }

  goAway(): void {
    this.#isGoing = true;
    this.#goWhenDone();
  }

  /** Delays {@link goAway} until the work is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#operations += 1;
    try {
      return await work();
    } finally {
      this.#operations -= 1;
      if (this.#isGoing) this.#goWhenDone();
    }
  }

  #goWhenDone(): void {
    if (this.#operations === 0) this.close(CLOSE.goingAway, 'Going away');
  }
}
