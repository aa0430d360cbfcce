import type { GraphQLSchema } from 'graphql';

import type { Config } from '../config.ts';
import type { Documents } from '../../http/routes/document-routes.ts';
import type { V0Row } from '../../rest/table.ts';

/** Loaded when they are first asked for. */
export function documentsOf(config: Config, rows: readonly V0Row[], schema: GraphQLSchema): Documents {
  return {
    openApi: async () => {
      const { createOpenApi } = await import('../../rest/openapi/document.ts');
      return createOpenApi(rows, {
        mapProvider: config.v0.mapProvider,
        errorStatus: config.v0.errorStatus,
        fieldLimits: config.limits.fields,
        bodyLimit: config.bodyLimit,
        publicUrl: config.publicUrl,
        allowsOrigins: config.corsOrigins.length > 0,
        acceptsJwts: config.jwt !== null,
        inFrontOfUpstream: config.upstream.url !== null,
      });
    },
    sdl: async () => (await import('graphql')).printSchema(schema),
  };
}
