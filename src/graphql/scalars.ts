/** Custom scalars: graphql-scalars' where it changes no value. Their descriptions are the SDL's. */

import type { GraphQLScalarType, ObjectFieldNode, ValueNode } from 'graphql';
import { GraphQLError, Kind, visit } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSONObject } from 'graphql-scalars';

/** What the SDL does not say of a scalar. */
type Scalar = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'> &
  Partial<Pick<GraphQLScalarType, 'specifiedByURL'>>;

/** The package's messages repeat what they refuse, which may be a secret. */
function withoutValues(scalar: GraphQLScalarType, requirement: string): Scalar {
  const attempt = <T>(parse: () => T, nodes?: ValueNode): T => {
    try {
      return parse();
    } catch {
      throw new GraphQLError(requirement, { nodes });
    }
  };
  return {
    specifiedByURL: scalar.specifiedByURL,
    serialize: scalar.serialize,
    parseValue: (value) => attempt(() => scalar.parseValue(value)),
    parseLiteral: (node, variables) => attempt(() => scalar.parseLiteral(node, variables), node),
  };
}

/** Its resolvers give milliseconds since the epoch. */
const dateTime = withoutValues(GraphQLDateTimeISO, 'A date and time as of RFC 3339 is required.');

const plainJsonObject = withoutValues(GraphQLJSONObject, 'A JSON object is required.');

/** graphql-scalars takes a name for nothing, and a variable `constructor` that is not given for what objects inherit. */
const jsonObject: Scalar = {
  ...plainJsonObject,
  parseLiteral(node, variables) {
    const given = { __proto__: null, ...variables };
    return plainJsonObject.parseLiteral(withoutAbsent(node, given), given);
  },
};

/** A member whose variable is not given is left out, as the GraphQL specification says of input objects; an item is null. */
function withoutAbsent(literal: ValueNode, given: Readonly<Record<string, unknown>>): ValueNode {
  const isAbsent = (node: ValueNode): boolean =>
    node.kind === Kind.VARIABLE && given[node.name.value] === undefined;
  return visit(literal, {
    EnumValue(node) {
      throw new GraphQLError('JSON has no names without quotes.', { nodes: node });
    },
    ObjectField: ({ value }: ObjectFieldNode) => (isAbsent(value) ? null : undefined),
    Variable: (node) => (isAbsent(node) ? { kind: Kind.NULL } : undefined),
  });
}

/** graphql-scalars rounds degrees to eight decimals; a geocoder's double comes out as it went in. */
function degrees(name: string, limit: number): Scalar {
  const check = (value: unknown): number => {
    if (typeof value !== 'number' || !(Math.abs(value) <= limit)) {
      throw new GraphQLError(`${name} must be a number of degrees from -${limit} to ${limit}.`);
    }
    return value;
  };
  return {
    serialize: check,
    parseValue: check,
    parseLiteral: (node) =>
      check(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
  };
}

export const scalars = {
  DateTime: dateTime,
  JSONObject: jsonObject,
  Latitude: degrees('Latitude', 90),
  Longitude: degrees('Longitude', 180),
};
