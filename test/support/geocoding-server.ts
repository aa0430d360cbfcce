/** A scripted loopback server with all providers' documented responses, valid and faulty. */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { RemoteName } from '../../src/geocoding/providers/providers.ts';
import type { FixturePlace } from './geocoding-fixtures.ts';
import { FOUND, NOTHING_FOUND } from './geocoding-fixtures.ts';

export interface Received {
  readonly provider: RemoteName;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly address: string;
  readonly userAgent: string;
  /** Milliseconds, of performance.now(). */
  readonly at: number;
}

/** Handles one request; a returned value is sent as a JSON body with status 200. */
export type Scene = (exchange: {
  readonly received: Received;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}) => unknown;

export interface GeocodingServer {
  /** With a path prefix, which providers' base URLs may have. */
  readonly url: string;
  readonly received: Received[];
  /** The maximum number of concurrent requests. */
  readonly peak: () => number;
  /** The number of open requests. */
  readonly open: () => number;
  /** The scenes for the next requests, in turn; the last one repeats. */
  play(...scenes: readonly Scene[]): void;
  close(): Promise<void>;
}

const PREFIX = '/some/prefix';

/** Several providers have the same paths; their parameters differ. */
function recognize(path: string, query: Readonly<Record<string, string>>): RemoteName | undefined {
  switch (path) {
    case '/maps/api/geocode/json':
      return 'google';
    case '/search/geocode/v6/forward':
    case '/search/geocode/v6/reverse':
      return 'mapbox';
    case '/geocode/search':
    case '/geocode/autocomplete':
    case '/geocode/reverse':
      return 'geoapify';
    case '/json':
      return 'opencage';
    case '/api':
      return 'photon';
    case '/autocomplete':
      return 'locationiq';
    case '/search':
    case '/reverse':
      if (query['format'] === 'jsonv2') return 'nominatim';
      if (query['format'] === 'json') return 'locationiq';
      return query['radius'] === undefined ? 'geocodejson' : 'photon';
    default:
      return undefined;
  }
}

/** Each address has its own point; some words are never found. */
export function placeOf(address: string): FixturePlace {
  const digest = createHash('sha256').update(address).digest();
  const degrees = (offset: number, range: number) =>
    Number(((digest.readUInt32BE(offset) / 0xffff_ffff) * 2 * range - range).toFixed(7));
  return { latitude: degrees(0, 90), longitude: degrees(4, 180) };
}

/** Finds the house number in the address. */
export const found: Scene = (exchange) => {
  const { provider, address } = exchange.received;
  if (address.includes('Nowhere')) return nothingFound(exchange);
  const [houseNumber] = /[0-9]+/.exec(address) ?? [];
  return FOUND[provider]({ ...placeOf(address), ...(houseNumber !== undefined && { houseNumber }) });
};

export const nothingFound: Scene = (exchange) => {
  const { provider } = exchange.received;
  const body = NOTHING_FOUND[provider];
  return provider === 'locationiq' ? json(404, body)(exchange) : body;
};

export const found999: Scene = ({ received: { provider } }) =>
  FOUND[provider]({ latitude: 999, longitude: 0 });

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Scene {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export const neverResponds: Scene = () => undefined;
export const hangsUp: Scene = ({ request }) => void request.socket.destroy();

/** Cuts the connection halfway through a body with Content-Length. */
export const cutOff: Scene = (exchange) => {
  const text = JSON.stringify(found(exchange));
  exchange.response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(text.length),
  });
  exchange.response.write(text.slice(0, text.length / 2), () => exchange.request.socket.destroy());
};

/** A complete body that holds only half of the JSON. */
export const halfJson: Scene = (exchange) => {
  const text = JSON.stringify(found(exchange));
  exchange.response.end(text.slice(0, text.length / 2));
};

export const HUGE_BYTES = 50 * 1024 * 1024;
/** Bytes sent of the last huge response. */
export let hugeBytesSent = 0;

/** 50 MB, as fast as the client reads. */
export const huge: Scene = ({ response }) => {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  hugeBytesSent = 0;
  const more = (): void => {
    while (hugeBytesSent < HUGE_BYTES && !response.destroyed) {
      hugeBytesSent += chunk.length;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  more();
};

const BOMB = gzipSync(Buffer.alloc(HUGE_BYTES, ' '));

/** 50 MB, compressed to 50 KB. */
export const bomb: Scene = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(BOMB);
};

/** A byte every 20 ms, for ever. */
export const drip: Scene = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

export function redirect(location: string): Scene {
  return ({ response }) => {
    response.writeHead(302, { location });
    response.end();
  };
}

export async function startGeocodingServer(): Promise<GeocodingServer> {
  const received: Received[] = [];
  let scenes: Scene[] = [found];
  let open = 0;
  let peak = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const query = Object.fromEntries(searchParams);
    const provider = pathname.startsWith(PREFIX)
      ? recognize(pathname.slice(PREFIX.length), query)
      : undefined;
    if (provider === undefined) return void response.writeHead(404).end();
    const seen = {
      provider,
      path: pathname,
      query,
      address: query['q'] ?? query['address'] ?? query['text'] ?? '',
      userAgent: request.headers['user-agent'] ?? '',
      at: performance.now(),
    };
    received.push(seen);
    open += 1;
    peak = Math.max(peak, open);
    response.on('close', () => (open -= 1));
    const scene = (scenes.length > 1 ? scenes.shift() : scenes[0]) ?? found;
    const body = scene({ received: seen, request, response });
    if (body !== undefined) json(200, body)({ received: seen, request, response });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PREFIX}/`,
    received,
    peak: () => peak,
    open: () => open,
    play: (...next) => {
      scenes = [...next];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
