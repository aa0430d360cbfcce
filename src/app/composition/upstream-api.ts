import { NO_ROUTES } from '../../http/routes/backend-routes.ts';
import { createTable } from '../../rest/table.ts';
import { createUpstreamPrivateSchema, createUpstreamSchema } from '../../upstream/graphql/schema.ts';
import { createUpstreamList } from '../../upstream/rest/locations-list.ts';
import type { UpstreamService } from '../../upstream/services/upstream-service.ts';
import { UPSTREAM_TEXTS } from '../../web/start-page.ts';
import { upstreamQueries } from '../../web/upstream-queries.ts';
import type { Config } from '../config.ts';
import type { BackendApi } from './application.ts';

export function createUpstreamApi({ v0 }: Config, upstream: UpstreamService): BackendApi {
  const schema = createUpstreamSchema(upstream);
  const rows = createTable(v0, createUpstreamList());
  return {
    schemas: {
      schema,
      privateSchema: createUpstreamPrivateSchema(schema, upstream),
      // JSON pages come from a store, and cannot carry the errors of fields that /v0 does not have.
      readsJsonPages: false,
    },
    rows,
    openApi: async (settings) =>
      (await import('../../upstream/rest/openapi.ts')).createUpstreamOpenApi(rows, settings),
    pages: {
      routes: NO_ROUTES,
      graphiql: { examples: upstreamQueries, hasViewer: false },
      startPage: UPSTREAM_TEXTS,
    },
  };
}
