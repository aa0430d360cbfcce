/**
 * Resolvers that a federation router calls: the subgraph's schema, and entities by key. Written by hand, since
 * `@apollo/subgraph` adds a marker to the entities, and ours are cached across requests; a test compares both.
 */

import { parseNodeId } from '../../domain/ids.ts';
import { badUserInput } from '../../errors.ts';
import { requireCaller } from '../../services/caller.ts';
import type { RequestContext } from '../context.ts';
import { findNode, nodeResolvers } from '../resolvers/node.ts';
import type { NodeSource } from '../source-types.ts';

/** The types of entities, by kind of id. */
const TYPES = { map: 'Map', location: 'Location' } as const;

interface EntitiesArgs {
  readonly representations: readonly unknown[];
}

/** @param sdl schema with federation directives */
export function federationResolvers(sdl: string) {
  return {
    Query: {
      _service: () => ({ sdl }),
      _entities: (_parent: unknown, { representations }: EntitiesArgs, context: RequestContext) =>
        findEntities(representations, context),
    },
    _Entity: { __resolveType: nodeResolvers.Node.__resolveType },
  };
}

async function findEntities(
  representations: readonly unknown[],
  context: RequestContext,
): Promise<(NodeSource | null)[]> {
  requireCaller(context.scope.caller);
  const ids = representations.map(idOf);
  context.budget.reserveRows(ids.length);
  return Promise.all(ids.map(async (id) => (id === null ? null : findNode(id, context))));
}

/** Null for an id of another type. */
function idOf(representation: unknown, index: number): string | null {
  const { __typename: type, id } = { ...(representation as Readonly<Record<string, unknown>> | null) };
  const name = `representations[${index}]`;
  if (type !== TYPES.map && type !== TYPES.location)
    throw badUserInput(`${name}.__typename must be ${TYPES.map} or ${TYPES.location}.`);
  if (typeof id !== 'string') throw badUserInput(`${name}.id must be a string.`);
  const node = parseNodeId(id);
  return node !== null && TYPES[node.kind] === type ? id : null;
}
