/** Thin clients of the two subscription transports: a test sees every message. */

import { once } from 'node:events';
import type { Socket } from 'node:net';

import type { ClientOptions } from 'ws';
import { WebSocket } from 'ws';

import type { Environment } from '../../src/app/config.ts';
import type { Parts } from '../../src/app/composition/application.ts';
import { listen } from './raw-http.ts';
import type { TestServer } from './server.ts';
import { createTestServer } from './server.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows what it asked for
export type Message = any;

/** A queue of items that a test can wait for. */
export class Inbox<T> {
  readonly all: T[] = [];
  #taken = 0;
  #wake: (() => void) | null = null;
  #end: unknown = null;

  put(item: T): void {
    this.all.push(item);
    this.#wake?.();
  }

  /** @param reason why no more items arrive */
  end(reason: string): void {
    this.#end = new Error(reason);
    this.#wake?.();
  }

  /** The next item not taken yet. */
  async next(): Promise<T> {
    while (this.#taken === this.all.length) {
      if (this.#end !== null) throw this.#end as Error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#taken += 1;
    return this.all[this.#taken - 1] as T;
  }

  async take(count: number): Promise<T[]> {
    const items: T[] = [];
    while (items.length < count) items.push(await this.next());
    return items;
  }
}

export interface LiveSocket {
  readonly socket: WebSocket;
  /** The underlying TCP connection. */
  readonly tcp: Socket;
  /** The headers of the upgrade response. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** All messages except the protocol's pings, which are answered with a pong. */
  readonly messages: Inbox<Message>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** The number of pings from the server: WebSocket frames, and messages of the protocol. */
  readonly pings: { frames: number; messages: number };
  send(message: unknown): void;
  /** Starts an operation under an id. */
  subscribe(id: string, query: string, variables?: Record<string, unknown>, more?: object): void;
  close(): void;
}

const servers: TestServer[] = [];

/** A listening server, and a token that may write. */
export async function startServer(environment: Environment = {}, parts: Parts = {}) {
  const server = await createTestServer(environment, parts);
  servers.push(server);
  const port = await listen(server);
  const token = await server.createToken();
  return { server, port, token };
}

/** For `afterEach`, after all connections are closed. */
export async function closeServers(): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}

const sockets = new Set<WebSocket>();

/** For `afterEach`: closes all connections, even after a failure. */
export function closeSockets(): void {
  for (const socket of sockets) socket.terminate();
  sockets.clear();
}

/** @throws Error with the status of a refused upgrade, such as `Unexpected server response: 403` */
export async function openSocket(port: number, options: ClientOptions = {}): Promise<LiveSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', options);
  sockets.add(socket);
  const messages = new Inbox<Message>();
  const pings = { frames: 0, messages: 0 };
  let headers: LiveSocket['headers'] = {};
  socket.on('upgrade', (response) => (headers = response.headers));
  socket.on('ping', () => (pings.frames += 1));
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString());
    if (message.type !== 'ping') return messages.put(message);
    pings.messages += 1;
    socket.send('{"type":"pong"}');
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      sockets.delete(socket);
      messages.end(`The connection was closed with ${code} ${reason.toString()}`);
      resolve({ code, reason: reason.toString() });
    });
  });
  await once(socket, 'open');
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  return {
    socket,
    tcp: (socket as unknown as { _socket: Socket })._socket,
    headers,
    messages,
    closed,
    pings,
    send,
    subscribe: (id, query, variables, more) =>
      send({ id, type: 'subscribe', payload: { query, variables, ...more } }),
    close: () => socket.close(),
  };
}

/** A socket whose connection_init the server has acknowledged. @param token null for none */
export async function openSession(
  port: number,
  token: string | null,
  options: ClientOptions = {},
): Promise<LiveSocket> {
  const live = await openSocket(port, options);
  live.send({
    type: 'connection_init',
    ...(token === null ? {} : { payload: { authorization: `Bearer ${token}` } }),
  });
  const ack = await live.messages.next();
  if (ack.type !== 'connection_ack') throw new Error(`No ack, but ${JSON.stringify(ack)}`);
  return live;
}

export interface ServerEvent {
  readonly event: string;
  /** Parsed data; null if there is none. */
  readonly data: Message;
}

export interface LiveStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: Inbox<ServerEvent>;
  readonly comments: { count: number };
  /** Resolves when the server ends the stream; rejects if it is cut. */
  readonly ended: Promise<void>;
  close(): void;
}

export async function openStream(
  port: number,
  token: string | null,
  body: Record<string, unknown>,
  { headers = {}, method = 'POST' }: { headers?: Record<string, string>; method?: 'GET' | 'POST' } = {},
): Promise<LiveStream> {
  const leaving = new AbortController();
  const search = new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const response = await fetch(
    `http://127.0.0.1:${port}/graphql${method === 'GET' ? `?${search.toString()}` : ''}`,
    {
      method,
      headers: {
        accept: 'text/event-stream',
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      signal: leaving.signal,
    },
  );
  const events = new Inbox<ServerEvent>();
  const comments = { count: 0 };
  const ended = readEvents(response, events, comments);
  // A test that ignores the end must not fail on its rejection.
  ended.catch(() => {});
  return {
    status: response.status,
    headers: response.headers,
    events,
    comments,
    ended,
    close: () => leaving.abort(),
  };
}

async function readEvents(
  response: Response,
  events: Inbox<ServerEvent>,
  comments: { count: number },
): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(':')) comments.count += 1;
        else events.put(eventOf(block));
      }
    }
  } finally {
    events.end(`The stream ended after ${events.all.length} events`);
  }
}

function eventOf(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data') ?? '';
  return { event: fields.get('event') ?? '', data: data === '' ? null : JSON.parse(data) };
}

export const CHANGES = `subscription ($mapId: ID!, $since: String) {
  locationChanges(mapId: $mapId, since: $since) {
    cursor kind locationId location { id name order version }
  }
}`;
