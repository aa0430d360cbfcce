/** Answers requests that Node's parser could not read: on the bare socket, with the same body as any other error. */

import type { Socket } from 'node:net';

import { ERRORS } from '../errors.ts';
import { newRequestId, REQUEST_ID_HEADER } from './request/request-id.ts';

export function respondToClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client has gone, or already has its answer.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: ERRORS.BAD_USER_INPUT.error, message: messageFor(error.code) });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `${REQUEST_ID_HEADER}: ${newRequestId()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function messageFor(code: string | undefined): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'The request line and headers are over the size limit.';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The request did not arrive in time.';
    default:
      return 'This is not a valid HTTP request.';
  }
}
