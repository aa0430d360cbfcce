import type { ExecutorSchemas } from '../../graphql/execution/executor.ts';
import type { BackendPages } from '../../http/routes/backend-routes.ts';
import type { OpenApiSettings } from '../../rest/openapi/document.ts';
import type { OpenApiDocument } from '../../rest/openapi/openapi.ts';
import type { V0Row } from '../../rest/table.ts';

/** What the layers above the services differ in: over a store (store-api.ts), or in front of an upstream (upstream-api.ts). */
export interface BackendApi {
  readonly schemas: ExecutorSchemas;
  readonly rows: readonly V0Row[];
  openApi(settings: OpenApiSettings): Promise<OpenApiDocument>;
  readonly pages: BackendPages;
}
