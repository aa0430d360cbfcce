/** Coerces variables as graphql-js does, and those of built-in types without its general way through the type. */

import type { GraphQLSchema, VariableDefinitionNode } from 'graphql';
import { getVariableValues, Kind } from 'graphql';

import type { VariableValues } from './document.ts';

/** Maximum listed errors of variables. graphql-js repeats the value in each, however long. */
export const MAX_VARIABLE_ERRORS = 5;

type Coerced = ReturnType<typeof getVariableValues>;

const MAX_INT = 2 ** 31;

/** Values that these types accept and keep as they are. */
const KEPT: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['ID', (value) => typeof value === 'string'],
  ['String', (value) => typeof value === 'string'],
  ['Boolean', (value) => typeof value === 'boolean'],
  [
    'Int',
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= -MAX_INT && value < MAX_INT,
  ],
]);

/** Coerces the variables of one operation. The result has errors where graphql-js has them. */
export function createVariableCoercion(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (given: VariableValues) => Coerced {
  const checks = definitions.map(({ variable, type }) => {
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    const isKept = named.kind === Kind.NAMED_TYPE ? KEPT.get(named.name.value) : undefined;
    return isKept && { name: variable.name.value, isKept };
  });
  const known = checks.filter((check) => check !== undefined);
  const coerce = (given: VariableValues) =>
    getVariableValues(schema, definitions, given, { maxErrors: MAX_VARIABLE_ERRORS });
  if (known.length < definitions.length) return coerce;
  return (given) => {
    const coerced: Record<string, unknown> = {};
    for (const { name, isKept } of known) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      // Also for absent values, which may be null or have a default.
      if (!isKept(value)) return coerce(given);
      coerced[name] = value;
    }
    return { coerced };
  };
}
