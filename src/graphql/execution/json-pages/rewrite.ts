/**
 * Replaces pages of objects by pages that a store writes as JSON: `locations { nodes { … } }` becomes a private field
 * that carries the selection. The executor then handles one value instead of thousands. Only valid documents get
 * here, and the response stays the same to the byte.
 */

import type { DocumentNode, FieldNode, GraphQLSchema } from 'graphql';
import { Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

import { JSON_NODES, JSON_PAGE, JSON_PAGE_TYPES, TEMPLATE, UNREAD } from './private-schema.ts';
import type { Fragments } from './selections.ts';
import { collectFields, responseKeyOf } from './selections.ts';
import { ENDS, templateFor } from './templates.ts';

/** @returns a document for the private schema; null if there is no page to replace */
export function rewritePages(schema: GraphQLSchema, document: DocumentNode): DocumentNode | null {
  const pages = findPages(schema, document);
  if (pages.length === 0) return null;
  const fragments: Fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
  const replaced = new Map<FieldNode, FieldNode>();
  for (const page of pages) {
    const json = toJsonPage(page, fragments);
    if (json !== null) replaced.set(page, json);
  }
  if (replaced.size === 0) return null;
  return visit(document, { Field: { leave: (node) => replaced.get(node) } });
}

/**
 * Pages that are not merged with other fields. None if the document uses introspection, since clients must not see
 * our fields.
 */
function findPages(schema: GraphQLSchema, document: DocumentNode): readonly FieldNode[] {
  const typeInfo = new TypeInfo(schema);
  const pages = new Map<string, FieldNode[]>();
  const introspected: string[] = [];
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field(node) {
        if (node.name.value === '__schema' || node.name.value === '__type')
          introspected.push(node.name.value);
        const parent = typeInfo.getParentType()?.name ?? '';
        if (!JSON_PAGE_TYPES.includes(parent) || node.name.value !== 'locations') return;
        const key = `${parent} ${responseKeyOf(node)}`;
        pages.set(key, [...(pages.get(key) ?? []), node]);
      },
    }),
  );
  return introspected.length > 0 ? [] : [...pages.values()].filter(({ length }) => length === 1).flat();
}

function toJsonPage(page: FieldNode, fragments: Fragments): FieldNode | null {
  const fields = collectFields([page], ['LocationConnection'], fragments);
  if (fields === null) return null;
  const all = [...fields.values()].flat();
  const lists = [...fields].filter(([, [first]]) => first?.name.value === 'nodes');
  if (lists.length > 1 || all.some(({ name }) => name.value === 'edges')) return null;
  const [key, nodes = []] = lists[0] ?? [];
  if (nodes.some(({ directives = [] }) => directives.length > 0)) return null;
  const template = templateKeyFor(all, key === undefined ? null : nodes, fragments);
  if (template === null) return null;
  const value = { kind: Kind.STRING, value: template } as const;
  return {
    ...page,
    alias: nameOf(responseKeyOf(page)),
    name: nameOf(JSON_PAGE),
    arguments: [...(page.arguments ?? []), { kind: Kind.ARGUMENT, name: nameOf(TEMPLATE), value }],
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [...fields].flatMap(([name, selections]) =>
        name === key ? [jsonNodes(name, selections[0])] : selections,
      ),
    },
  };
}

/** Connection fields that do not need the page. */
const WITHOUT_PAGE: ReadonlySet<string> = new Set(['totalCount', '__typename']);

/** @param nodes null if no locations are selected */
function templateKeyFor(
  fields: readonly FieldNode[],
  nodes: readonly FieldNode[] | null,
  fragments: Fragments,
): string | null {
  if (fields.every(({ name }) => WITHOUT_PAGE.has(name.value))) return UNREAD;
  return (nodes === null ? ENDS : templateFor(nodes, fragments))?.key ?? null;
}

function jsonNodes(key: string, node: FieldNode | undefined): FieldNode {
  return { kind: Kind.FIELD, alias: nameOf(key), name: nameOf(JSON_NODES), loc: node?.loc };
}

function nameOf(value: string) {
  return { kind: Kind.NAME, value } as const;
}
