/** Limits on the shape of a document, as validation rules: what fragments spread counts each time it is spread. */

import type { FragmentDefinitionNode, SelectionNode, SelectionSetNode, ValidationRule } from 'graphql';
import { GraphQLError, Kind } from 'graphql';

interface Shape {
  /** Levels of nested fields. */
  readonly depth: number;
  /** Aliased fields. */
  readonly aliases: number;
}

const EMPTY: Shape = { depth: 0, aliases: 0 };

/** Levels of fields below an operation; graphql-js has a limit of its own for introspection. */
export function depthLimit(maxDepth: number): ValidationRule {
  return shapeRule(({ depth }) =>
    depth > maxDepth
      ? `The operation nests ${depth} levels of fields; at most ${maxDepth} are allowed.`
      : null,
  );
}

export function aliasLimit(maxAliases: number): ValidationRule {
  return shapeRule(({ aliases }) =>
    aliases > maxAliases ? `The operation has ${aliases} aliases; at most ${maxAliases} are allowed.` : null,
  );
}

function shapeRule(complaint: (shape: Shape) => string | null): ValidationRule {
  return (context) => {
    const measure = createMeasure((name) => context.getFragment(name) ?? null);
    return {
      OperationDefinition(node) {
        const message = complaint(measure(node.selectionSet));
        if (message !== null) context.reportError(new GraphQLError(message, { nodes: node }));
      },
    };
  };
}

/** Fragments are measured once each, so that fragments spreading fragments cost no more than their text. */
function createMeasure(getFragment: (name: string) => FragmentDefinitionNode | null) {
  const fragments = new Map<string, Shape>();

  const measureFragment = (name: string): Shape => {
    const known = fragments.get(name);
    if (known !== undefined) return known;
    // Stands for the fragment while it is measured: a cycle, which another rule refuses, ends here.
    fragments.set(name, EMPTY);
    const fragment = getFragment(name);
    const shape = fragment === null ? EMPTY : measure(fragment.selectionSet);
    fragments.set(name, shape);
    return shape;
  };

  const measureSelection = (selection: SelectionNode): Shape => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet);
    const inner = selection.selectionSet === undefined ? EMPTY : measure(selection.selectionSet);
    return {
      depth: selection.name.value.startsWith('__') ? 0 : inner.depth + 1,
      aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
    };
  };

  const measure = (selectionSet: SelectionSetNode): Shape => {
    let depth = 0;
    let aliases = 0;
    for (const selection of selectionSet.selections) {
      const shape = measureSelection(selection);
      depth = Math.max(depth, shape.depth);
      aliases += shape.aliases;
    }
    return { depth, aliases };
  };

  return measure;
}
