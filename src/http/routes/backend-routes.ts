/** The routes, texts and limits in which a server over a store and a gateway differ. */

import type { FastifyInstance } from 'fastify';

import type { Config } from '../../app/config.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import type { Services } from '../../services/services.ts';
import type { BasemapFile } from '../../web/basemap-file/basemap-file.ts';
import type { ExampleQuery } from '../../web/example-queries.ts';
import type { PageLink } from '../../web/pages.ts';
import { CONSOLE_PATH } from '../../web/pages.ts';
import type { Cookies } from '../request/session-cookie.ts';
import type { StartPageTexts } from '../../web/start-page.ts';
import { AUTH_METHODS, authRoutes } from './auth-routes.ts';
import { basemapRoutes } from './basemap-routes.ts';
import { consoleRoutes } from './console-routes.ts';
import { EXPORT_METHODS } from './allowed-methods.ts';
import { EMBED_SCRIPT_PATH } from '../../web/embed-script.ts';
import { ROBOTS_PATH, SITEMAP_PATH } from '../../web/sitemap.ts';
import { embedScriptRoutes } from './asset-routes.ts';
import { EXPORT_PATHS, exportRoutes } from './export-routes.ts';
import { register } from './register.ts';
import { LOGO_PATH, logoRoutes } from './logo-routes.ts';
import { MAP_PAGE_PATH, mapPageRoutes } from './map-page-routes.ts';
import { MCP_METHODS, MCP_PATH, mcpRoutes } from './mcp-routes.ts';
import { OEMBED_PATH, oembedRoutes } from './oembed-routes.ts';
import { OGC_PATHS, ogcRoutes } from './ogc-routes.ts';
import { PICTURE_PATH, pictureRoutes } from './picture-routes.ts';
import type { PublicRequests } from './public-requests.ts';
import { sitemapRoutes } from './sitemap-routes.ts';
import { TILE_PATH, TILE_SET_PATH, tileRoutes } from './tile-routes.ts';

export interface BackendRoutes {
  /** Paths of pages, which GET, HEAD and OPTIONS are allowed for. */
  readonly pages: readonly string[];
  /** The value of `Allow` for other paths. */
  readonly methods: ReadonlyMap<string, string>;
  register(app: FastifyInstance, options: BackendRoutesOptions): Promise<void>;
}

export interface BackendRoutesOptions extends PublicRequests {
  readonly config: Pick<Config, 'publicUrl' | 'mapPage' | 'history' | 'sitemap' | 'mcp' | 'corsOrigins'>;
  readonly services: Services;
  readonly executor: Executor;
  readonly cookies: Cookies;
  readonly memory: ResponseMemory;
  /** Of one GraphQL operation. */
  readonly budget: BudgetLimits;
  readonly graphqlPath: string;
  /** Null if there is none. */
  readonly basemap: BasemapFile | null;
  /** All pages that the server has. */
  readonly pages: readonly PageLink[];
}

/** What the composition of a backend gives the HTTP server. */
export interface BackendPages {
  readonly routes: BackendRoutes;
  readonly graphiql: {
    readonly examples: readonly ExampleQuery[];
    /** Whether `viewer` can say whose a token is. */
    readonly hasViewer: boolean;
  };
  readonly startPage: StartPageTexts;
}

/** Signing in, exports, and the pages of stored maps. */
export const STORE_ROUTES: BackendRoutes = {
  pages: [
    CONSOLE_PATH,
    MAP_PAGE_PATH,
    PICTURE_PATH,
    LOGO_PATH,
    TILE_SET_PATH,
    TILE_PATH,
    OEMBED_PATH,
    EMBED_SCRIPT_PATH,
    SITEMAP_PATH,
    ROBOTS_PATH,
    ...OGC_PATHS,
  ],
  methods: new Map([
    ...AUTH_METHODS,
    ...EXPORT_PATHS.map((path) => [path, EXPORT_METHODS] as const),
    [MCP_PATH, MCP_METHODS],
  ]),
  register: async (
    app,
    {
      config,
      services,
      executor,
      requests,
      countPublic,
      cookies,
      memory,
      budget,
      graphqlPath,
      basemap,
      pages,
    },
  ) => {
    const { publicUrl, mapPage: settings, history } = config;
    const publicOptions = { executor, requests, countPublic, memory, publicUrl };
    const { passwords, provider, sessions } = services;
    await register(app, authRoutes, { passwords, provider, sessions, requests, cookies, publicUrl });
    await register(app, exportRoutes, { exports: services.exports, requests, countPublic, memory });
    await register(app, mapPageRoutes, { ...publicOptions, graphqlPath, settings, basemap });
    await register(app, pictureRoutes, publicOptions);
    await register(app, logoRoutes, { maps: services.maps, requests, countPublic });
    await register(app, tileRoutes, { tiles: services.tiles, requests, countPublic, memory });
    await register(app, oembedRoutes, publicOptions);
    await register(app, ogcRoutes, { services, requests, countPublic, memory, publicUrl });
    const mcpPath = config.mcp.isServed ? MCP_PATH : null;
    await register(app, consoleRoutes, { graphqlPath, settings, basemap, history, mcpPath, pages });
    if (basemap !== null) await register(app, basemapRoutes, { basemap });
    await register(app, embedScriptRoutes, {});
    if (config.mcp.isServed) {
      const { corsOrigins, mcp } = config;
      const { allowsWrites } = mcp;
      await register(app, mcpRoutes, {
        ...{ executor, requests, countPublic, budget, corsOrigins, publicUrl },
        allowsWrites,
      });
    }
    if (config.sitemap) {
      await register(app, sitemapRoutes, {
        requests,
        countPublic,
        publicUrl,
        publicMaps: services.publicMaps,
      });
    }
  },
};

/** /v0 has no counterpart to the routes of a store. */
export const NO_ROUTES: BackendRoutes = { pages: [], methods: new Map(), register: () => Promise.resolve() };
