/** A local receiver of webhooks, controlled by a test. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { AwaitedList } from './awaited-list.ts';

export interface Received {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly type: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows what it asked for
  readonly data: any;
}

export interface Exchange {
  readonly message: Received;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** How to handle a request; a number is the status of the response. */
export type Behaviour = (exchange: Exchange) => number | void;

export interface Receiver {
  readonly url: string;
  /** Every request, whatever its response. */
  readonly received: AwaitedList<Received>;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const takes: Behaviour = () => 200;
/** Does not respond, and keeps the connection open. */
export const hangs: Behaviour = () => {};
export const resets: Behaviour = ({ request }) => void request.socket.resetAndDestroy();
export const answersHalf: Behaviour = ({ response, request }) => {
  response.writeHead(200, { 'content-length': '100' }).write('half');
  setImmediate(() => request.socket.destroy());
};

export async function startReceiver(): Promise<Receiver> {
  const received = new AwaitedList<Received>();
  let behaviour = takes;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { type, data } = JSON.parse(body) as Pick<Received, 'type' | 'data'>;
      const { headers, url: path = '' } = request;
      const message = { id: String(headers['webhook-id']), path, headers, body, type, data };
      const status = behaviour({ message, request, response });
      if (typeof status === 'number') response.writeHead(status).end();
      received.add(message);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave(next) {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
