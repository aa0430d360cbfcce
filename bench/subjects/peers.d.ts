/** The used types of the peers that only bench/ installs, so that the sources type-check without them. */

declare module 'mercurius' {
  import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
  import type { GraphQLSchema } from 'graphql';

  interface Options {
    schema: GraphQLSchema;
    /** Number of executions after which it compiles a query. */
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
    /** Radius of a cluster, in units of which a tile has `extent`. */
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
