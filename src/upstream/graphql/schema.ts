/** The schema of a gateway: the same types, as far as /v0 has them. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { extendSchema, parse } from 'graphql';

import type { LocationRecord } from '../../domain/location.ts';
import type { ListPosition } from '../services/location-list.ts';
import { locationOf } from '../services/upstream-service.ts';
import { upstreamOf } from '../services/upstream-services.ts';
import type { RequestContext } from '../../graphql/context.ts';
import { resolvers } from '../../graphql/resolvers/index.ts';
import { scalars } from '../../graphql/scalars.ts';
import { FAST_START, readTypeDefs } from '../../graphql/schema.ts';
import { sizeOfLocations } from '../../graphql/limits/operation-budget.ts';
import { upstreamResolvers } from './resolvers.ts';
import { refusingResolvers, servedTypeDefs } from './served.ts';

export function createUpstreamSchema(): GraphQLSchema {
  const document = parse(readTypeDefs().join('\n'), { noLocation: true });
  return makeExecutableSchema({
    typeDefs: servedTypeDefs(document),
    resolvers: [scalars, resolvers, upstreamResolvers, refusingResolvers(document)],
    ...FAST_START,
  });
}

/** Field that lists a map's locations for /v0, where the map itself is not asked for. */
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

/** A copy with the fields that only our own documents ask for. For execution only: never show it to clients. */
export function createUpstreamPrivateSchema(schema: GraphQLSchema): GraphQLSchema {
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
      "Where the next page begins: a query of the upstream, and how much of its answer has been seen."
      type _V0Place {
        query: String!
        seen: Int!
      }
    `),
    FAST_START,
  );
  return makeExecutableSchema({
    typeDefs: extended,
    resolvers: { Query: { [V0_LOCATIONS]: listForV0 } },
    ...FAST_START,
  });
}

/** One page of the upstream, so that its validators are those of the answer. */
async function listForV0(
  _parent: unknown,
  { mapId, limit, query, seen }: V0LocationsArgs,
  { budget, scope, services }: RequestContext,
): Promise<V0Locations> {
  const position: ListPosition = { kind: seen === 0 ? 'page' : 'within', query, seen, lastId: null };
  const { items, isMore } = await budget.read(
    () => upstreamOf(services).listLocations(scope, mapId, position, limit, { fills: false }),
    (page) => sizeOfLocations(page.items.map(({ location }) => location)),
  );
  const end = items.at(-1)?.position ?? null;
  // Behind a full page of an upstream that shows no way on there is nothing to link to.
  const isLinked = end !== null && end.kind !== 'full' && (end.kind === 'page' || (await isMore()));
  return {
    nodes: items.map(({ location }) => locationOf(mapId, location)),
    next: isLinked ? end : null,
  };
}
