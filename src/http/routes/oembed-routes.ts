/** GET /oembed?url=…: how to put a map's page into another page. */

import type { FastifyInstance } from 'fastify';

import { badUserInput, ServiceError } from '../../errors.ts';
import { readQuery } from '../../rest/query.ts';
import { mapIdOf, oembedOf } from '../../web/oembed.ts';
import { baseUrlOf } from './base-url.ts';
import { etagOf, isKnownByTag } from '../request/etag.ts';
import { sendFailure } from '../failure.ts';
import { JSON_TYPE } from '../request/json-type.ts';
import type { PublicRequests } from './public-responses.ts';
import { beginPublic, keepForAll } from './public-responses.ts';
import { sendPublicFailure } from './public-failure.ts';
import type { PublicMapReaderOptions } from './public-map.ts';
import { publicMapReader } from './public-map.ts';
import { searchOf } from '../request/request-url.ts';

export interface OembedOptions extends PublicMapReaderOptions, PublicRequests {
  readonly publicUrl: string | null;
}

export const OEMBED_PATH = '/oembed';

export function oembedRoutes(app: FastifyInstance, options: OembedOptions): void {
  const { publicUrl } = options;
  const readMap = publicMapReader<{ name: string }>(options, 'name', { maxRows: 1 });
  app.setErrorHandler(sendPublicFailure);

  app.route({
    method: ['GET', 'HEAD'],
    url: OEMBED_PATH,
    onRequest: beginPublic(options, 'beginWithoutToken'),
    handler: async (request, reply) => {
      const query = readQuery(searchOf(request), ['url', 'format', 'maxwidth', 'maxheight']);
      if (query.format !== undefined && query.format !== 'json') {
        const error = badUserInput('format must be json, or left out.');
        return sendFailure(reply, 501, error, { error: 501, message: error.message });
      }
      if (query.url === undefined) throw badUserInput('The query parameter url is required.');
      const maxWidth = sizeOf('maxwidth', query.maxwidth);
      const maxHeight = sizeOf('maxheight', query.maxheight);
      const baseUrl = baseUrlOf(request, publicUrl);
      const mapId = mapIdOf(query.url, baseUrl);
      if (mapId === null) throw new ServiceError('MAP_NOT_FOUND', 'url is no address of a public map here.');
      const { name } = await readMap(request, { id: mapId });
      const body = JSON.stringify(oembedOf({ mapId, name, baseUrl, maxWidth, maxHeight }));
      keepForAll(reply);
      if (isKnownByTag(request, reply, etagOf(body))) return reply.send();
      return reply.type(JSON_TYPE).send(body);
    },
  });
}

/** Pixels; null where it is not given. */
function sizeOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw badUserInput(`${name} must be a whole number over 0.`);
  return Number(text);
}
