/** The executable schema: the SDL of `schema/`, which ships with the code, and the resolvers. */

import { readdirSync, readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { extendSchema, parse } from 'graphql';

import { fileOfPackage } from '../lib/package-files.ts';
import { federationResolvers } from './federation/resolvers.ts';
import { FEDERATION_TYPE_DEFS, subgraphSdl } from './federation/type-defs.ts';
import { privateResolvers, privateTypeDefs } from './execution/json-pages/private-schema.ts';
import { resolvers } from './resolvers/index.ts';
import { scalars } from './scalars.ts';

const SCHEMA_FOLDER = fileOfPackage('schema/');

export function readTypeDefs(): string[] {
  return readdirSync(SCHEMA_FOLDER)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8'));
}

export interface SchemaOptions {
  /** Whether an Apollo Federation router may use it as a subgraph. */
  readonly federation?: boolean;
}

/** @throws Error for a resolver without a field in the schema */
export function createSchema({ federation = false }: SchemaOptions = {}): GraphQLSchema {
  const typeDefs = readTypeDefs();
  return makeExecutableSchema({
    typeDefs: federation ? [...typeDefs, FEDERATION_TYPE_DEFS] : typeDefs,
    resolvers: [scalars, resolvers, ...(federation ? [federationResolvers(subgraphSdl(typeDefs))] : [])],
    ...FAST_START,
  });
}

/**
 * A copy with fields for our own documents. For execution only: never show it to clients.
 *
 * @param schema of createSchema; not changed
 */
export function createPrivateSchema(schema: GraphQLSchema): GraphQLSchema {
  const extended = extendSchema(schema, parse(privateTypeDefs(schema)), FAST_START);
  return makeExecutableSchema({ typeDefs: extended, resolvers: privateResolvers, ...FAST_START });
}

/**
 * Shortens the start: a test validates the SDL, its source locations are unused, and copying every type to add
 * resolvers would take four times as long.
 */
export const FAST_START = {
  assumeValid: true,
  assumeValidSDL: true,
  noLocation: true,
  updateResolversInPlace: true,
} as const;
