/** Vector tiles of maps, and their TileJSON (https://github.com/mapbox/tilejson-spec/tree/master/3.0.0). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { MAX_ZOOM, parseTile } from '../../domain/tiles/tile.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import { responseMemoryFull } from '../../graphql/limits/response-memory.ts';
import { readQuery } from '../../rest/query.ts';
import { TILE_LAYER } from '../../services/tiles/encode-tile.ts';
import type { MapTile, TileOptions, TileService, TileSet } from '../../services/tiles/tile-service.ts';
import { MAX_TILE_BYTES } from '../../services/tiles/tile-service.ts';
import { html } from '../../web/html.ts';
import { addVary, allowPrivateCaching, allowSharedCaching, etagOf, isNotModified } from '../caching.ts';
import { allowAnyOrigin, FIELDS_LEFT_OUT_HEADER } from '../cors.ts';
import { sendPublicError } from '../errors.ts';
import { JSON_TYPE, weightOf } from '../request/media-types.ts';
import { searchOf } from '../request/request-url.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';

export interface TileRoutesOptions extends PublicRequests {
  readonly tiles: Pick<TileService, 'readTile' | 'describe'>;
  /** Counts the bytes of all responses. */
  readonly memory: ResponseMemory;
}

export const TILE_SET_PATH = '/maps/:mapId/tiles.json';
export const TILE_PATH = '/maps/:mapId/tiles/:z/:x/:y.mvt';
const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

export function tileRoutes(app: FastifyInstance, options: TileRoutesOptions): void {
  const { tiles, requests, memory } = options;
  app.setErrorHandler(sendPublicError);
  const shared = {
    method: ['GET', 'HEAD'],
    config: { acceptsSessions: true },
    onRequest: admitPublicRequest(options, 'beginPublic', { isForAnySite: true }),
  };

  app.route<{ Params: { mapId: string } }>({
    ...shared,
    url: TILE_SET_PATH,
    handler: async (request, reply) => {
      const scope = requests.scopeOf(request);
      const { mapId } = request.params;
      const described = await tiles.describe(scope, mapId, readOptions(request).fields);
      const address = `${scope.baseUrl}/maps/${mapId}/tiles/{z}/{x}/{y}.mvt`;
      const json = JSON.stringify(tileJson(described, address + queryOf(request)));
      setHeaders(reply, described.isPublic);
      if (isNotModified(request, reply, etagOf(json))) return reply.send();
      return reply.type(JSON_TYPE).send(json);
    },
  });

  app.route<{ Params: { mapId: string; z: string; x: string; y: string } }>({
    ...shared,
    url: TILE_PATH,
    handler: async (request, reply) => {
      const { mapId, z, x, y } = request.params;
      const tile = parseTile(z, x, y);
      if (tile === null) throw noSuchTile();
      const wanted = readOptions(request);
      const read = await withinMemory(() => tiles.readTile(requests.scopeOf(request), mapId, tile, wanted));
      setHeaders(reply, read.isPublic);
      return read.tile === null ? reply.code(204).send() : sendTile(request, reply, read.tile);
    },
  });

  /** @throws ServiceError OVERLOADED */
  async function withinMemory<T>(make: () => Promise<T>): Promise<T> {
    if (!memory.acquire(MAX_TILE_BYTES, 0)) throw responseMemoryFull();
    try {
      return await make();
    } finally {
      memory.release(MAX_TILE_BYTES);
    }
  }
}

function noSuchTile(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `There is no such tile: zooms are 0 to ${MAX_ZOOM}, and x and y from 0 to 2^zoom - 1.`,
  );
}

function setHeaders(reply: FastifyReply, isPublic: boolean): void {
  reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'x-content-type-options': 'nosniff' });
  if (isPublic) {
    allowSharedCaching(reply);
    allowAnyOrigin(reply);
  } else allowPrivateCaching(reply);
}

async function sendTile(request: FastifyRequest, reply: FastifyReply, tile: MapTile): Promise<FastifyReply> {
  const isGzipped = (weightOf(request.headers['accept-encoding'], 'gzip', '*') ?? 0) > 0;
  addVary(reply, 'Accept-Encoding');
  if (tile.leftOut.length > 0) {
    reply.header(FIELDS_LEFT_OUT_HEADER, tile.leftOut.map(encodeURIComponent).join(','));
  }
  // Each encoding is a separate representation with its own tag.
  if (isNotModified(request, reply, `"${tile.hash}${isGzipped ? '-gzip' : ''}"`)) return reply.send();
  if (isGzipped) reply.header('content-encoding', 'gzip');
  const { buffer, byteOffset, byteLength } = isGzipped ? await tile.gzipped() : tile.bytes;
  return reply.type(TILE_TYPE).send(Buffer.from(buffer, byteOffset, byteLength));
}

/** @throws ServiceError BAD_USER_INPUT */
function readOptions(request: FastifyRequest): TileOptions {
  const { fields, cluster } = readQuery(searchOf(request), ['fields', 'cluster']);
  if (cluster !== undefined && cluster !== '0' && cluster !== '1') {
    throw badUserInput('cluster must be 0, 1 or omitted.');
  }
  return { fields, isClustered: cluster !== '0' };
}

/** The query of the tiles that a TileJSON describes: its own. */
function queryOf(request: FastifyRequest): string {
  const { fields, isClustered } = readOptions(request);
  const query = [
    ...(fields === undefined ? [] : [`fields=${encodeURIComponent(fields)}`]),
    ...(isClustered ? [] : ['cluster=0']),
  ];
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

function tileJson({ name, fields, bounds, attributions }: TileSet, address: string): object {
  const types = fields.map(({ key, type }) => [key, type === 'number' ? 'Number' : 'String'] as const);
  return {
    tilejson: '3.0.0',
    name,
    tiles: [address],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    ...(bounds !== null && { bounds: [bounds.west, bounds.south, bounds.east, bounds.north] }),
    ...(attributions.length > 0 && {
      attribution: attributions
        .map(({ text, url }) => (url === null ? html`${text}` : html`<a href="${url}">${text}</a>`).html)
        .join('; '),
    }),
    vector_layers: [
      {
        id: TILE_LAYER,
        minzoom: 0,
        maxzoom: MAX_ZOOM,
        fields: { id: 'String', name: 'String', point_count: 'Number', ...Object.fromEntries(types) },
      },
    ],
  };
}
