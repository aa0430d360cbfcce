/** Custom scalars: graphql-scalars' where they keep values as they are, ours where they would change them. */

import type { ValueNode } from 'graphql';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTime, GraphQLJSONObject } from 'graphql-scalars';

import type { JsonValue } from '../domain/json.ts';
import { isJsonObject } from '../domain/json.ts';

/**
 * graphql-scalars' JSONObject, but that its message does not repeat the value, which may be large, and that a member
 * of a literal whose variable is not given is left out, as the GraphQL specification says of input objects.
 */
const jsonObject = new GraphQLScalarType({
  ...GraphQLJSONObject.toConfig(),
  parseValue(value) {
    if (!isJsonObject(value)) throw new GraphQLError('A JSON object is required.');
    return value;
  },
  parseLiteral(node, variables) {
    const value = parseJsonLiteral(node, variables ?? {});
    if (!isJsonObject(value)) throw new GraphQLError('A JSON object is required.', { nodes: node });
    return value;
  },
});

function parseJsonLiteral(node: ValueNode, variables: Record<string, unknown>): JsonValue | undefined {
  switch (node.kind) {
    case Kind.VARIABLE:
      return Object.hasOwn(variables, node.name.value)
        ? (variables[node.name.value] as JsonValue | undefined)
        : undefined;
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.ENUM:
      throw new GraphQLError(`JSON has no name ${node.value}; a string stands in quotes.`, { nodes: node });
    case Kind.LIST:
      return node.values.map((item) => parseJsonLiteral(item, variables) ?? null);
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields
          .map(({ name, value }) => [name.value, parseJsonLiteral(value, variables)] as const)
          .filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined),
      );
  }
}

/** graphql-scalars' own round to 8 decimals; a geocoder's double must come out as it went in. */
function degrees(name: string, limit: number): GraphQLScalarType {
  const check = (value: unknown): number => {
    if (typeof value !== 'number' || !(Math.abs(value) <= limit)) {
      throw new GraphQLError(`${name} must be a number of degrees from -${limit} to ${limit}.`);
    }
    return value;
  };
  return new GraphQLScalarType({
    name,
    serialize: check,
    parseValue: check,
    parseLiteral: (node) =>
      check(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
  });
}

export const scalars = {
  DateTime: GraphQLDateTime,
  JSONObject: jsonObject,
  Latitude: degrees('Latitude', 90),
  Longitude: degrees('Longitude', 180),
};
