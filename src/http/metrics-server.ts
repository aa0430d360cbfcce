/** `/metrics` on a port of its own, which a deployment need not open to clients. */

import type { Server } from 'node:http';
import { createServer } from 'node:http';

import type { Metrics } from '../app/observability/metrics.ts';

/** Resolves when it listens. */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'render'>,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is only GET /metrics here.\n');
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
