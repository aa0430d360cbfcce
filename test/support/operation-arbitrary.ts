/** Random operations of a schema: selections, aliases, fragments, directives, and arguments as literals and variables. */

import fc from 'fast-check';
import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLInputType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLInterfaceType,
} from 'graphql';
import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

export interface GeneratedOperation {
  readonly source: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Values to pass, by the name of the argument, or by that of its input type. */
export type ArgumentValues = Readonly<Record<string, readonly unknown[]>>;

type Composite = GraphQLObjectType | GraphQLInterfaceType;
type Variable = 'given' | 'missing' | 'default' | 'nullish';

interface Condition {
  readonly directive: 'skip' | 'include';
  readonly value: boolean;
  readonly as: 'literal' | Variable;
}

interface Argument {
  readonly definition: GraphQLArgument;
  readonly value: unknown;
  readonly as: 'literal' | Variable;
}

interface Field {
  readonly name: string;
  readonly alias: string | null;
  readonly args: readonly Argument[];
  readonly conditions: readonly Condition[];
  readonly selections: readonly Selection[] | null;
}

interface Fragment {
  readonly on: string | null;
  readonly isNamed: boolean;
  /** The number of spreads, if named. */
  readonly times: number;
  readonly conditions: readonly Condition[];
  readonly selections: readonly Selection[];
}

type Selection = Field | Fragment;

const MAX_DEPTH = 4;
/** Response keys that are also inherited object members. */
const ALIASES = ['a', 'b', 'c', 'd', 'id', 'name', 'constructor', 'toString', 'hasOwnProperty'];

export interface OperationOptions {
  /** By default, queries. */
  readonly operation?: 'query' | 'mutation';
  /** For arguments without `values`; by default, null. */
  readonly otherValues?: (type: GraphQLInputType) => fc.Arbitrary<unknown>;
}

/** Not all are valid, since fields may conflict. */
export function operationArbitrary(
  schema: GraphQLSchema,
  values: ArgumentValues,
  { operation = 'query', otherValues = () => fc.constant(null) }: OperationOptions = {},
): fc.Arbitrary<GeneratedOperation> {
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!root) throw new Error(`The schema has no ${operation}.`);

  const selectionsOf = (type: Composite, depth: number): fc.Arbitrary<Selection[]> =>
    fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fieldOf(type, depth) },
        { weight: 1, arbitrary: fragmentOf(type, depth) },
      ),
      { minLength: 1, maxLength: type === root ? 3 : 5 },
    );
  const fieldOf = (type: Composite, depth: number): fc.Arbitrary<Field> => {
    const fields = Object.values(type.getFields()).filter(
      (field) => depth > 0 || compositeOf(field.type) === null,
    );
    return fc.constantFrom(null, ...fields).chain((field) => {
      const inner = field === null ? null : compositeOf(field.type);
      return fc.record({
        name: fc.constant(field?.name ?? '__typename'),
        alias: alias(),
        args: field === null ? fc.constant([]) : argumentsOf(field),
        conditions: conditions(),
        selections: inner === null ? fc.constant(null) : selectionsOf(inner, depth - 1),
      });
    });
  };
  const fragmentOf = (type: Composite, depth: number): fc.Arbitrary<Fragment> => {
    const inner: Composite[] = isAbstractType(type) ? [...schema.getPossibleTypes(type), type] : [type];
    if (isObjectType(type)) inner.push(...type.getInterfaces());
    return fc.constantFrom(...inner).chain((on) =>
      fc.record({
        on: fc.constantFrom(on.name, on === type ? null : on.name),
        isNamed: fc.boolean(),
        times: fc.integer({ min: 1, max: 2 }),
        conditions: conditions(),
        selections: selectionsOf(on, depth),
      }),
    );
  };
  const argumentsOf = ({ args }: GraphQLField<unknown, unknown>): fc.Arbitrary<Argument[]> =>
    fc
      .tuple(
        ...args.map((definition) =>
          fc.option(
            fc.record({
              definition: fc.constant(definition),
              value: valueOf(definition),
              as: variable(),
            }),
            { freq: isRequiredArgument(definition) ? 200 : 2 },
          ),
        ),
      )
      .map((given) => given.filter((argument) => argument !== null));

  const valueOf = ({ type, name }: GraphQLArgument): fc.Arbitrary<unknown> => {
    const known = values[getNamedType(type).name] ?? values[name];
    return known === undefined ? otherValues(type) : fc.constantFrom(...known);
  };

  return selectionsOf(root, MAX_DEPTH).map((selections) => write(operation, selections));
}

function compositeOf(type: Parameters<typeof getNamedType>[0]): Composite | null {
  const named = getNamedType(type);
  return isObjectType(named) || isInterfaceType(named) ? named : null;
}

function alias(): fc.Arbitrary<string | null> {
  return fc.oneof(
    { weight: 100, arbitrary: fc.constant(null) },
    { weight: 20, arbitrary: fc.constantFrom(...ALIASES) },
    { weight: 1, arbitrary: fc.constant('__proto__') },
  );
}

function variable(): fc.Arbitrary<'literal' | Variable> {
  return fc.oneof(
    { weight: 24, arbitrary: fc.constant('literal' as const) },
    { weight: 24, arbitrary: fc.constant('given' as const) },
    { weight: 4, arbitrary: fc.constant('default' as const) },
    { weight: 1, arbitrary: fc.constantFrom('missing' as const, 'nullish' as const) },
  );
}

function conditions(): fc.Arbitrary<Condition[]> {
  const condition = fc.record({
    directive: fc.constantFrom('skip' as const, 'include' as const),
    value: fc.boolean(),
    as: variable(),
  });
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant<Condition[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(condition, { maxLength: 2, selector: (it) => it.directive }) },
  );
}

function write(operation: 'query' | 'mutation', selections: readonly Selection[]): GeneratedOperation {
  const definitions: string[] = [];
  const fragments: string[] = [];
  const variables: Record<string, unknown> = {};

  const writeValue = (value: unknown, as: 'literal' | Variable, type: GraphQLInputType | null): string => {
    const literal = writeLiteral(value, type);
    if (as === 'literal') return literal;
    const name = `v${definitions.length}`;
    definitions.push(`$${name}: ${type?.toString() ?? 'Boolean!'}${as === 'default' ? ` = ${literal}` : ''}`);
    if (as === 'given') variables[name] = value;
    if (as === 'nullish') variables[name] = null;
    return `$${name}`;
  };
  const writeConditions = (given: readonly Condition[]): string =>
    given.map(({ directive, value, as }) => ` @${directive}(if: ${writeValue(value, as, null)})`).join('');
  const writeSelections = (given: readonly Selection[]): string => `{ ${given.map(writeOne).join(' ')} }`;
  const writeOne = (selection: Selection): string =>
    'name' in selection ? writeField(selection) : writeFragment(selection);
  const writeField = ({ name, alias, args, conditions, selections: inner }: Field): string => {
    const written = args.map(
      ({ definition, value, as }) => `${definition.name}: ${writeValue(value, as, definition.type)}`,
    );
    return [
      alias === null ? '' : `${alias}: `,
      name,
      written.length === 0 ? '' : `(${written.join(', ')})`,
      writeConditions(conditions),
      inner === null ? '' : ` ${writeSelections(inner)}`,
    ].join('');
  };
  const writeFragment = ({ on, isNamed, times, conditions, selections: inner }: Fragment): string => {
    const condition = on === null ? '' : ` on ${on}`;
    if (!isNamed || on === null) {
      return `...${condition}${writeConditions(conditions)} ${writeSelections(inner)}`;
    }
    const body = writeSelections(inner);
    const name = `F${fragments.length}`;
    fragments.push(`fragment ${name}${condition} ${body}`);
    // Each spread has its own conditions.
    return Array.from({ length: times }, () => `...${name}${writeConditions(conditions)}`).join(' ');
  };

  const body = writeSelections(selections);
  const isShort = operation === 'query' && definitions.length === 0;
  const head = isShort
    ? ''
    : `${operation} Q${definitions.length === 0 ? '' : `(${definitions.join(', ')})`} `;
  return { source: [head + body, ...fragments].join('\n'), variables };
}

/** JSON with unquoted object keys and enum values. */
function writeLiteral(value: unknown, type: GraphQLInputType | null): string {
  const named = type === null ? null : getNamedType(type);
  if (isEnumType(named) && typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map((item) => writeLiteral(item, named)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = isInputObjectType(named) ? named.getFields() : {};
  const members = Object.entries(value).map(
    ([name, member]) => `${name}: ${writeLiteral(member, fields[name]?.type ?? null)}`,
  );
  return `{ ${members.join(', ')} }`;
}
