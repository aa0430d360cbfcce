/**
 * The schema as a subgraph of Apollo Federation 2. A router composes what {@link subgraphSdl} says; the types that the
 * federation's specification adds for it are only in the schema that is executed.
 */

import type { ConstDirectiveNode, ObjectTypeDefinitionNode } from 'graphql';
import { parse, print, visit } from 'graphql';

/** What a router asks of every subgraph. */
export const FEDERATION_TYPE_DEFS = `
  """
  What a router knows of an entity: its type's name in \`__typename\`, and the fields of its key.
  """
  scalar _Any

  """
  What other subgraphs may refer to.
  """
  union _Entity = Map | Location

  """
  This subgraph.
  """
  type _Service {
    """
    The schema, with the federation's directives.
    """
    sdl: String!
  }

  extend type Query {
    """
    This subgraph, as a router composes it.
    """
    _service: _Service!

    """
    Entities in the order given. Null stands for one that is not there or not the caller's.
    """
    _entities(
      """
      What is known of each.
      """
      representations: [_Any!]!
    ): [_Entity]!
  }
`;

const LINK = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
`;

/** By type. In every subgraph that follows Relay a `PageInfo` is the same, so several may say what it is. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  Map: '@key(fields: "id")',
  Location: '@key(fields: "id")',
  PageInfo: '@shareable',
};

/** @param typeDefs of the schema that everybody sees */
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

/** @param text directives, as they stand behind a type's name */
function directivesOf(text: string): readonly ConstDirectiveNode[] {
  const [type] = parse(`type T ${text}`, { noLocation: true }).definitions as ObjectTypeDefinitionNode[];
  return type?.directives ?? [];
}
