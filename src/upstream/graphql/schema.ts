/** The schema of a gateway: the same types, restricted to what /v0 has. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { extendSchema, parse } from 'graphql';

import type { LocationRecord } from '../../domain/location.ts';
import type { ListPosition } from '../services/location-list.ts';
import type { UpstreamService } from '../services/upstream-service.ts';
import { locationOf } from '../services/upstream-service.ts';
import type { RequestContext } from '../../graphql/context.ts';
import { resolvers } from '../../graphql/resolvers/index.ts';
import { scalars } from '../../graphql/scalars.ts';
import { FAST_START, readTypeDefs } from '../../graphql/schema.ts';
import { sizeOfLocations } from '../../graphql/limits/operation-budget.ts';
import { createUpstreamResolvers } from './resolvers.ts';
import { refusingResolvers, servedTypeDefs } from './served.ts';

export function createUpstreamSchema(upstream: UpstreamService): GraphQLSchema {
  const document = parse(readTypeDefs().join('\n'), { noLocation: true });
  return makeExecutableSchema({
    typeDefs: servedTypeDefs(document),
    resolvers: [scalars, resolvers, createUpstreamResolvers(upstream), refusingResolvers(document)],
    ...FAST_START,
  });
}

/** Field that lists a map's locations for /v0 without requesting the map. */
export const V0_LOCATIONS = '_v0Locations';

interface V0LocationsArgs {
  readonly mapId: string;
  readonly limit: number;
  readonly query: string;
  readonly seen: number;
}

interface V0Locations {
  readonly nodes: readonly LocationRecord[];
  readonly next: ListPosition | null;
}

/** A copy with fields for our own documents. For execution only: never show it to clients. */
export function createUpstreamPrivateSchema(schema: GraphQLSchema, upstream: UpstreamService): GraphQLSchema {
  const extended = extendSchema(
    schema,
    parse(`
      extend type Query {
        ${V0_LOCATIONS}(mapId: ID!, limit: Int!, query: String!, seen: Int!): _V0Locations!
      }
      type _V0Locations {
        nodes: [Location!]!
        next: _V0Place
      }
      "Start of the next page: a query of the upstream, and the number of locations to skip in its response."
      type _V0Place {
        query: String!
        seen: Int!
      }
    `),
    FAST_START,
  );
  return makeExecutableSchema({
    typeDefs: extended,
    resolvers: {
      Query: {
        [V0_LOCATIONS]: (_parent: unknown, args: V0LocationsArgs, context: RequestContext) =>
          listForV0(upstream, args, context),
      },
    },
    ...FAST_START,
  });
}

/** Reads one page of the upstream, so that its validators are those of our response. */
async function listForV0(
  upstream: UpstreamService,
  { mapId, limit, query, seen }: V0LocationsArgs,
  { budget, scope }: RequestContext,
): Promise<V0Locations> {
  const position: ListPosition = { kind: seen === 0 ? 'page' : 'within', query, seen, lastId: null };
  const { items, isMore } = await budget.read(
    () => upstream.listLocations(scope, mapId, position, limit, { fills: false }),
    (page) => sizeOfLocations(page.items.map(({ location }) => location)),
  );
  const end = items.at(-1)?.position ?? null;
  // After a full page, an upstream without links and orders has no address for the next one.
  const isLinked = end !== null && end.kind !== 'full' && (end.kind === 'page' || (await isMore()));
  return {
    nodes: items.map(({ location }) => locationOf(mapId, location)),
    next: isLinked ? end : null,
  };
}
