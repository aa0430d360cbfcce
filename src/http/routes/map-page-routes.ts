/** A map's page at /maps/{id}: always the public view, whatever the token. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { PAGE_LANGUAGES } from '../../domain/page-languages.ts';
import type { ErrorCode } from '../../errors.ts';
import type { BasemapFile } from '../../web/basemap-file/basemap-file.ts';
import type { MapPageSettings, PublishedMap } from '../../web/map-page.ts';
import { mapPageHeaders, renderMapError, renderMapPage } from '../../web/map-page.ts';
import { assetsOf } from '../../web/page-assets.ts';
import { SETTINGS_SELECTION } from '../../web/page-settings.ts';
import { ASSETS_PATH } from './asset-routes.ts';
import { etagOf, isNotModified, allowSharedCaching } from '../caching.ts';
import { preparePublicError, sendErrorText } from '../errors.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';
import type { PublicMapReaderOptions } from './public-map.ts';
import { publicMapReader } from './public-map.ts';
import { HTML_TYPE } from '../request/media-types.ts';
import { baseOf, searchOf, baseUrlOf } from '../request/request-url.ts';

export interface MapPageOptions extends PublicMapReaderOptions, PublicRequests {
  readonly publicUrl: string | null;
  readonly graphqlPath: string;
  readonly settings: MapPageSettings;
  /** Null if there is none. */
  readonly basemap: BasemapFile | null;
}

export const MAP_PAGE_PATH = '/maps/:mapId';

/** Locations in the HTML, for search engines. */
const ROWS = 100;

const SELECTION = `name fields { name type } ${SETTINGS_SELECTION} locations(first: ${ROWS}) { totalCount nodes { id name latitude longitude properties geocoding { precision isChecked } } }`;

export function mapPageRoutes(app: FastifyInstance, options: MapPageOptions): void {
  const { publicUrl, graphqlPath, settings, basemap } = options;
  const readMap = publicMapReader<PublishedMap>(options, SELECTION, { maxRows: ROWS });
  app.setErrorHandler(sendErrorPage);

  app.route<{ Params: { mapId: string } }>({
    // Fastify's own HEAD would send a 304 with content length 0.
    method: ['GET', 'HEAD'],
    url: MAP_PAGE_PATH,
    onRequest: admitPublicRequest(options, 'beginAnonymous'),
    handler: async (request, reply) => {
      const { mapId } = request.params;
      const map = await readMap(request, { id: mapId });
      const parameters = new URLSearchParams(searchOf(request));
      const isEmbedded = parameters.get('embed') === '1';
      const html = renderMapPage({
        mapId,
        map,
        base: baseOf(request),
        baseUrl: baseUrlOf(request, publicUrl),
        assetsPath: ASSETS_PATH,
        assets: assetsOf('map'),
        graphqlPath,
        isEmbedded,
        language: PAGE_LANGUAGES.find((language) => language === parameters.get('lang')) ?? null,
        settings,
        basemap: (await basemap?.read()) ?? null,
      });
      reply.headers(mapPageHeaders(settings, isEmbedded));
      allowSharedCaching(reply);
      if (isNotModified(request, reply, etagOf(html))) return reply.send();
      return reply.type(HTML_TYPE).send(html);
    },
  });

  async function sendErrorPage(
    thrown: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { error, status } = preparePublicError(thrown, request, reply);
    const isUnknown = error.code === 'MAP_NOT_FOUND';
    const archive = isUnknown ? ((await basemap?.read()) ?? null) : null;
    const html = renderMapError({
      base: baseOf(request),
      assetsPath: ASSETS_PATH,
      assets: assetsOf('map'),
      // An unpublished map looks like an unknown one, and either may be opened by a link.
      opening: isUnknown ? { graphqlPath, settings, basemap: archive } : null,
      ...(TEXTS[error.code] ?? { title: 'Something went wrong', text: 'Please try again later.' }),
    });
    reply.headers(mapPageHeaders(settings, false));
    return sendErrorText(reply, status, error, HTML_TYPE, html);
  }
}

interface ErrorText {
  readonly title: string;
  readonly text: string;
}

const NOT_FOUND: ErrorText = {
  title: 'There is no such map',
  text: 'It does not exist, or is no longer public.',
};
const BUSY: ErrorText = { title: 'The server is busy', text: 'Please try again in a moment.' };

const TEXTS: Partial<Record<ErrorCode, ErrorText>> = {
  MAP_NOT_FOUND: NOT_FOUND,
  NOT_FOUND,
  RATE_LIMITED: { title: 'Too many requests', text: 'Please wait a minute, and try again.' },
  STORAGE_UNAVAILABLE: BUSY,
  OVERLOADED: BUSY,
};
