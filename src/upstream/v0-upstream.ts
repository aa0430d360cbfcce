/** The calls of `/v0`, as an upstream. */

import { badUserInput, ServiceError } from '../errors.ts';
import type { Exchanged } from '../lib/http-client.ts';
import { writeBody } from './body.ts';
import type { UpstreamRequest, V0UpstreamOptions } from './client.ts';
import { UpstreamClient } from './client.ts';
import type { Requested } from './failures.ts';
import { readCreated, readList, readMap, readSingle } from './shape.ts';
import type { Upstream, UpstreamPage } from './upstream.ts';

/** Longest encoded id in characters: servers refuse longer URLs. */
const MAX_ID_LENGTH = 2_000;

export function createV0Upstream(options: V0UpstreamOptions): Upstream {
  const client = new UpstreamClient(options);
  return {
    getMap: async (call, mapId) =>
      client.read(
        { verb: 'getMap', method: 'GET', path: mapPath(mapId), requested: 'map' },
        call,
        ({ body }) => readMap(body, mapId),
      ),

    listLocations: async (call, mapId, query, limit) => {
      const request: UpstreamRequest = {
        verb: 'listLocations',
        method: 'GET',
        requested: 'map',
        path: `${mapPath(mapId)}/locations`,
        query: [`limit=${limit}`, ...(query === '' ? [] : [query])].join('&'),
      };
      return client.read(request, call, (response): UpstreamPage => ({
        locations: readList(response.body, limit),
        next: client.nextOf(request, response),
      }));
    },

    getLocation: async (call, mapId, id) =>
      client.read(
        { verb: 'getLocation', method: 'GET', path: locationPath(mapId, id), requested: 'location' },
        call,
        single,
      ),

    createLocation: async (call, mapId, { fields, order, idempotencyKey }) => {
      const path = `${mapPath(mapId)}/location`;
      assertSendable(idempotencyKey);
      const body = writeBody({ fields, ...(order !== null && { order }) });
      return client.read(
        { verb: 'createLocation', method: 'POST', path, requested: 'map', body, idempotencyKey },
        call,
        (response) => readCreated(response.body),
      );
    },

    deleteLocation: async (call, mapId, id) =>
      client.read(
        { verb: 'deleteLocation', method: 'DELETE', path: locationPath(mapId, id), requested: 'location' },
        call,
        single,
      ),

    ping: () => client.ping(),
    close: () => client.close(),
  };
}

const single = ({ body }: Exchanged) => readSingle(body);

function mapPath(mapId: string): string {
  return `map/${idInPath(mapId, 'map')}`;
}

function locationPath(mapId: string, id: string): string {
  return `${mapPath(mapId)}/location/${idInPath(id, 'location')}`;
}

/** Ids that a path cannot contain do not exist. `.` and `..` would change the path. */
function idInPath(id: string, what: Requested): string {
  const encoded = id.isWellFormed() ? encodeURIComponent(id) : '';
  if (encoded !== '' && encoded !== '.' && encoded !== '..' && encoded.length <= MAX_ID_LENGTH)
    return encoded;
  throw what === 'map'
    ? new ServiceError('MAP_NOT_FOUND', 'There is no such map, or it is not yours.')
    : new ServiceError('LOCATION_NOT_FOUND', 'There is no such location in this map.');
}

/** Refuses keys that cannot be sent in a header. */
function assertSendable(idempotencyKey: string | null): void {
  if (idempotencyKey === null || /^[\t\x20-\x7e\x80-\xff]*$/.test(idempotencyKey)) return;
  throw badUserInput('idempotencyKey must be 1 to 255 printable ASCII characters.');
}
