/** Custom scalars. Those of graphql-scalars are used when they change no value. The descriptions come from the SDL. */

import type { GraphQLScalarType, ObjectFieldNode, ValueNode } from 'graphql';
import { GraphQLError, Kind, visit } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars';

import { readSpan } from '../domain/filter/instant.ts';

/** The parts of a scalar that the SDL does not define. */
type Scalar = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'> &
  Partial<Pick<GraphQLScalarType, 'specifiedByURL'>>;

/** The scalar with other messages: the package's own repeat the value, which may be a secret. */
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

/** graphql-scalars refuses a leap second, which RFC 3339 has, and a property's date. */
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

/** Resolvers give milliseconds since the epoch. */
const dateTime = withLeapSeconds(
  withoutValues(GraphQLDateTimeISO, 'A date and time as of RFC 3339 is required.'),
);

/** graphql-scalars reads an enum's name as no value, and an absent variable `constructor` as what objects inherit. */
function withPlainLiterals(scalar: Scalar): Scalar {
  return {
    ...scalar,
    parseLiteral(node, variables) {
      const given = { __proto__: null, ...variables };
      return scalar.parseLiteral(withoutAbsent(node, given), given);
    },
  };
}

const jsonObject = withPlainLiterals(withoutValues(GraphQLJSONObject, 'A JSON object is required.'));
const json = withPlainLiterals(withoutValues(GraphQLJSON, 'JSON is required.'));

/**
 * Leaves out a member whose variable is absent, as the GraphQL specification says for input objects. Such an item of a
 * list is null.
 */
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

/** Ours, since graphql-scalars rounds degrees to eight decimals: a geocoder's double must come out unchanged. */
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
