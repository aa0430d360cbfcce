/** HTTP by hand: what a client of its own pace sends and receives, to the byte. */

import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawConnection {
  readonly socket: Socket;
  write(text: string): void;
  /** Whole answers so far. */
  responses(): RawAnswer[];
  /** Bytes received that are no whole answer. */
  rest(): string;
  /** Resolves when the connection is at its end, however it came to it. */
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
    const parse = () => parseAnswers(Buffer.concat(chunks));
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
 * Until the server has read all that was sent to it before. It accepts connections in their order and reads from them in
 * the order in which bytes came, so that it has done so when it answers on a new one.
 */
export async function untilRead(port: number, host?: string): Promise<void> {
  const connection = await openConnection(port, host);
  connection.write(request('GET', '/healthz', { headers: ['Connection: close'] }));
  await connection.closed;
  if (connection.responses().length !== 1) throw new Error('/healthz was not answered.');
}

/** A request as text; `length` promises more or less than is there. */
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

/** Reads answers that say their length, as all of ours do. */
export function parseAnswers(bytes: Buffer): { responses: RawAnswer[]; rest: string } {
  const responses: RawAnswer[] = [];
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
