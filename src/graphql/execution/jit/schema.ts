/** The schema as graphql-jit needs it: with a type for values that are already coerced. */

import { GraphQLScalarType, GraphQLSchema } from 'graphql';

/** The type of every variable that graphql-jit is given. It passes values on unchanged. */
export const ARGUMENT_TYPE = 'CoercedArgument';

export function toJitSchema(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  return new GraphQLSchema({
    ...config,
    types: [...config.types, new GraphQLScalarType({ name: ARGUMENT_TYPE })],
  });
}
