/**
 * The part of the schema that a gateway serves: what /v0 has (capabilities §15). Every other field of these types is
 * nullable, and null with the error BAD_USER_INPUT. New fields are refused until they are listed here.
 */

import type { DocumentNode, FieldDefinitionNode } from 'graphql';
import { Kind, visit } from 'graphql';

import { requireCaller } from '../../services/caller.ts';
import { unsupportedByUpstream } from '../failures.ts';
import type { RequestContext } from '../../graphql/context.ts';

/** Served fields by type. Types that are not listed are served with all fields. */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  Query: ['map', 'location'],
  Mutation: ['createLocation', 'deleteLocation'],
  Subscription: [],
  Map: [
    ...['id', 'name', 'isDeleted', 'isPublished', 'createdAt', 'providerMapApiKey', 'geocodingApiKey'],
    ...['fields', 'location', 'locations'],
  ],
  Field: ['name', 'type'],
  Location: [...['id', 'name', 'placeId', 'latLngLiteral', 'latitude', 'longitude', 'properties', 'map']],
  LocationConnection: ['edges', 'nodes', 'pageInfo'],
  CreateLocationPayload: ['location', 'map'],
};

/** Served, but null if the upstream omits them, as /v0 allows. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  Map: ['isDeleted', 'isPublished', 'createdAt'],
};

const ROOT_TYPES: readonly string[] = ['Query', 'Mutation', 'Subscription'];

/** The same schema; fields that a gateway may have no value for are nullable. */
export function servedTypeDefs(document: DocumentNode): DocumentNode {
  const adapt = <
    T extends { readonly name: { readonly value: string }; readonly fields?: readonly FieldDefinitionNode[] },
  >(
    type: T,
  ): T | undefined =>
    type.fields === undefined
      ? undefined
      : { ...type, fields: type.fields.map((field) => served(type.name.value, field)) };
  return visit(document, { ObjectTypeDefinition: adapt, ObjectTypeExtension: adapt });
}

function served(type: string, field: FieldDefinitionNode): FieldDefinitionNode {
  const name = field.name.value;
  if (isServed(type, name)) return OPTIONAL[type]?.includes(name) ? nullable(field) : field;
  const { description } = field;
  const text = `${description?.value ?? ''}\n\nNot part of /v0: null here, with the error \`BAD_USER_INPUT\`.`;
  return {
    ...nullable(field),
    description: { kind: Kind.STRING, block: true, ...description, value: text.trim() },
  };
}

function isServed(type: string, field: string): boolean {
  return !Object.hasOwn(SERVED, type) || (SERVED[type]?.includes(field) ?? false);
}

function nullable(field: FieldDefinitionNode): FieldDefinitionNode {
  return field.type.kind === Kind.NON_NULL_TYPE ? { ...field, type: field.type.type } : field;
}

type Refusal = (parent: unknown, args: unknown, context: RequestContext) => never;
type RefusingField = Refusal | { readonly subscribe: Refusal };

/** Resolvers that refuse the fields that are not served. */
export function refusingResolvers(document: DocumentNode): Record<string, Record<string, RefusingField>> {
  const refusing: Record<string, Record<string, RefusingField>> = {};
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.OBJECT_TYPE_EXTENSION) {
      continue;
    }
    const type = definition.name.value;
    for (const { name } of definition.fields ?? []) {
      if (isServed(type, name.value)) continue;
      const refuse = refusalOf(ROOT_TYPES.includes(type) ? name.value : `${type}.${name.value}`);
      const field = type === 'Subscription' ? { subscribe: refuse } : refuse;
      refusing[type] = { ...refusing[type], [name.value]: field };
    }
  }
  return refusing;
}

function refusalOf(what: string): Refusal {
  return (_parent, _args, { scope }) => {
    requireCaller(scope.caller);
    throw unsupportedByUpstream(what);
  };
}
