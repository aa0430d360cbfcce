/** Custom scalars. Those of graphql-scalars are used if they change no value. The SDL has the descriptions. */

import type { GraphQLScalarType, ObjectFieldNode, ValueNode } from 'graphql';
import { GraphQLError, Kind, visit } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars';

import { readSpan } from '../domain/filter/instant.ts';

/** The parts of a scalar that are not in the SDL. */
type Scalar = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'> &
  Partial<Pick<GraphQLScalarType, 'specifiedByURL'>>;

/** Replaces the scalar's messages, which repeat the value: it may be a secret. */
function withRequirement(scalar: GraphQLScalarType, requirement: string): Scalar {
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

/** graphql-scalars rejects leap seconds, which RFC 3339 and dates in properties allow. */
function withLeapSeconds(scalar: Scalar): Scalar {
  return {
    ...scalar,
    parseValue: (value) => leapSecondIn(value) ?? scalar.parseValue(value),
    parseLiteral: (node, variables) =>
      (node.kind === Kind.STRING ? leapSecondIn(node.value) : null) ?? scalar.parseLiteral(node, variables),
  };
}

const LEAP_SECOND = /:60(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function leapSecondIn(value: unknown): Date | null {
  const span = typeof value === 'string' && LEAP_SECOND.test(value) ? readSpan(value) : null;
  return span === null ? null : new Date(span.first);
}

/** Resolvers return milliseconds since the epoch. */
const dateTime = withLeapSeconds(
  withRequirement(GraphQLDateTimeISO, 'An RFC 3339 date and time is required.'),
);

/**
 * graphql-scalars reads an enum name as undefined, and an absent variable named `constructor` as the inherited
 * property.
 */
function withPlainLiterals(scalar: Scalar): Scalar {
  return {
    ...scalar,
    parseLiteral(node, variables) {
      const given = { __proto__: null, ...variables };
      return scalar.parseLiteral(withoutAbsent(node, given), given);
    },
  };
}

const jsonObject = withPlainLiterals(withRequirement(GraphQLJSONObject, 'A JSON object is required.'));
const json = withPlainLiterals(withRequirement(GraphQLJSON, 'JSON is required.'));

/**
 * Omits object fields whose variable is absent, as the GraphQL specification prescribes for input objects. List items
 * become null.
 */
function withoutAbsent(literal: ValueNode, given: Readonly<Record<string, unknown>>): ValueNode {
  const isAbsent = (node: ValueNode): boolean =>
    node.kind === Kind.VARIABLE && given[node.name.value] === undefined;
  return visit(literal, {
    EnumValue(node) {
      throw new GraphQLError('JSON has no unquoted names.', { nodes: node });
    },
    ObjectField: ({ value }: ObjectFieldNode) => (isAbsent(value) ? null : undefined),
    Variable: (node) => (isAbsent(node) ? { kind: Kind.NULL } : undefined),
  });
}

/** graphql-scalars rounds to eight decimals, but a geocoder's double must stay unchanged. */
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
  JSON: json,
  JSONObject: jsonObject,
  Latitude: degrees('Latitude', 90),
  Longitude: degrees('Longitude', 180),
};
