/** A minimal /v0 service, as a third party might build it, which can also misbehave. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MinimalLocation {
  readonly id: string;
  readonly name: string;
  readonly order?: string;
  readonly lat?: string;
}

export interface Received {
  readonly method: string;
  /** Includes the query string. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Variant {
  /** Whether every page but the last has a `Link`, whose position is a parameter specific to this upstream. */
  readonly link?: boolean;
  /** Whether a location shows its order. */
  readonly showsOrder?: boolean;
  /** Whether a location is returned alone instead of in a list. */
  readonly single?: boolean;
}

/** Handles a request instead of the service. Returns false to leave it to the service. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | void;

export interface MinimalUpstream {
  readonly url: string;
  readonly received: Received[];
  /** The list, in order; tests may change it. */
  readonly locations: MinimalLocation[];
  map: Record<string, unknown>;
  /** The faults of the next requests, in turn; then the service responds. */
  fail(...faults: readonly Fault[]): void;
  close(): Promise<void>;
}

export const MAP_ID = 'their map';
export const TOKEN = 'their-token';

export async function startMinimalUpstream({
  link = false,
  showsOrder = false,
  single = false,
}: Variant = {}): Promise<MinimalUpstream> {
  const received: Received[] = [];
  const faults: Fault[] = [];
  const locations: MinimalLocation[] = [];
  const upstream = { map: { id: MAP_ID, name: 'Theirs' } as Record<string, unknown> };

  const shown = ({ id, name, order = '0', lat = '1.5' }: MinimalLocation) => ({
    name,
    id,
    placeId: `place ${id}`,
    latLngLiteral: { lat, lng: '-2' },
    properties: { Name: name, Address: 'There 1' },
    ...(showsOrder && { order }),
  });
  const send = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const listTo = (response: ServerResponse, query: URLSearchParams) => {
    const limit = Number(query.get('limit') ?? 100);
    const offset = query.get('offset');
    const place = Number(query.get('place') ?? 0);
    const start =
      offset === null ? place : locations.findIndex(({ order = '0' }) => Number(order) >= Number(offset));
    const from = start === -1 ? locations.length : start;
    const page = locations.slice(from, from + limit);
    const isMore = from + limit < locations.length;
    const headers =
      link && isMore
        ? { link: `</elsewhere/v0/map/x/locations?place=${from + limit}&limit=${limit}>; rel="next"` }
        : {};
    send(response, 200, page.map(shown), headers);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const fault = faults.shift();
      if (fault !== undefined && fault(request, response) !== false) return;
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const [, version, , map, kind, id] = pathname.split('/').map(decodeURIComponent);
      if (version !== 'v0' || headers.authorization !== `Bearer ${TOKEN}`)
        return send(response, 401, { error: 401, message: 'Who are you?' });
      if (map !== MAP_ID) return send(response, 404, { error: 404, message: 'No such map.' });
      if (kind === undefined) return send(response, 200, { data: upstream.map });
      if (kind === 'locations') return listTo(response, searchParams);
      if (method === 'POST') {
        const { fields } = JSON.parse(Buffer.concat(chunks).toString()) as { fields: { Name: string } };
        const made = { id: `new ${locations.length}`, name: fields.Name };
        locations.push(made);
        return send(response, 200, { data: shown(made) });
      }
      const index = locations.findIndex((location) => location.id === id);
      const location = locations[index];
      if (location === undefined) return send(response, 404, { error: 404, message: 'No such location.' });
      if (method === 'DELETE') locations.splice(index, 1);
      return send(response, 200, single ? shown(location) : [shown(location)]);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${port}`,
    received,
    locations,
    fail: (...next: readonly Fault[]) => void faults.push(...next),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** Locations with orders from 1 up. */
export function numbered(count: number, prefix = 'l'): MinimalLocation[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${prefix}${index}`,
    name: `Location ${index}`,
    order: String(index + 1),
  }));
}

export function respondWith(status: number, body: unknown, headers: Record<string, string> = {}): Fault {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export const hangs: Fault = () => undefined;
export const resets: Fault = (request) => void request.socket.destroy();

/** Cuts the connection halfway through a body with Content-Length. */
export const cutOff: Fault = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"data":', () => request.socket.destroy());
};

/** A byte at a time, for ever. */
export const drips: Fault = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

/** Blanks, as fast as the client reads. */
export const huge: Fault = (_request, response) => {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', more);
  };
  more();
};
