/** Prepares documents and the schema for graphql-jit. Of a client's document, only names reach the generated code. */

import type {
  ArgumentNode,
  DefinitionNode,
  DocumentNode,
  FieldNode,
  GraphQLField,
  SelectionNode,
  SelectionSetNode,
  VariableDefinitionNode,
} from 'graphql';
import {
  getArgumentValues,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLSkipDirective,
  isNonNullType,
  Kind,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import type { DocumentField } from './errors.ts';

/** Coerced values by name. */
export type VariableValues = Readonly<Record<string, unknown>>;

export interface JitDocument {
  /** One operation without directives; every argument is a variable. */
  readonly document: DocumentNode;
  readonly fields: readonly DocumentField[];
  /** Values of `document`'s variables from the client's. @throws GraphQLError if an argument cannot be coerced */
  variablesOf(variables: VariableValues): Record<string, unknown>;
}

interface FieldWithArguments {
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
  /** Argument names, each with the variable that replaces it. */
  readonly variables: readonly (readonly [argument: string, variable: string])[];
}

/**
 * Converts a document for graphql-jit, which writes literals into the code that it compiles, where a crafted string
 * could run as code. It also reads variables in literals, `@skip` and `@include` differently from graphql-js.
 * Therefore graphql-js coerces the arguments, and the directives are resolved here. The document fits only variables
 * that resolve them the same way.
 *
 * @param operationName null for the document's only operation
 * @returns null if graphql-jit's results would differ from graphql-js's
 */
export function toJitDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  variables: VariableValues,
): JitDocument | null {
  const own = Object.entries(separateOperations(document)).find(
    ([name]) => operationName === null || name === operationName,
  )?.[1];
  if (own === undefined) return null;
  const fields: DocumentField[] = [];
  const withArguments: FieldWithArguments[] = [];
  const typeInfo = new TypeInfo(schema);
  const unsupported: FieldNode[] = [];

  const prepareField = (node: FieldNode): FieldNode => {
    const definition = typeInfo.getFieldDef();
    if (!definition || !isSupportedName(node)) {
      unsupported.push(node);
      return node;
    }
    fields.push({ node, type: definition.type });
    if (definition.args.length === 0) return { ...node, directives: [] };
    const prefix = `a${withArguments.length}_`;
    const variables = definition.args.map(({ name }) => [name, prefix + name] as const);
    withArguments.push({ node, definition, variables });
    return {
      ...node,
      directives: [],
      arguments: variables.map(([name, variable]) => argumentNode(name, variable)),
    };
  };
  const prepare = (node: SelectionNode): SelectionNode | null => {
    if (!isIncluded(node, variables)) return null;
    return node.kind === Kind.FIELD ? prepareField(node) : { ...node, directives: [] };
  };
  const prepared = visit(
    own,
    visitWithTypeInfo(typeInfo, { Field: prepare, InlineFragment: prepare, FragmentSpread: prepare }),
  );
  if (unsupported.length > 0) return null;

  const names = withArguments.flatMap(({ variables }) => variables.map(([, variable]) => variable));
  return {
    document: { ...prepared, definitions: prepared.definitions.map((node) => withVariables(node, names)) },
    fields,
    variablesOf: createVariableReader(withArguments),
  };
}

function createVariableReader(fields: readonly FieldWithArguments[]): JitDocument['variablesOf'] {
  const readers = fields.map((field) => ({ field, sources: sourcesOf(field) }));
  return (given) => {
    const read: Record<string, unknown> = {};
    for (const { field, sources } of readers)
      if (sources === null || !copyGiven(sources, given, read)) readArguments(field, given, read);
    return read;
  };
}

/** The variable that replaces an argument, and the client's variable that is the argument's value. */
type Source = readonly [variable: string, given: string];

/** @returns null unless every argument of the field is a variable, or absent and without a default */
function sourcesOf({ node, definition, variables }: FieldWithArguments): readonly Source[] | null {
  const sources: Source[] = [];
  for (const [argument, variable] of variables) {
    const value = node.arguments?.find(({ name }) => name.value === argument)?.value;
    if (value === undefined) {
      const { defaultValue, type } = definition.args.find(({ name }) => name === argument) ?? {};
      if (defaultValue !== undefined || isNonNullType(type)) return null;
    } else if (value.kind === Kind.VARIABLE) sources.push([variable, value.name.value]);
    else return null;
  }
  return sources;
}

/** Copies the values that graphql-js would only pass on. @returns false if one is absent or null */
function copyGiven(
  sources: readonly Source[],
  given: VariableValues,
  read: Record<string, unknown>,
): boolean {
  for (const [variable, name] of sources) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) return false;
    read[variable] = value;
  }
  return true;
}

function readArguments(
  { node, definition, variables }: FieldWithArguments,
  given: VariableValues,
  read: Record<string, unknown>,
): void {
  const values = getArgumentValues(definition, node, given);
  for (const [argument, variable] of variables) {
    // An absent argument differs from null.
    if (Object.hasOwn(values, argument)) read[variable] = values[argument];
  }
}

/** Names of the variables in `@skip` and `@include`. */
export function conditionsOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ arguments: given = [] }) {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** The number of fields, fragments and spreads of an operation. A fragment counts once per spread. */
export function countSelections({ definitions }: DocumentNode): number {
  const fragments = new Map<string, SelectionSetNode>();
  const counts = new Map<SelectionSetNode, number>();
  const count = (selectionSet: SelectionSetNode | undefined): number => {
    if (selectionSet === undefined) return 0;
    const known = counts.get(selectionSet);
    if (known !== undefined) return known;
    let total = selectionSet.selections.length;
    for (const selection of selectionSet.selections) {
      total += count(
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragments.get(selection.name.value)
          : selection.selectionSet,
      );
    }
    counts.set(selectionSet, total);
    return total;
  };
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node.selectionSet);
  }
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  return count(operation?.selectionSet);
}

/**
 * False for introspection, which is left to graphql-js, and for `__proto__`, which as a key of an object literal
 * would set the prototype.
 */
function isSupportedName({ name, alias }: FieldNode): boolean {
  return (!name.value.startsWith('__') || name.value === '__typename') && alias?.value !== '__proto__';
}

function isIncluded(node: SelectionNode, variables: VariableValues): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
  );
}

function argumentNode(name: string, variable: string): ArgumentNode {
  return {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
  };
}

function withVariables(node: DefinitionNode, names: readonly string[]): DefinitionNode {
  if (node.kind !== Kind.OPERATION_DEFINITION) return node;
  const variableDefinitions = names.map((value): VariableDefinitionNode => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value } },
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: ARGUMENT_TYPE } },
  }));
  return { ...node, directives: [], variableDefinitions };
}

/** The type of all variables: passes coerced values on unchanged. */
export const ARGUMENT_TYPE = 'CoercedArgument';

export function toJitSchema(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  return new GraphQLSchema({
    ...config,
    types: [...config.types, new GraphQLScalarType({ name: ARGUMENT_TYPE })],
  });
}
