/** The start page at /, for browsers. Programs and other methods get 404. */

import type { FastifyInstance } from 'fastify';

import { ServiceError } from '../../errors.ts';
import { OGC_PATH } from '../../ogc/links.ts';
import type { DemoMapService } from '../../services/maps/demo-map.ts';
import type { StartPageTexts } from '../../web/start-page.ts';
import type { PageLink, ServedPages } from '../../web/pages.ts';
import { mapPath, START_PATH } from '../../web/pages.ts';
import { renderStartPage, startPageHeaders } from '../../web/start-page.ts';
import { HTML_TYPE, prefersHtml } from '../request/media-types.ts';
import { baseUrlOf } from '../request/request-url.ts';
import { addVary } from '../caching.ts';
import { noSuchPath } from '../errors.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';

export interface StartRoutesOptions {
  readonly demoMap: DemoMapService;
  readonly requests: RequestLifecycle;
  readonly served: ServedPages;
  readonly graphqlPath: string;
  /** Null if it is not served. */
  readonly mcpPath: string | null;
  readonly publicUrl: string | null;
  readonly texts: StartPageTexts;
}

export function startRoutes(app: FastifyInstance, options: StartRoutesOptions): void {
  const { demoMap, requests, served, graphqlPath, mcpPath, publicUrl, texts } = options;
  const headers = startPageHeaders();

  app.get(START_PATH, {
    onRequest: async (request, reply) => {
      addVary(reply, 'Accept');
      if (!prefersHtml(request.headers.accept)) throw noSuchPath();
      await requests.begin(request, reply);
    },
    handler: async (request, reply) => {
      const demo = served.hasMapPages ? await demoLink() : null;
      const html = renderStartPage({
        demo,
        tilesPath: served.hasMapPages ? `${demo?.path ?? mapPath('MAP')}/tiles.json` : null,
        pages: served.pages,
        baseUrl: baseUrlOf(request, publicUrl),
        graphqlPath,
        mcpPath,
        ogcPath: served.hasMapPages ? OGC_PATH : null,
        texts,
      });
      return reply.headers(headers).type(HTML_TYPE).send(html);

      async function demoLink(): Promise<PageLink | null> {
        const map = await demoMap.findPublished(requests.scopeOf(request)).catch((error: unknown) => {
          // The page works without the database.
          if (error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE') return null;
          throw error;
        });
        if (map === null) return null;
        return { path: mapPath(map.id), name: map.name, text: 'A public demo map.' };
      }
    },
  });
}
