/** The owner's console at /console. The page is the same for everyone; its requests carry the token. */

import type { FastifyInstance } from 'fastify';

import { OGC_PATH } from '../../ogc/links.ts';
import type { BasemapFile } from '../../web/basemap-file/basemap-file.ts';
import type { KeptHistory } from '../../web/console-page.ts';
import { consolePageHeaders, renderConsolePage } from '../../web/console-page.ts';
import type { MapPageSettings } from '../../web/map-page.ts';
import { assetsOf } from '../../web/page-assets.ts';
import type { PageLink } from '../../web/pages.ts';
import { CONSOLE_PATH } from '../../web/pages.ts';
import { ASSETS_PATH } from './asset-routes.ts';
import { HTML_TYPE } from '../request/media-types.ts';
import { baseOf } from '../request/request-url.ts';

export interface ConsoleRoutesOptions {
  /** From the root. */
  readonly graphqlPath: string;
  readonly settings: MapPageSettings;
  /** Null if there is none. */
  readonly basemap: BasemapFile | null;
  readonly history: KeptHistory;
  /** From the root; null if MCP is not served. */
  readonly mcpPath: string | null;
  /** All served pages. */
  readonly pages: readonly PageLink[];
}

export function consoleRoutes(
  app: FastifyInstance,
  { graphqlPath, settings, basemap, history, mcpPath, pages }: ConsoleRoutesOptions,
): void {
  const headers = consolePageHeaders(settings);
  app.get(CONSOLE_PATH, async (request, reply) => {
    const archive = (await basemap?.read()) ?? null;
    return reply
      .headers(headers)
      .type(HTML_TYPE)
      .send(
        renderConsolePage({
          base: baseOf(request),
          assetsPath: ASSETS_PATH,
          assets: assetsOf('console'),
          graphqlPath,
          settings,
          basemap: archive,
          history,
          ogcPath: OGC_PATH,
          mcpPath,
          pages,
        }),
      );
  });
}
