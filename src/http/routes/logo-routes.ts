/** The logo of a map's page. */

import type { FastifyInstance } from 'fastify';

import type { Services } from '../../services/services.ts';
import { allowPrivateCaching, allowSharedCaching, isNotModified } from '../caching.ts';
import { sendPublicError } from '../errors.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';

export interface LogoOptions extends PublicRequests {
  readonly maps: Pick<Services['maps'], 'readLogo'>;
}

export const LOGO_PATH = '/maps/:mapId/logo';

/** An SVG file that is opened by itself runs no script and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function logoRoutes(app: FastifyInstance, options: LogoOptions): void {
  const { maps, requests } = options;
  app.setErrorHandler(sendPublicError);

  app.route<{ Params: { mapId: string } }>({
    method: ['GET', 'HEAD'],
    url: LOGO_PATH,
    config: { acceptsSessions: true },
    onRequest: admitPublicRequest(options, 'beginPublic'),
    handler: async (request, reply) => {
      const scope = requests.scopeOf(request);
      const { type, hash, content } = await maps.readLogo(scope, request.params.mapId);
      reply.headers({
        'content-security-policy': POLICY,
        // Pages in sandboxed frames have another origin.
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      if (scope.caller === null) allowSharedCaching(reply);
      else allowPrivateCaching(reply);
      if (isNotModified(request, reply, `"${hash}"`)) return reply.send();
      return reply.type(type).send(Buffer.from(content, 'base64'));
    },
  });
}
