/** HTTP over a raw socket: full control of the bytes sent and of the reading pace. */

import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawConnection {
  readonly socket: Socket;
  write(text: string): void;
  /** The complete responses so far. */
  responses(): RawResponse[];
  /** Bytes of an incomplete response. */
  rest(): string;
  /** Resolves when the connection has ended, in any way. */
  readonly closed: Promise<void>;
}

/** @throws Error with the code of the failure, such as ECONNREFUSED */
export function openConnection(port: number, host = '127.0.0.1'): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise<void>((done) => {
      socket.on('close', () => done());
    });
    const parse = () => parseResponses(Buffer.concat(chunks));
    socket.on('error', reject);
    socket.on('connect', () =>
      resolve({
        socket,
        write: (text) => void socket.write(text),
        responses: () => parse().responses,
        rest: () => parse().rest,
        closed,
      }),
    );
  });
}

/**
 * Waits until the server has read everything sent before. It accepts connections and reads bytes in order of arrival, so
 * a response on a new connection proves it.
 */
export async function untilRead(port: number, host?: string): Promise<void> {
  const connection = await openConnection(port, host);
  connection.write(request('GET', '/healthz', { headers: ['Connection: close'] }));
  await connection.closed;
  if (connection.responses().length !== 1) throw new Error('/healthz sent no response.');
}

/** A request as text; `length` overrides the Content-Length. */
export function request(
  method: string,
  path: string,
  options: { token?: string; body?: string; length?: number; headers?: readonly string[] } = {},
): string {
  const { token, body, headers = [] } = options;
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) {
    lines.push('Content-Type: application/json');
    lines.push(`Content-Length: ${options.length ?? Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Parses responses with a Content-Length, as all of ours have. */
export function parseResponses(bytes: Buffer): { responses: RawResponse[]; rest: string } {
  const responses: RawResponse[] = [];
  let begin = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', begin);
    if (end === -1) break;
    const [statusLine = '', ...lines] = bytes.toString('latin1', begin, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyBegin = end + 4;
    const bodyEnd = bodyBegin + Number(headers.get('content-length') ?? Number.NaN);
    if (!(bodyEnd <= bytes.length)) break;
    responses.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: bytes.toString('utf8', bodyBegin, bodyEnd),
    });
    begin = bodyEnd;
  }
  return { responses, rest: bytes.toString('latin1', begin) };
}
