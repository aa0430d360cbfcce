/**
 * Requests that want another protocol. Those for WebSocket go through Fastify like any other, so that they are checked,
 * numbered and refused in the same way. Those for anything else are served as if they had not asked, as RFC 9110 (7.8) lets
 * a server do; once somebody listens for upgrades, Node does so no longer by itself.
 */

import type { IncomingMessage, Server } from 'node:http';
import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';

import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface Upgrade {
  readonly socket: Socket;
  /** What the client has sent behind its request. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Null for a request that does not ask for WebSocket. */
export function upgradeOf({ raw }: FastifyRequest): Upgrade | null {
  return upgrades.get(raw) ?? null;
}

/** To be called before the server listens. */
export function takeUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // An answer to an earlier request that is still on its way would be mixed up with what follows.
    if (!(socket instanceof Socket) || hasResponse(socket)) socket.destroy();
    else if (isForWebSocket(request)) route(app, request, { socket, head });
    else serveAsIs(app.server, request, socket, head);
  });
}

function hasResponse(socket: Socket): boolean {
  return '_httpMessage' in socket && socket._httpMessage !== null && socket._httpMessage !== undefined;
}

function isForWebSocket({ method, headers }: IncomingMessage): boolean {
  const protocols = (headers.upgrade ?? '').toLowerCase().split(',');
  return method === 'GET' && protocols.some((protocol) => protocol.trim() === 'websocket');
}

function route(app: FastifyInstance, request: IncomingMessage, upgrade: Upgrade): void {
  const { socket } = upgrade;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  // Node no longer handles the failures of such a connection.
  socket.on('error', () => socket.destroy());
  upgrades.set(request, upgrade);
  app.routing(request, response);
}

const ABOUT_UPGRADES: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/** Writes the request anew without its wish, in front of what follows it. */
function serveAsIs(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (ABOUT_UPGRADES.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutUpgrade(connection: string): string {
  return connection
    .split(',')
    .filter((option) => !ABOUT_UPGRADES.has(option.trim().toLowerCase()))
    .join(',');
}
