/** A server of somebody else on this machine, and what it gets from browsers. */

import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Neighbour {
  /** `http://127.0.0.1:PORT`: to a browser, of the same site as the server under test, which is on another port. */
  readonly sameSite: string;
  /** `http://localhost:PORT`: another site. */
  readonly otherSite: string;
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

const sendPage = (_request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title><body></body>');
};

/** @param respond handles a request; by default with an empty page */
export async function startNeighbour(respond = sendPage): Promise<Neighbour> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    received.push({ url, headers });
    respond(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    sameSite: `http://127.0.0.1:${port}`,
    otherSite: `http://localhost:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
