import { createPrivateSchema, createSchema } from '../../graphql/schema.ts';
import { STORE_ROUTES } from '../../http/routes/backend-routes.ts';
import { createStoreList } from '../../rest/locations-page.ts';
import { createTable } from '../../rest/table.ts';
import { exampleQueries } from '../../web/example-queries.ts';
import { STORE_TEXTS } from '../../web/start-page.ts';
import type { Config } from '../config.ts';
import type { BackendApi } from './application.ts';

export function createStoreApi({ graphql, v0 }: Config): BackendApi {
  const schema = createSchema({ federation: graphql.federation });
  const rows = createTable(v0, createStoreList());
  return {
    schemas: { schema, privateSchema: createPrivateSchema(schema) },
    rows,
    openApi: async (settings) =>
      (await import('../../rest/openapi/document.ts')).createOpenApi(rows, settings),
    pages: {
      routes: STORE_ROUTES,
      graphiql: { examples: exampleQueries, hasViewer: true },
      startPage: STORE_TEXTS,
    },
  };
}
