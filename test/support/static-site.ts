/** A file server, for pages on another origin than the service. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
};

export interface StaticSite {
  /** Without a trailing slash. */
  readonly origin: string;
  close(): void;
}

/** @param respond handles a request; returns false to leave it to the files */
export async function startStaticSite(
  folder: string,
  respond: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<StaticSite> {
  const server = createServer((request, response) => {
    if (!respond(request, response)) void send(folder, request.url ?? '/', response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function send(folder: string, url: string, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(url, 'http://site');
  const path = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  try {
    const body = await readFile(path);
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}
