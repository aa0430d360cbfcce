/** Checks the data of a response against the schema: fields, types and nullability. */

import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLNamedType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import {
  getNamedType,
  GraphQLString,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
} from 'graphql';

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  ID: isText,
  String: isText,
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31,
  Float: isNumber,
  Latitude: (value) => isNumber(value) && Math.abs(Number(value)) <= 90,
  Longitude: (value) => isNumber(value) && Math.abs(Number(value)) <= 180,
  DateTime: (value) => isText(value) && /^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  JSONObject: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  JSON: () => true,
};

/** @returns the mismatches, each with its path; empty if all data fits */
export function findUnfit(schema: GraphQLSchema, source: string, data: unknown): string[] {
  const document = parse(source);
  const fragments = new Map<string, FragmentDefinitionNode>();
  const found: string[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  /** The fields of each response key that an object of this type may have. */
  const fieldsOf = (
    type: GraphQLNamedType,
    { selections }: SelectionSetNode,
    into = new Map<string, FieldNode[]>(),
  ) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        into.set(key, [...(into.get(key) ?? []), selection]);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      const on = fragment?.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
      if (fragment === undefined || on === undefined) continue;
      const applies = on === type || (isAbstractType(on) && isObjectType(type) && schema.isSubType(on, type));
      if (applies) fieldsOf(type, fragment.selectionSet, into);
    }
    return into;
  };

  const checkObject = (
    type: GraphQLNamedType,
    nodes: readonly FieldNode[],
    value: unknown,
    path: string,
  ): string[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [`${path} is not an object`];
    if (!isObjectType(type)) return [`${path} has no type`];
    const faults: string[] = [];
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
    const fields = fieldsOf(type, { kind: Kind.SELECTION_SET, selections });
    for (const [key, member] of Object.entries(value)) {
      const selected = fields.get(key);
      const name = selected?.[0]?.name.value ?? '';
      const output = name === '__typename' ? GraphQLString : type.getFields()[name]?.type;
      if (selected === undefined || output === undefined) faults.push(`${path}.${key} was not selected`);
      else faults.push(...checkValue(output, selected, member, `${path}.${key}`));
    }
    for (const [key, selected] of fields) {
      const isConditional = source.includes('@skip') || source.includes('@include');
      if (!isConditional && selected.length > 0 && !Object.hasOwn(value, key))
        faults.push(`${path}.${key} is missing`);
    }
    return faults;
  };

  const checkValue = (
    type: GraphQLOutputType,
    nodes: readonly FieldNode[],
    value: unknown,
    path: string,
  ): string[] => {
    if (isNonNullType(type)) {
      return value === null
        ? [`${path} is null`]
        : checkValue(type.ofType as GraphQLOutputType, nodes, value, path);
    }
    if (value === null) return [];
    if (isListType(type)) {
      if (!Array.isArray(value)) return [`${path} is not a list`];
      return value.flatMap((item, index) => checkValue(type.ofType, nodes, item, `${path}[${index}]`));
    }
    const named = getNamedType(type);
    if (isEnumType(named)) {
      return typeof value !== 'string' || named.getValue(value) === undefined
        ? [`${path} is not a value of ${named.name}`]
        : [];
    }
    if (isLeafType(named))
      return SCALARS[named.name]?.(value) === true ? [] : [`${path} is not a ${named.name}`];
    if (!isAbstractType(named)) return checkObject(named, nodes, value, path);
    // The selection may lack the __typename that tells which type it is.
    const tries = schema.getPossibleTypes(named).map((one) => checkObject(one, nodes, value, path));
    return tries.find((faults) => faults.length === 0) ?? tries[0] ?? [];
  };

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION || data === null || data === undefined) continue;
    const root = schema.getRootType(definition.operation);
    const node = {
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: '' },
      selectionSet: definition.selectionSet,
    } as const;
    if (root) found.push(...checkObject(root, [node], data, 'data'));
  }
  return found;
}
