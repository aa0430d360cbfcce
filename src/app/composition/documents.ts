import type { Config } from '../config.ts';
import type { Documents } from '../../http/routes/document-routes.ts';
import type { BackendApi } from './backend-api.ts';

/** Loaded when they are first asked for. */
export function documentsOf(config: Config, api: BackendApi): Documents {
  return {
    openApi: () =>
      api.openApi({
        mapProvider: config.v0.mapProvider,
        errorStatus: config.v0.errorStatus,
        fieldLimits: config.limits.fields,
        bodyLimit: config.bodyLimit,
        publicUrl: config.publicUrl,
        allowsOrigins: config.corsOrigins.length > 0,
        acceptsJwts: config.jwt !== null,
      }),
    sdl: async () => (await import('graphql')).printSchema(api.schemas.schema),
  };
}
