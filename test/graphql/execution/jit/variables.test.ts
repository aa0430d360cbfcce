import fc from 'fast-check';
import { getVariableValues, Kind, parse } from 'graphql';

import {
  createVariableCoercion,
  MAX_VARIABLE_ERRORS,
} from '../../../../src/graphql/execution/jit/variables.ts';
import { createSchema } from '../../../../src/graphql/schema.ts';

const TYPES = ['ID', 'ID!', 'String', 'String!', 'Int', 'Int! = 7', 'Boolean = false', 'Float', '[ID!]!'];

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(
    null,
    undefined,
    2 ** 31,
    -(2 ** 31),
    -(2 ** 31) - 1,
    1.5,
    -0,
    Number.NaN,
    'null',
    ['x'],
    {},
  ),
);

describe('createVariableCoercion', () => {
  const schema = createSchema();
  const definitionsOf = (types: readonly string[]) => {
    const variables = types.map((type, index) => `$v${index}: ${type}`).join(', ');
    const [operation] = parse(`query (${variables}) { __typename }`).definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    return operation.variableDefinitions ?? [];
  };

  it('coerces as graphql-js does, with the same errors', () => {
    const names = fc.constantFrom('v0', 'v1', 'v2', 'constructor', '__proto__');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
        fc.dictionary(names, value),
        (types, given) => {
          const definitions = definitionsOf(types);
          const expected = getVariableValues(schema, definitions, given, { maxErrors: MAX_VARIABLE_ERRORS });
          expect(createVariableCoercion(schema, definitions)(given)).toEqual(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('reads no inherited member as a value', () => {
    const [definition] = parse('query ($constructor: String) { __typename }').definitions;
    if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    expect(createVariableCoercion(schema, definition.variableDefinitions ?? [])({})).toEqual({ coerced: {} });
  });
});
