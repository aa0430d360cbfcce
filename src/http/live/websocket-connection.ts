/** One WebSocket connection: what is sent on it, whether its client takes it, and how it ends. */

import type { Socket } from 'node:net';

import type { WebSocket } from 'ws';

import type { ServiceError } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import type { LiveConnection } from './connections.ts';
import type { Asker } from './operations.ts';

/** Codes with which a connection ends (the application's own are 4000 to 4999). */
export const CLOSE = {
  /** The protocol's own. */
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
  /** The upgrade's own; undefined for none. */
  readonly authorization: string | undefined;
  /** Milliseconds that a client may neither send nor take anything. */
  readonly silenceMs: number;
}

export class WebSocketConnection implements LiveConnection, Asker {
  readonly requestId: string;
  readonly address: string;
  readonly authorization: string | undefined;
  /** Null before the client said who it is, and for nobody. */
  caller: Caller | null = null;
  /** True once the client said who it is. */
  hasBegun = false;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #silenceMs: number;
  /** Why operations are refused that were just asked for, by their ids. */
  readonly refusals = new Map<string, ServiceError>();
  /** Operations with one answer that are under way. */
  #operations = 0;
  #isGoing = false;
  /** When the client was last seen to send or take something; milliseconds of a clock that only grows. */
  #seenAt = performance.now();
  /** Bytes that waited for the client at the last ping, and bytes that it had taken. */
  #waited = 0;
  #taken = 0;

  constructor(webSocket: WebSocket, socket: Socket, options: WebSocketOptions) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.requestId = options.requestId;
    this.address = options.address;
    this.authorization = options.authorization;
    this.#silenceMs = options.silenceMs;
  }

  isBlocked(): boolean {
    return this.#webSocket.bufferedAmount > 0;
  }

  /** The client has sent something. */
  heard(): void {
    this.#seenAt = performance.now();
  }

  /** Resolves when it has left this process, or cannot any more. */
  send(message: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#webSocket.readyState !== this.#webSocket.OPEN) resolve();
      // A message that fails fails with its connection.
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
    // It would only wait behind what the client does not take.
    if (waiting > 0 || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    this.#webSocket.ping();
    // A browser answers the one above by itself, and shows it to nobody. The protocol's own is for the page.
    if (this.hasBegun) void this.send(PING);
  }

  forbid(): void {
    this.close(CLOSE.forbidden, 'Forbidden');
  }

  goAway(): void {
    this.#isGoing = true;
    this.#goWhenDone();
  }

  /** Work whose answer is waited for before the connection goes away. */
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
