/** Collects the fields of selections and their fragments. */

import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** By response key, in the order of the response. */
export type CollectedFields = ReadonlyMap<string, readonly FieldNode[]>;

export function responseKeyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/**
 * Merges the fields of selections on a known object type.
 *
 * @param types names of the type and its interfaces, which fragments may name
 * @returns null if a directive decides whether a fragment applies
 */
export function collectFields(
  nodes: readonly FieldNode[],
  types: readonly string[],
  fragments: Fragments,
): CollectedFields | null {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();

  const collect = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) {
        const key = responseKeyOf(selection);
        const known = fields.get(key);
        if (known === undefined) fields.set(key, [selection]);
        else known.push(selection);
        return true;
      }
      if ((selection.directives ?? []).length > 0) return false;
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : take(selection.name.value);
      if (fragment === null) return true;
      const condition = fragment.typeCondition?.name.value;
      if (condition !== undefined && !types.includes(condition)) return false;
      return (fragment.directives ?? []).length === 0 && collect(fragment.selectionSet);
    });

  /** Visits each fragment once, as an executor does. */
  const take = (name: string) => {
    if (visited.has(name)) return null;
    visited.add(name);
    return fragments.get(name) ?? null;
  };

  const isKnown = nodes.every(({ selectionSet }) => selectionSet === undefined || collect(selectionSet));
  return isKnown ? fields : null;
}
