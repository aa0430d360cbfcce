/**
 * What a router asks of a subgraph: its schema, and entities by their keys. By hand, since `@apollo/subgraph` marks the
 * entities that it is given, and ours are kept for other requests; a test compares the two.
 */

import { parseNodeId } from '../../domain/ids.ts';
import { badUserInput } from '../../errors.ts';
import { requireCaller } from '../../services/caller.ts';
import type { RequestContext } from '../context.ts';
import { findNode } from '../find-node.ts';
import { Node } from '../resolvers/Node.ts';
import type { NodeSource } from '../sources.ts';

/** The types of entities, by what their ids stand for. */
const TYPES = { map: 'Map', location: 'Location' } as const;

interface EntitiesArgs {
  readonly representations: readonly unknown[];
}

/** @param sdl the schema with the federation's directives */
export function federationResolvers(sdl: string) {
  return {
    Query: {
      _service: () => ({ sdl }),
      _entities: (_parent: unknown, { representations }: EntitiesArgs, context: RequestContext) =>
        findEntities(representations, context),
    },
    _Entity: { __resolveType: Node.__resolveType },
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

/** Null for an id that stands for none of its type. */
function idOf(representation: unknown, index: number): string | null {
  const { __typename: type, id } = { ...(representation as Readonly<Record<string, unknown>> | null) };
  const name = `representations[${index}]`;
  if (type !== TYPES.map && type !== TYPES.location)
    throw badUserInput(`${name}.__typename must be ${TYPES.map} or ${TYPES.location}.`);
  if (typeof id !== 'string') throw badUserInput(`${name}.id must be a string.`);
  const node = parseNodeId(id);
  return node !== null && TYPES[node.kind] === type ? id : null;
}
