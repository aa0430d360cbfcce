/** Public API documentation: the OpenAPI document of /v0, the page that shows it, and the GraphQL SDL. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { OpenApiDocument } from '../../rest/openapi/openapi.ts';
import { DOCS_PAGE_HEADERS, renderDocsPage } from '../../web/docs/docs-page.ts';
import { assetsOf } from '../../web/page-assets.ts';
import type { PageLink } from '../../web/pages.ts';
import { DOCS_PATH, SDL_PATH } from '../../web/pages.ts';
import { ASSETS_PATH } from './asset-routes.ts';
import { HTML_TYPE, JSON_TYPE } from '../request/media-types.ts';
import { baseOf, baseUrlOf } from '../request/request-url.ts';
import type { StaticFile } from './static-file.ts';
import { createStaticFile, sendFile } from './static-file.ts';

/** Created on first use. */
export interface Documents {
  openApi(): Promise<OpenApiDocument>;
  /** The public GraphQL schema. */
  sdl(): Promise<string>;
}

export const OPENAPI_PATH = '/v0/openapi.json';
export const DOCUMENT_PATHS = [OPENAPI_PATH, SDL_PATH, DOCS_PATH];

export interface DocumentOptions {
  readonly documents: Documents;
  readonly publicUrl: string | null;
  /** Paths from the root. */
  readonly graphqlPath: string;
  /** Null if it is not served. */
  readonly graphiqlPath: string | null;
  /** All served pages. */
  readonly pages: readonly PageLink[];
}

export function documentRoutes(app: FastifyInstance, options: DocumentOptions): void {
  const { documents } = options;
  const serve = (path: string, make: () => Promise<StaticFile>) => {
    let made: Promise<StaticFile> | undefined;
    app.route({
      // Fastify's own HEAD would send a 304 with content length 0.
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request, reply) => {
        made ??= make();
        return sendDocument(request, reply, await made);
      },
    });
  };
  serve(OPENAPI_PATH, async () => {
    const text = JSON.stringify(await documents.openApi(), null, 2);
    return createStaticFile('openapi.json', JSON_TYPE, Buffer.from(text));
  });
  // Browsers show plain text, but download other types.
  serve(SDL_PATH, async () =>
    createStaticFile('schema.graphql', 'text/plain; charset=utf-8', Buffer.from(await documents.sdl())),
  );

  let page: { readonly serverUrl: string; readonly base: string; readonly file: StaticFile } | undefined;
  app.route({
    method: ['GET', 'HEAD'],
    url: DOCS_PATH,
    handler: async (request, reply) => {
      const serverUrl = baseUrlOf(request, options.publicUrl);
      const base = baseOf(request);
      // Most requests use the same host as the previous one.
      if (page?.serverUrl !== serverUrl || page.base !== base) {
        const text = renderDocsPage({
          document: await documents.openApi(),
          base,
          serverUrl,
          assets: assetsOf('docs'),
          pages: options.pages,
          paths: {
            assets: ASSETS_PATH,
            openApi: OPENAPI_PATH,
            sdl: SDL_PATH,
            graphql: options.graphqlPath,
            graphiql: options.graphiqlPath,
          },
        });
        const file = createStaticFile('docs.html', HTML_TYPE, Buffer.from(text));
        page = { serverUrl, base, file };
      }
      return sendDocument(request, reply.headers(DOCS_PAGE_HEADERS), page.file);
    },
  });
}

/** It changes only with a restart, so caches must revalidate. */
function sendDocument(request: FastifyRequest, reply: FastifyReply, file: StaticFile): Promise<FastifyReply> {
  return sendFile(request, reply.header('cache-control', 'no-cache'), file);
}
