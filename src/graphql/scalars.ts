/** Custom scalars. graphql-scalars' change some values, repeat others in messages, and take as long to load as graphql-js. */

import type { ValueNode } from 'graphql';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

import type { JsonObject, JsonValue } from '../domain/json.ts';
import { isJsonObject } from '../domain/json.ts';

/** Milliseconds since the epoch, as RFC 3339 in UTC. No argument takes one. */
const dateTime = new GraphQLScalarType<never, string>({
  name: 'DateTime',
  serialize(value) {
    if (typeof value !== 'number') throw new TypeError('A time must be milliseconds since the epoch.');
    return new Date(value).toISOString();
  },
  parseValue: refuseTime,
  parseLiteral: refuseTime,
});

function refuseTime(): never {
  throw new GraphQLError('No argument is a DateTime.');
}

function requireObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new GraphQLError('A JSON object is required.');
  return value;
}

/** A member of a literal whose variable is not given is left out, as the GraphQL specification says of input objects. */
const jsonObject = new GraphQLScalarType({
  name: 'JSONObject',
  specifiedByURL: 'http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf',
  serialize: requireObject,
  parseValue: requireObject,
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

/** A geocoder's double comes out as it went in. */
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
  DateTime: dateTime,
  JSONObject: jsonObject,
  Latitude: degrees('Latitude', 90),
  Longitude: degrees('Longitude', 180),
};
