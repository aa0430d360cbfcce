/** Raw HTTP over a socket, for what an injected request cannot show. */

import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import type { TestServer } from './server.ts';

export interface RawResponse {
  readonly statusLine: string;
  readonly status: number;
  /** Raw header lines by lower-case name. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  header(name: string): string | undefined;
}

export interface Exchange {
  /** Final responses; `100 Continue` is skipped. */
  readonly responses: readonly RawResponse[];
  /** Whether the server ended the connection. */
  readonly closed: boolean;
}

export interface ExchangeOptions {
  /** The number of responses to wait for; by default, one. 0 waits for the end of the connection. */
  readonly responses?: number;
  /** Whether the last request is a HEAD, whose response has no body whatever its headers say. */
  readonly head?: boolean;
  /** Half-closes the connection after the last byte. */
  readonly end?: boolean;
  /** Disconnects when the server has read the last byte, without waiting for a response. */
  readonly leave?: boolean;
}

/** The server's sockets, by the client's port: the server runs in this process. */
const serverEnds = new Map<number | undefined, Socket>();
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket };
  const { remotePort } = socket;
  serverEnds.set(remotePort, socket);
  socket.on('close', () => serverEnds.delete(remotePort));
});

/** Resolves when the server has read everything sent, or the connection has ended. */
async function untilRead(client: Socket): Promise<void> {
  const { localPort } = client;
  while (!client.closed && (serverEnds.get(localPort)?.bytesRead ?? 0) < client.bytesWritten) await turn();
}

const servers = new Map<number, TestServer>();

export async function listen(server: TestServer): Promise<number> {
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as AddressInfo;
  servers.set(port, server);
  return port;
}

/** Sends the parts one by one, each after the server has read the previous one, and reads the responses. */
export async function exchange(
  port: number,
  parts: string | Buffer | readonly (string | Buffer)[],
  { responses: wanted = 1, head = false, end = false, leave = false }: ExchangeOptions = {},
): Promise<Exchange> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  let closed = false;
  const finished = new Promise<void>((resolve) => {
    const look = () => {
      if (wanted > 0 && parse(Buffer.concat(chunks), head).length >= wanted) resolve();
    };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      look();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      closed = true;
      resolve();
    });
  });
  await once(socket, 'connect');
  const [first = '', ...others] = typeof parts === 'string' || Buffer.isBuffer(parts) ? [parts] : parts;
  socket.write(first);
  for (const part of others) {
    await untilRead(socket);
    socket.write(part);
  }
  if (end) socket.end();
  await (leave ? untilRead(socket) : finished);
  socket.destroy();
  const responses = parse(Buffer.concat(chunks), head);
  // With several requests, a response could not be matched to its request.
  if (wanted === 1 && responses[0] !== undefined) await expectDescribed(port, String(first), responses[0]);
  return { responses, closed };
}

/** A response from Node's parser does not depend on the request line. */
async function expectDescribed(port: number, request: string, response: RawResponse): Promise<void> {
  const [, method, url] = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(request) ?? [];
  if (method === undefined || url === undefined) return;
  await servers.get(port)?.expectDescribed(method, url, {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: response.body,
  });
}

function parse(bytes: Buffer, head: boolean): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return responses;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    });
    const header = (name: string) => headers.find(([known]) => known === name)?.[1];
    const status = Number(statusLine.split(' ')[1]);
    const length = head || status === 204 || status === 304 ? 0 : Number(header('content-length') ?? 0);
    const start = end + 4;
    if (rest.length < start + length) return responses;
    const body = rest.subarray(start, start + length).toString();
    if (status >= 200) responses.push({ statusLine, status, headers, body, header });
    rest = rest.subarray(start + length);
  }
}
