/** GET /oembed?url=…: how to embed a map's page in another page. */

import type { FastifyInstance } from 'fastify';

import { badUserInput, ServiceError } from '../../errors.ts';
import { readQuery } from '../../rest/query.ts';
import { mapIdOf, oembedOf } from '../../web/oembed.ts';
import { etagOf, isNotModified, allowSharedCaching } from '../caching.ts';
import { sendUnsupportedFormat, sendPublicError } from '../errors.ts';
import { JSON_TYPE } from '../request/media-types.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';
import type { PublicMapReaderOptions } from './public-map.ts';
import { publicMapReader } from './public-map.ts';
import { searchOf, baseUrlOf } from '../request/request-url.ts';

export interface OembedOptions extends PublicMapReaderOptions, PublicRequests {
  readonly publicUrl: string | null;
}

export const OEMBED_PATH = '/oembed';

export function oembedRoutes(app: FastifyInstance, options: OembedOptions): void {
  const { publicUrl } = options;
  const readMap = publicMapReader<{ name: string }>(options, 'name', { maxRows: 1 });
  app.setErrorHandler(sendPublicError);

  app.route({
    method: ['GET', 'HEAD'],
    url: OEMBED_PATH,
    onRequest: admitPublicRequest(options, 'beginAnonymous'),
    handler: async (request, reply) => {
      const query = readQuery(searchOf(request), ['url', 'format', 'maxwidth', 'maxheight']);
      if (query.format !== undefined && query.format !== 'json') {
        return sendUnsupportedFormat(reply, 'format must be json or omitted.');
      }
      if (query.url === undefined) throw badUserInput('The query parameter url is required.');
      const maxWidth = sizeOf('maxwidth', query.maxwidth);
      const maxHeight = sizeOf('maxheight', query.maxheight);
      const baseUrl = baseUrlOf(request, publicUrl);
      const mapId = mapIdOf(query.url, baseUrl);
      if (mapId === null)
        throw new ServiceError('MAP_NOT_FOUND', 'url is not a published map on this server.');
      const { name } = await readMap(request, { id: mapId });
      const body = JSON.stringify(oembedOf({ mapId, name, baseUrl, maxWidth, maxHeight }));
      allowSharedCaching(reply);
      if (isNotModified(request, reply, etagOf(body))) return reply.send();
      return reply.type(JSON_TYPE).send(body);
    },
  });
}

/** Pixels; null if absent. */
function sizeOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw badUserInput(`${name} must be a whole number from 1 to 999999.`);
  return Number(text);
}
