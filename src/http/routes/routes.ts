/** Registers the routes, each group as a plugin with its own error handler. A gateway serves no pages of maps. */

import type { FastifyInstance } from 'fastify';

import type { Config } from '../../app/config.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoint.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { V0Row } from '../../rest/table.ts';
import type { Audit } from '../../services/audit/audit.ts';
import type { Services } from '../../services/services.ts';
import { exampleQueries } from '../../web/example-queries.ts';
import type { ServedPages } from '../../web/pages.ts';
import { CONSOLE_PATH, GRAPHIQL_PATH, servedPages } from '../../web/pages.ts';
import { upstreamQueries } from '../../web/upstream-queries.ts';
import { respondToOptions } from '../cors.ts';
import type { Live } from '../live/live.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import type { FindAllowed } from './allowed-methods.ts';
import {
  createAllowedMethods,
  EXPORT_METHODS,
  GRAPHQL_METHODS,
  methodsByPath,
  PAGE_METHODS,
} from './allowed-methods.ts';
import { assetRoutes } from './asset-routes.ts';
import { consoleRoutes } from './console-routes.ts';
import type { Documents } from './document-routes.ts';
import { DOCUMENT_PATHS, documentRoutes } from './document-routes.ts';
import { EXPORT_PATHS, exportRoutes } from './export-routes.ts';
import { graphiqlRoutes } from './graphiql-routes.ts';
import { GRAPHQL_PATH, graphqlRoutes } from './graphql-routes.ts';
import type { Readiness } from './health-routes.ts';
import { healthRoutes, PROBES } from './health-routes.ts';
import { MAP_PAGE_PATH, mapPageRoutes } from './map-page-routes.ts';
import { OEMBED_PATH, oembedRoutes } from './oembed-routes.ts';
import { PICTURE_PATH, pictureRoutes } from './picture-routes.ts';
import type { CountPublic } from './public-requests.ts';
import { startRoutes } from './start-routes.ts';
import { v0Routes } from './v0-routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly servedPages: ServedPages;
  }
}

export interface RoutePaths {
  readonly findAllowed: FindAllowed;
  /** Paths that allow {@link PAGE_METHODS}. */
  readonly pages: readonly string[];
  readonly served: ServedPages;
}

/** The paths that exist. A gateway lacks those that /v0 cannot serve. */
export function routePaths(config: Config, rows: readonly V0Row[], isGateway: boolean): RoutePaths {
  const pages = [
    ...PROBES,
    ...(config.graphiql ? [GRAPHIQL_PATH] : []),
    ...DOCUMENT_PATHS,
    ...(isGateway ? [] : [CONSOLE_PATH, MAP_PAGE_PATH, PICTURE_PATH, OEMBED_PATH]),
  ];
  const findAllowed = createAllowedMethods(
    new Map([
      ...methodsByPath(rows),
      [GRAPHQL_PATH, GRAPHQL_METHODS],
      ...(isGateway ? [] : EXPORT_PATHS).map((path) => [path, EXPORT_METHODS] as const),
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
  readonly audit: Audit | null;
  readonly live: Live;
  readonly requests: RequestLifecycle;
  readonly countPublic: CountPublic;
  readonly budget: BudgetLimits;
  readonly readiness: Readiness;
}

export async function registerRoutes(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  const { config, paths, rows, executor, services, audit, live, requests, budget } = options;
  const { publicUrl } = config;
  const { memory } = budget;
  const isGateway = services.upstream !== null;
  const pages = paths.served.pages;
  const examples = isGateway ? upstreamQueries : exampleQueries;
  const graphiql = config.graphiql
    ? { graphqlPath: GRAPHQL_PATH, examples, hasViewer: !isGateway, pages }
    : null;
  app.decorate('servedPages', paths.served);

  const { errorStatus } = config.v0;
  await register(app, v0Routes, {
    ...{ rows, executor, requests, memory, publicUrl, errorStatus, audit, inFrontOfUpstream: isGateway },
  });
  await register(app, graphqlRoutes, { endpoint: options.graphql, live, requests, budget, graphiql });
  if (!isGateway) await registerMapPages(app, options);
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
    inFrontOfUpstream: isGateway,
  });
  await register(app, healthRoutes, options.readiness);
  for (const path of paths.pages) {
    app.options(path, (request, reply) => respondToOptions(request, reply, PAGE_METHODS));
  }
}

/** Exports, public map pages with their pictures and oEmbed, and the console. */
async function registerMapPages(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  const { config, executor, services, requests, countPublic, paths } = options;
  const { publicUrl, mapPage: settings } = config;
  const { memory } = options.budget;
  const publicOptions = { executor, requests, countPublic, memory, publicUrl };
  await register(app, exportRoutes, { exports: services.exports, requests, countPublic, memory });
  await register(app, mapPageRoutes, { ...publicOptions, graphqlPath: GRAPHQL_PATH, settings });
  await register(app, pictureRoutes, publicOptions);
  await register(app, oembedRoutes, publicOptions);
  await register(app, consoleRoutes, { graphqlPath: GRAPHQL_PATH, settings, pages: paths.served.pages });
}

/** Registers routes in a scope of their own, so that their hooks and error handler apply to them only. */
async function register<Options>(
  app: FastifyInstance,
  routes: (scope: FastifyInstance, options: Options) => void,
  options: Options,
): Promise<void> {
  await app.register((scope, _options, done) => {
    routes(scope, options);
    done();
  });
}
