/** Finds integer literals in a document that JSON numbers would round. */

import type { ASTNode, DocumentNode, GraphQLSchema, IntValueNode } from 'graphql';
import { BREAK, getNamedType, GraphQLID, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

import { mayHaveUnsafeInteger } from '../../domain/json/json-integers.ts';

/** An integer beyond ±(2^53 - 1), with its path from the argument or the variable's default value. */
export interface UnsafeLiteral {
  readonly node: IntValueNode;
  readonly path: string;
}

/** @param document valid. IDs may have any length: they are kept as strings of digits */
export function findUnsafeLiteral(schema: GraphQLSchema, document: DocumentNode): UnsafeLiteral | null {
  if (document.loc !== undefined && !mayHaveUnsafeInteger(document.loc.source.body)) return null;
  let found: UnsafeLiteral | null = null;
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      IntValue(node, _key, parent, keys, ancestors) {
        if (Number.isSafeInteger(Number(node.value))) return undefined;
        if (getNamedType(typeInfo.getInputType()) === GraphQLID) return undefined;
        found = { node, path: pathOf(keys, parent === undefined ? ancestors : [...ancestors, parent]) };
        return BREAK;
      },
    }),
  );
  return found;
}

/** @param keys position of each next ancestor */
function pathOf(
  keys: readonly (string | number)[],
  ancestors: readonly (ASTNode | readonly ASTNode[])[],
): string {
  let path = '';
  for (const [index, ancestor] of ancestors.entries()) {
    const key = keys[index];
    if (!('kind' in ancestor)) {
      const list = ancestors[index - 1];
      if (list !== undefined && 'kind' in list && list.kind === Kind.LIST) path += `[${key}]`;
    } else if (ancestor.kind === Kind.ARGUMENT) path = ancestor.name.value;
    else if (ancestor.kind === Kind.VARIABLE_DEFINITION) path = `$${ancestor.variable.name.value}`;
    else if (ancestor.kind === Kind.OBJECT_FIELD) path += `.${ancestor.name.value}`;
  }
  return path;
}
