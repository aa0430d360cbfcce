/** The executable schema: the SDL of `schema/`, which is shipped beside the code, and the resolvers. */

import { readdirSync, readFileSync } from 'node:fs';

import type {
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLTypeResolver,
} from 'graphql';
import { buildASTSchema, extendSchema, isInterfaceType, isObjectType, isScalarType, parse } from 'graphql';

import { privateResolvers, privateTypeDefs } from './operations/json-pages/schema.ts';
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
  const schema = buildASTSchema(parse(readTypeDefs().join('\n')), VALID);
  implement(schema, resolvers);
  return schema;
}

/** The same, and what our own documents ask for besides: for execution alone, never to be shown. */
export function createPrivateSchema(): GraphQLSchema {
  const schema = createSchema();
  const extended = extendSchema(schema, parse(privateTypeDefs(schema)), VALID);
  implement(extended, privateResolvers);
  return extended;
}

/** A test holds the SDL to the rules; a start need not. */
const VALID = { assumeValid: true, assumeValidSDL: true } as const;

/** A type's resolvers, or a scalar. */
type Implementation = GraphQLScalarType | Readonly<Record<string, unknown>>;

/** @throws Error for a resolver of something that the schema does not have */
export function implement(schema: GraphQLSchema, implementations: object): void {
  for (const [name, implementation] of Object.entries(implementations) as [string, Implementation][]) {
    const type = schema.getType(name);
    if (isScalarType(type) && isScalarType(implementation)) implementScalar(type, implementation);
    else if (isObjectType(type)) implementFields(type, implementation as Record<string, Resolve>);
    else if (isInterfaceType(type))
      type.resolveType = Reflect.get(implementation, '__resolveType') as ResolveType;
    else throw new Error(`The schema has no type ${name} that resolvers could belong to.`);
  }
}

type Resolve = GraphQLFieldResolver<unknown, unknown>;
type ResolveType = GraphQLTypeResolver<unknown, unknown>;

/** The description is the SDL's. */
function implementScalar(
  type: GraphQLScalarType,
  { serialize, parseValue, parseLiteral, specifiedByURL }: GraphQLScalarType,
): void {
  Object.assign(type, { serialize, parseValue, parseLiteral, specifiedByURL });
}

function implementFields(type: GraphQLObjectType, resolvers: Readonly<Record<string, Resolve>>): void {
  const fields = type.getFields();
  for (const [name, resolve] of Object.entries(resolvers)) {
    const field = fields[name];
    if (field === undefined) throw new Error(`The schema has no field ${type.name}.${name} to be resolved.`);
    field.resolve = resolve;
  }
}
