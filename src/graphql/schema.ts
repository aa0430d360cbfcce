/** The executable schema: the SDL of `schema/`, which is shipped beside the code, and the resolvers. */

import { readdirSync, readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { extendSchema, parse } from 'graphql';

import { fileOfPackage } from '../package-files.ts';
import { JSON_PAGES_SDL, jsonPageResolvers } from './operations/json-pages/schema.ts';
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
 * A copy with the fields that pages as JSON are read through: for execution alone, never to be shown.
 *
 * @param schema made by createSchema; it stays as it is
 */
export function createJsonPagesSchema(schema: GraphQLSchema): GraphQLSchema {
  const extended = extendSchema(schema, parse(JSON_PAGES_SDL), FOR_A_START);
  return makeExecutableSchema({ typeDefs: extended, resolvers: jsonPageResolvers, ...FOR_A_START });
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
