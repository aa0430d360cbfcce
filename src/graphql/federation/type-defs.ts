/**
 * The schema as an Apollo Federation 2 subgraph. A router composes {@link subgraphSdl}; the types that the federation
 * specification adds for the router exist only in the executed schema.
 */

import type { ConstDirectiveNode, ObjectTypeDefinitionNode } from 'graphql';
import { parse, print, visit } from 'graphql';

/** Types and fields that every subgraph has. */
export const FEDERATION_TYPE_DEFS = `
  """
  What a router knows about an entity: its type in \`__typename\`, and its key fields.
  """
  scalar _Any

  """
  The types that other subgraphs may refer to.
  """
  union _Entity = Map | Location

  """
  This subgraph.
  """
  type _Service {
    """
    The schema with federation directives.
    """
    sdl: String!
  }

  extend type Query {
    """
    The subgraph that a router composes.
    """
    _service: _Service!

    """
    Entities in the given order; null for one that does not exist or has another owner.
    """
    _entities(
      """
      What the router knows about each entity.
      """
      representations: [_Any!]!
    ): [_Entity]!
  }
`;

const LINK = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
`;

/** By type. `PageInfo` is the same in every Relay subgraph, so several may define it. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  Map: '@key(fields: "id")',
  Location: '@key(fields: "id")',
  PageInfo: '@shareable',
};

/** @param typeDefs of the public schema */
export function subgraphSdl(typeDefs: readonly string[]): string {
  const document = parse([...typeDefs, LINK].join('\n'), { noLocation: true });
  return print(
    visit(document, {
      ObjectTypeDefinition(type) {
        const directives = DIRECTIVES[type.name.value];
        return directives === undefined ? undefined : { ...type, directives: directivesOf(directives) };
      },
    }),
  );
}

/** @param text directives, as written after a type's name */
function directivesOf(text: string): readonly ConstDirectiveNode[] {
  const [type] = parse(`type T ${text}`, { noLocation: true }).definitions as ObjectTypeDefinitionNode[];
  return type?.directives ?? [];
}
