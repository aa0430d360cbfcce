/** The executable schema: the SDL of `schema/`, which is shipped beside the code, and the resolvers. */

import { readdirSync, readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { isScalarType } from 'graphql';

import { JSON_PAGES_SDL, jsonPageResolvers } from './json-pages/schema.ts';
import { resolvers } from './resolvers/index.ts';

/** The same relative place from src/graphql and from dist/graphql. */
const SCHEMA_FOLDER = new URL('../../schema/', import.meta.url);

export function readTypeDefs(): string[] {
  return readdirSync(SCHEMA_FOLDER)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8'));
}

export function createSchema(): GraphQLSchema {
  return makeSchema(readTypeDefs(), resolvers);
}

/** The same with the fields that pages as JSON are read through: for execution alone, never to be shown. */
export function createJsonPagesSchema(): GraphQLSchema {
  return makeSchema([...readTypeDefs(), JSON_PAGES_SDL], {
    ...resolvers,
    _Json: jsonPageResolvers._Json,
    Map: { ...resolvers.Map, ...jsonPageResolvers.Map },
    LocationConnection: { ...resolvers.LocationConnection, ...jsonPageResolvers.LocationConnection },
  });
}

function makeSchema(
  typeDefs: string[],
  implemented: Parameters<typeof makeExecutableSchema>[0]['resolvers'],
): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs,
    resolvers: implemented,
    inheritResolversFromInterfaces: false,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  });
  // A scalar's implementation brings its own description, or none, in the place of the SDL's.
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type)) type.description = type.astNode?.description?.value ?? type.description;
  }
  return schema;
}
