/** Values for the inputs of a schema, mostly valid. */

import fc from 'fast-check';
import type { GraphQLInputType } from 'graphql';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

import type { ArgumentValues } from './operation-arbitrary.ts';

/** Deep enough for every input that is not recursive. */
const MAX_DEPTH = 3;

/** Ordinary texts, and texts that are hard to store, compare or escape. */
const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    'A place',
    '10',
    '1.5',
    '-2',
    '007',
    'é',
    'e\u0301',
    '\u0000',
    '\n',
    '\ud800',
    '🌍',
    '__proto__',
  ],
  ...[
    'constructor',
    '$where',
    'a.b',
    '"; DROP TABLE maps',
    'x'.repeat(257),
    '2026-01-31',
    '2026-01-31T12:00:00Z',
  ],
];
const NUMBERS = [
  0,
  1,
  -1,
  2,
  100,
  101,
  1_000,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  0.1,
  1e-7,
  1e308,
  90,
  180,
  181,
];
const anything = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, ...NUMBERS, true, false, null),
  fc.jsonValue({ maxDepth: 2 }),
);

type ValueOf = (type: GraphQLInputType, name: string, depth: number) => fc.Arbitrary<unknown>;

/**
 * @param values to use, by the name of a member or of its type
 * @returns a function that returns the arbitrary of a type; memoized, since inputs are recursive
 */
export function inputArbitraries(values: ArgumentValues): (type: GraphQLInputType) => fc.Arbitrary<unknown> {
  const made = new Map<string, fc.Arbitrary<unknown>>();
  const valueOf: ValueOf = (type, name, depth) => {
    const key = `${type.toString()} ${name} ${depth}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const good = goodValueOf(type, values, name, depth, valueOf);
    const orNull = isNonNullType(type) ? good : fc.option(good, { freq: 8 });
    const arbitrary = fc.oneof({ weight: 150, arbitrary: orNull }, { weight: 1, arbitrary: anything });
    made.set(key, arbitrary);
    return arbitrary;
  };
  return (type) => valueOf(type, '', MAX_DEPTH);
}

function goodValueOf(
  type: GraphQLInputType,
  values: ArgumentValues,
  name: string,
  depth: number,
  valueOf: ValueOf,
): fc.Arbitrary<unknown> {
  const named = getNamedType(type);
  const nullable = getNullableType(type);
  const known = values[name] ?? values[named.name];
  if (known !== undefined) return fc.constantFrom(...known);
  if (isListType(nullable)) {
    return fc.array(valueOf(nullable.ofType, '', depth), { maxLength: 3 });
  }
  if (isEnumType(named)) return fc.constantFrom(...named.getValues().map((value) => value.name));
  if (isInputObjectType(named)) {
    if (depth === 0) return fc.constant({});
    const fields = Object.values(named.getFields());
    return fc.record(
      Object.fromEntries(fields.map((field) => [field.name, valueOf(field.type, field.name, depth - 1)])),
      { requiredKeys: fields.filter((field) => isNonNullType(field.type)).map((field) => field.name) },
    );
  }
  switch (named.name) {
    case 'Boolean':
      return fc.boolean();
    case 'Int':
      return fc.oneof(fc.integer({ min: -1, max: 110 }), fc.constantFrom(...NUMBERS));
    case 'Float':
    case 'Latitude':
    case 'Longitude':
      return fc.oneof(fc.double({ min: -91, max: 91, noNaN: true }), fc.constantFrom(...NUMBERS));
    case 'DateTime':
      return fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.constantFrom(...TEXTS),
      );
    case 'JSONObject':
      return fc.oneof(
        fc.constantFrom(
          { Name: 'N', Address: 'A' },
          { Name: 'M', Address: 'unknown: A', more: [1, { a: null }] },
        ),
        fc.dictionary(fc.constantFrom('Name', 'Address', 'a', 'b'), anything, { maxKeys: 4 }),
      );
    default:
      return fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme', maxLength: 10 }));
  }
}
