/** `/metrics` on a separate port, which need not be open to clients. */

import type { Server } from 'node:http';
import { createServer } from 'node:http';

import type { Metrics } from '../app/observability/metrics.ts';

/** Resolves when the server listens. */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'render'>,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Only GET /metrics is served here.\n');
      return;
    }
    metrics.render().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
