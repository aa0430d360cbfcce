/** Refetching by global id: Relay's object identification. */

import { parseNodeId } from '../../domain/ids.ts';
import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import type { ErrorCode } from '../../errors.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import { requireCaller } from '../../services/caller.ts';
import type { RequestContext } from '../context.ts';
import type { Resolvers } from '../generated/schema.ts';
import type { NodeSource } from '../source-types.ts';

export const nodeResolvers = {
  Query: {
    node: (_parent, { id }, context) => {
      requireCaller(context.scope.caller);
      return findNode(id, context);
    },

    nodes: async (_parent, { ids }, context) => {
      requireCaller(context.scope.caller);
      if (ids.length > MAX_PAGE_SIZE) {
        throw badUserInput(`ids has ${ids.length} items; at most ${MAX_PAGE_SIZE} are allowed.`);
      }
      context.budget.reserveRows(ids.length);
      return Promise.all(ids.map((id) => findNode(id, context)));
    },
  },

  Node: {
    __resolveType: (source) => ('mapId' in source ? 'Location' : 'Map'),
  },
} satisfies Resolvers;

const ABSENT: readonly ErrorCode[] = ['MAP_NOT_FOUND', 'MAP_DELETED', 'LOCATION_NOT_FOUND'];

/** Null for an unknown id, and for an object of another owner. */
export async function findNode(id: string, { loaders }: RequestContext): Promise<NodeSource | null> {
  const node = parseNodeId(id);
  if (node === null) return null;
  try {
    const map = await loaders.maps.load(node.mapId);
    return node.kind === 'map' ? map : await loaders.locations.load({ map, id });
  } catch (error) {
    if (error instanceof ServiceError && ABSENT.includes(error.code)) return null;
    throw error;
  }
}
