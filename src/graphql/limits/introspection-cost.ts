/**
 * Counts the values that an introspection query would return, without resolving it. Introspection needs no token, so
 * its cost must be bounded.
 */

import type {
  FieldNode,
  GraphQLNamedType,
  GraphQLResolveInfo,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import { __Schema, __Type, getNamedType, isObjectType, Kind, SchemaMetaFieldDef } from 'graphql';

import type { Fragments } from '../execution/json-pages/selections.ts';

/**
 * Use one counter for all operations of a document: the cost of counting is bounded too.
 *
 * @returns counts the values of an operation's selection set; stops soon after the limit
 */
export function createIntrospectionCount(
  schema: GraphQLSchema,
  fragments: Fragments,
  limit: number,
): (selectionSet: SelectionSetNode) => number {
  const counter = new Counter(schema, fragments, limit);
  return (selectionSet) => {
    let total = 0;
    for (const field of counter.fieldsOf(selectionSet)) {
      if (field.selectionSet === undefined) continue;
      if (field.name.value === SchemaMetaFieldDef.name)
        total += counter.count(schema, __Schema, field.selectionSet);
      else if (field.name.value === '__type') total += counter.countLargest(field.selectionSet);
    }
    return counter.isExhausted ? limit + 1 : total;
  };
}

class Counter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  /** Cached counts: the same selections on the same part of the schema have the same count. */
  readonly #known = new Map<SelectionSetNode, Map<unknown, number>>();
  #steps: number;

  constructor(schema: GraphQLSchema, fragments: Fragments, limit: number) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#steps = limit;
  }

  /** Whether counting itself took too many steps. */
  get isExhausted(): boolean {
    return this.#steps <= 0;
  }

  /** The largest count of any type: the requested type may depend on a variable. */
  countLargest(selectionSet: SelectionSetNode): number {
    const types = Object.values(this.#schema.getTypeMap());
    return Math.max(...types.map((type) => this.count(type, __Type, selectionSet)));
  }

  /** @param source part of the schema, of the introspection type `type` */
  count(source: unknown, type: GraphQLNamedType, selectionSet: SelectionSetNode): number {
    const known = this.#known.get(selectionSet) ?? new Map<unknown, number>();
    this.#known.set(selectionSet, known);
    const before = known.get(source);
    if (before !== undefined) return before;
    if (this.isExhausted || !isObjectType(type)) return 0;
    let total = 0;
    for (const field of this.fieldsOf(selectionSet)) {
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

  /** Visits each fragment once, as an executor does. */
  *fieldsOf(
    { selections }: SelectionSetNode,
    visited: Set<string> = new Set<string>(),
  ): Generator<FieldNode> {
    for (const selection of selections) {
      this.#steps -= 1;
      if (this.isExhausted) return;
      if (selection.kind === Kind.FIELD) yield selection;
      else if (selection.kind === Kind.INLINE_FRAGMENT) yield* this.fieldsOf(selection.selectionSet, visited);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = this.#fragments.get(selection.name.value);
        if (fragment !== undefined) yield* this.fieldsOf(fragment.selectionSet, visited);
      }
    }
  }
}
