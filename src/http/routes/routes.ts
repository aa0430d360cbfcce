/** Registers the routes, each group as a plugin with its own error handler. */

import type { FastifyInstance } from 'fastify';

import type { Config } from '../../app/config.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoint.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { V0Row } from '../../rest/table.ts';
import type { Audit } from '../../services/audit/audit.ts';
import type { Services } from '../../services/services.ts';
import type { BasemapFile } from '../../web/basemap-file/basemap-file.ts';
import type { ServedPages } from '../../web/pages.ts';
import { GRAPHIQL_PATH, servedPages } from '../../web/pages.ts';
import { ROBOTS_PATH, SITEMAP_PATH } from '../../web/sitemap.ts';
import { BASEMAP_PATH } from '../../web/tiles.ts';
import { respondToOptions } from '../cors.ts';
import type { Live } from '../live/live.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import type { Cookies } from '../request/session-cookie.ts';
import type { FindAllowed } from './allowed-methods.ts';
import { createAllowedMethods, GRAPHQL_METHODS, methodsByPath, PAGE_METHODS } from './allowed-methods.ts';
import { assetRoutes } from './asset-routes.ts';
import type { BackendPages, BackendRoutes } from './backend-routes.ts';
import type { Documents } from './document-routes.ts';
import { DOCUMENT_PATHS, documentRoutes } from './document-routes.ts';
import { graphiqlRoutes } from './graphiql-routes.ts';
import { GRAPHQL_PATH, graphqlRoutes } from './graphql-routes.ts';
import type { Readiness } from './health-routes.ts';
import { healthRoutes, PROBES } from './health-routes.ts';
import { MCP_PATH } from './mcp-routes.ts';
import type { CountPublic } from './public-requests.ts';
import { register } from './register.ts';
import { startRoutes } from './start-routes.ts';
import { v0Routes } from './v0-routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly servedPages: ServedPages;
  }
}

/** Paths that exist only with the setting. */
const SITEMAP_PATHS: ReadonlySet<string> = new Set([SITEMAP_PATH, ROBOTS_PATH]);

export interface RoutePaths {
  readonly findAllowed: FindAllowed;
  /** Paths that allow {@link PAGE_METHODS}. */
  readonly pages: readonly string[];
  readonly served: ServedPages;
}

export interface RoutePathsOptions {
  readonly rows: readonly V0Row[];
  /** Adds its own. */
  readonly backend: BackendRoutes;
  readonly hasBasemap: boolean;
}

/** The paths that exist. */
export function routePaths(
  config: Pick<Config, 'graphiql' | 'sitemap' | 'mcp'>,
  { rows, backend, hasBasemap }: RoutePathsOptions,
): RoutePaths {
  const pages = [
    ...[...PROBES, ...(config.graphiql ? [GRAPHIQL_PATH] : []), ...DOCUMENT_PATHS],
    ...backend.pages.filter((path) => config.sitemap || !SITEMAP_PATHS.has(path)),
  ];
  const findAllowed = createAllowedMethods(
    new Map([
      ...methodsByPath(rows),
      [GRAPHQL_PATH, GRAPHQL_METHODS],
      ...[...backend.methods].filter(([path]) => config.mcp.isServed || path !== MCP_PATH),
      ...(hasBasemap ? [[BASEMAP_PATH, PAGE_METHODS] as const] : []),
      ...pages.map((path) => [path, PAGE_METHODS] as const),
    ]),
  );
  return { findAllowed, pages, served: servedPages((path) => findAllowed(path) !== null) };
}

export interface RoutesOptions {
  readonly config: Config;
  readonly paths: RoutePaths;
  readonly rows: readonly V0Row[];
  readonly executor: Executor;
  readonly graphql: GraphqlEndpoint;
  readonly services: Services;
  readonly documents: Documents;
  readonly backend: BackendPages;
  readonly audit: Audit | null;
  readonly live: Live;
  readonly requests: RequestLifecycle;
  readonly countPublic: CountPublic;
  readonly cookies: Cookies;
  readonly budget: BudgetLimits;
  readonly readiness: Readiness;
  /** Null if there is none. */
  readonly basemap: BasemapFile | null;
}

export async function registerRoutes(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  const { config, paths, rows, executor, services, backend, audit, live, requests, budget } = options;
  const { publicUrl } = config;
  const { memory } = budget;
  const pages = paths.served.pages;
  const graphiql = config.graphiql ? { graphqlPath: GRAPHQL_PATH, ...backend.graphiql, pages } : null;
  app.decorate('servedPages', paths.served);

  const { errorStatus } = config.v0;
  await register(app, v0Routes, {
    ...{ rows, executor, requests, memory, publicUrl, errorStatus, audit },
  });
  await register(app, graphqlRoutes, { endpoint: options.graphql, live, requests, budget, graphiql });
  await backend.routes.register(app, {
    ...{ config, services, executor, requests, countPublic: options.countPublic, memory, budget },
    cookies: options.cookies,
    ...{ graphqlPath: GRAPHQL_PATH, basemap: options.basemap, pages },
  });
  if (graphiql !== null) await register(app, graphiqlRoutes, graphiql);
  await register(app, assetRoutes, {});
  await register(app, documentRoutes, {
    documents: options.documents,
    publicUrl,
    graphqlPath: GRAPHQL_PATH,
    graphiqlPath: config.graphiql ? GRAPHIQL_PATH : null,
    pages,
  });
  await register(app, startRoutes, {
    ...{ demoMap: services.demoMap, requests, served: paths.served, publicUrl },
    graphqlPath: GRAPHQL_PATH,
    mcpPath: paths.findAllowed(MCP_PATH) === null ? null : MCP_PATH,
    texts: backend.startPage,
  });
  await register(app, healthRoutes, options.readiness);
  for (const path of paths.pages) {
    app.options(path, (request, reply) => respondToOptions(request, reply, PAGE_METHODS));
  }
}
