/** The peers that only bench/ installs, as far as they are used, so that the sources check without them. */

declare module 'mercurius' {
  import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
  import type { GraphQLSchema } from 'graphql';

  interface Options {
    schema: GraphQLSchema;
    /** Compiles a query after so many executions. */
    jit?: number;
    graphiql?: boolean;
    context?: (request: FastifyRequest) => object;
  }
  const mercurius: FastifyPluginAsync<Options>;
  export default mercurius;
}

declare module '@as-integrations/fastify' {
  import type { ApolloServer, BaseContext } from '@apollo/server';
  import type { FastifyPluginAsync, FastifyRequest } from 'fastify';

  interface Options<Context> {
    context: (request: FastifyRequest) => Promise<Context>;
  }
  export default function fastifyApollo<Context extends BaseContext>(
    apollo: ApolloServer<Context>,
  ): FastifyPluginAsync<Options<Context>>;
}

declare module 'supercluster' {
  interface Feature {
    type: 'Feature';
    geometry: { type: 'Point'; coordinates: [number, number] };
    properties: object;
  }

  interface Options {
    /** Of a cluster, in units of which a tile has `extent`. */
    radius?: number;
    extent?: number;
    maxZoom?: number;
  }

  export default class Supercluster {
    constructor(options?: Options);
    load(points: readonly Feature[]): this;
    getClusters(box: [west: number, south: number, east: number, north: number], zoom: number): Feature[];
  }
}
