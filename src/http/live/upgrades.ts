/**
 * HTTP upgrades. WebSocket requests go through Fastify like any other, so that they get the same checks, ids and
 * errors. All others are served without the upgrade, as RFC 9110 (7.8) allows; Node stops doing so once there is an
 * `upgrade` listener.
 */

import type { IncomingMessage, Server } from 'node:http';
import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';

import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface Upgrade {
  readonly socket: Socket;
  /** Data after the request. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Null for a request without a WebSocket upgrade. */
export function upgradeOf({ raw }: FastifyRequest): Upgrade | null {
  return upgrades.get(raw) ?? null;
}

/** Call it before the server listens. */
export function takeUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A pending response to an earlier request would mix with the new protocol.
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
  // Node no longer handles errors of such a socket.
  socket.on('error', () => socket.destroy());
  upgrades.set(request, upgrade);
  app.routing(request, response);
}

const UPGRADE_HEADERS: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/** Pushes the request back onto the socket without its upgrade headers, before the data that follows it. */
function serveAsIs(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutUpgrade(connection: string): string {
  return connection
    .split(',')
    .filter((option) => !UPGRADE_HEADERS.has(option.trim().toLowerCase()))
    .join(',');
}
