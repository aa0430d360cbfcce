/** How many values introspection gives, found out without making them: nobody needs a token for it. */

import type {
  FieldNode,
  GraphQLNamedType,
  GraphQLResolveInfo,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import { __Schema, __Type, getNamedType, isObjectType, Kind, SchemaMetaFieldDef } from 'graphql';

import type { Fragments } from './json-pages/selections.ts';

/**
 * @param selectionSet of an operation
 * @returns at most a little over the limit: no more is counted then
 */
export function countIntrospection(
  schema: GraphQLSchema,
  selectionSet: SelectionSetNode,
  fragments: Fragments,
  limit: number,
): number {
  const counter = new Counter(schema, fragments, limit);
  let total = 0;
  for (const field of counter.fieldsOf(selectionSet)) {
    if (field.selectionSet === undefined) continue;
    if (field.name.value === SchemaMetaFieldDef.name)
      total += counter.count(schema, __Schema, field.selectionSet);
    else if (field.name.value === '__type') total += counter.countLargest(field.selectionSet);
  }
  return counter.isExhausted ? limit + 1 : total;
}

class Counter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  /** Each part of the schema counts alike wherever it is met below the same selections. */
  readonly #known = new Map<SelectionSetNode, Map<unknown, number>>();
  #steps: number;

  constructor(schema: GraphQLSchema, fragments: Fragments, limit: number) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#steps = limit;
  }

  /** Counting itself took too many steps. */
  get isExhausted(): boolean {
    return this.#steps <= 0;
  }

  /** Of the type with the most: which one is asked for may be in a variable. */
  countLargest(selectionSet: SelectionSetNode): number {
    const types = Object.values(this.#schema.getTypeMap());
    return Math.max(...types.map((type) => this.count(type, __Type, selectionSet)));
  }

  /** @param source a part of the schema, of the introspection's type */
  count(source: unknown, type: GraphQLNamedType, selectionSet: SelectionSetNode): number {
    const known = this.#known.get(selectionSet) ?? new Map<unknown, number>();
    this.#known.set(selectionSet, known);
    const before = known.get(source);
    if (before !== undefined) return before;
    if (this.isExhausted || !isObjectType(type)) return 0;
    let total = 0;
    for (const field of this.fieldsOf(selectionSet)) {
      this.#steps -= 1;
      total += 1;
      const definition = type.getFields()[field.name.value];
      if (field.selectionSet === undefined || definition?.resolve === undefined) continue;
      const info = { schema: this.#schema } as GraphQLResolveInfo;
      const value: unknown = definition.resolve(source, { includeDeprecated: true }, undefined, info);
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (item !== null && item !== undefined)
          total += this.count(item, getNamedType(definition.type), field.selectionSet);
      }
    }
    known.set(source, total);
    return total;
  }

  *fieldsOf(
    { selections }: SelectionSetNode,
    visited: ReadonlySet<string> = new Set(),
  ): Generator<FieldNode> {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) yield selection;
      else if (selection.kind === Kind.INLINE_FRAGMENT) yield* this.fieldsOf(selection.selectionSet, visited);
      else {
        const name = selection.name.value;
        const fragment = visited.has(name) ? undefined : this.#fragments.get(name);
        if (fragment !== undefined) yield* this.fieldsOf(fragment.selectionSet, new Set([...visited, name]));
      }
    }
  }
}
