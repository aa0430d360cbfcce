/** The executable schema: the SDL of `schema/`, which is shipped beside the code, and the resolvers. */

import { readdirSync, readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { extendSchema, parse } from 'graphql';

import { fileOfPackage } from '../package-files.ts';
import { privateResolvers, privateTypeDefs } from './operations/json-pages/schema.ts';
import { resolvers } from './resolvers/index.ts';
import { scalars } from './scalars.ts';

const SCHEMA_FOLDER = fileOfPackage('schema/');

export function readTypeDefs(): string[] {
  return readdirSync(SCHEMA_FOLDER)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8'));
}

/** @throws Error for a resolver of something that the schema does not have */
export function createSchema(): GraphQLSchema {
  return makeExecutableSchema({ typeDefs: readTypeDefs(), resolvers: [scalars, resolvers], ...FOR_A_START });
}

/**
 * A copy with what our own documents ask for besides: for execution alone, never to be shown.
 *
 * @param schema made by createSchema; it stays as it is
 */
export function createPrivateSchema(schema: GraphQLSchema): GraphQLSchema {
  const extended = extendSchema(schema, parse(privateTypeDefs(schema)), FOR_A_START);
  return makeExecutableSchema({ typeDefs: extended, resolvers: privateResolvers, ...FOR_A_START });
}

/**
 * A test holds the SDL to the rules, and nobody is told of places in it: a start need not take the time. In place,
 * since a copy of every type takes four times as long.
 */
const FOR_A_START = {
  assumeValid: true,
  assumeValidSDL: true,
  noLocation: true,
  updateResolversInPlace: true,
} as const;
