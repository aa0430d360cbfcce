/** The executable schema: the SDL in `schema/`, which is shipped beside the code, and the resolvers. */

import { readdirSync, readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { extendSchema, parse } from 'graphql';

import { fileOfPackage } from '../lib/package-files.ts';
import { federationResolvers } from './federation/resolvers.ts';
import { FEDERATION_TYPE_DEFS, subgraphSdl } from './federation/type-defs.ts';
import { privateResolvers, privateTypeDefs } from './execution/json-pages/schema.ts';
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
  /** Whether a router of Apollo Federation may use it as a subgraph. */
  readonly federation?: boolean;
}

/** @throws Error for a resolver of something that the schema lacks */
export function createSchema({ federation = false }: SchemaOptions = {}): GraphQLSchema {
  const typeDefs = readTypeDefs();
  return makeExecutableSchema({
    typeDefs: federation ? [...typeDefs, FEDERATION_TYPE_DEFS] : typeDefs,
    resolvers: [scalars, resolvers, ...(federation ? [federationResolvers(subgraphSdl(typeDefs))] : [])],
    ...FOR_A_START,
  });
}

/**
 * A copy with the fields that only our own documents ask for. For execution only: never show it to clients.
 *
 * @param schema made by createSchema; it is not changed
 */
export function createPrivateSchema(schema: GraphQLSchema): GraphQLSchema {
  const extended = extendSchema(schema, parse(privateTypeDefs(schema)), FOR_A_START);
  return makeExecutableSchema({ typeDefs: extended, resolvers: privateResolvers, ...FOR_A_START });
}

/**
 * Saves time at the start. A test checks the SDL against the rules, so a start need not. Source locations of the SDL
 * are not used. Resolvers are added in place, since copying every type takes four times as long.
 */
export const FOR_A_START = {
  assumeValid: true,
  assumeValidSDL: true,
  noLocation: true,
  updateResolversInPlace: true,
} as const;
