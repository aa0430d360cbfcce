/** Limits on a document's cost, checked before validation, whose own cost grows quadratically with the selections. */

import type {
  ASTNode,
  DocumentNode,
  GraphQLFormattedError,
  GraphQLSchema,
  NameNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { BREAK, GraphQLError, Kind, parse, visit } from 'graphql';

import { createIntrospectionCount } from './introspection-cost.ts';
import type { Fragments } from '../execution/json-pages/selections.ts';

export interface DocumentLimits {
  /** UTF-16 code units of its text. */
  readonly maxCharacters: number;
  /** Lexical tokens of its text. */
  readonly maxTokens: number;
  /** Root fields of an operation. */
  readonly maxRootFields: number;
  /** Levels of nested fields. */
  readonly maxDepth: number;
  /** Aliased fields. */
  readonly maxAliases: number;
  /** Values that an introspection query may return. */
  readonly maxIntrospection: number;
}

/** Fields and fragments per selection set. Validation compares each with every other of the same name. */
const MAX_SELECTIONS = 200;
/** Characters of any name: of a field, alias or variable. */
const MAX_NAME_LENGTH = 256;

/** The document is too expensive. It was neither validated nor executed. */
export class DocumentRefusal extends Error {
  readonly error: GraphQLFormattedError;

  constructor(message: string, code: string, node?: ASTNode) {
    super(message);
    const { locations } = new GraphQLError(message, { nodes: node });
    this.error = { message, ...(locations && { locations }), extensions: { code } };
  }
}

/** @throws DocumentRefusal. Documents that cannot be parsed pass; Apollo rejects them */
export function assertAffordable(schema: GraphQLSchema, text: string, limits: DocumentLimits): void {
  const { maxCharacters, maxTokens } = limits;
  if (text.length > maxCharacters) {
    throw new DocumentRefusal(
      `The document has ${text.length} characters; at most ${maxCharacters} are allowed.`,
      'GRAPHQL_PARSE_FAILED',
    );
  }
  const document = attempt(() => parse(text, { maxTokens }));
  if (document === null) return;
  const fragments: Fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
  const longName = findLongName(document);
  if (longName !== null) {
    const message = `A name has ${longName.value.length} characters; at most ${MAX_NAME_LENGTH} are allowed.`;
    throw new DocumentRefusal(message, 'GRAPHQL_VALIDATION_FAILED', longName);
  }
  const measure = createMeasure(fragments);
  const countIntrospection = createIntrospectionCount(schema, fragments, limits.maxIntrospection);
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const excess =
      excessOfShape(measure(node.selectionSet), limits) ??
      excessOfIntrospection(countIntrospection(node.selectionSet), limits);
    if (excess !== null) throw new DocumentRefusal(excess, 'GRAPHQL_VALIDATION_FAILED', node);
  }
}

/** Errors repeat names, including those of their whole path. */
function findLongName(document: DocumentNode): NameNode | null {
  let found: NameNode | null = null;
  visit(document, {
    Name(node) {
      if (node.value.length <= MAX_NAME_LENGTH) return undefined;
      found = node;
      return BREAK;
    },
  });
  return found;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function excessOfShape({ depth, aliases, fields, widest }: Shape, limits: DocumentLimits): string | null {
  if (depth > limits.maxDepth) {
    return `The operation nests ${depth} levels of fields; at most ${limits.maxDepth} are allowed.`;
  }
  if (aliases > limits.maxAliases) {
    return `The operation has ${aliases} aliases; at most ${limits.maxAliases} are allowed.`;
  }
  if (fields > limits.maxRootFields) {
    return `The operation has ${fields} root fields; at most ${limits.maxRootFields} are allowed.`;
  }
  if (widest > MAX_SELECTIONS) {
    return `The operation selects ${widest} fields and fragments in one selection set; at most ${MAX_SELECTIONS} are allowed.`;
  }
  return null;
}

function excessOfIntrospection(values: number, { maxIntrospection }: DocumentLimits): string | null {
  return values > maxIntrospection
    ? `The introspection query would return more than ${maxIntrospection} values; request fewer at a time.`
    : null;
}

/** Size of a selection set with its fragments. A fragment counts once per spread. */
interface Shape {
  /** Levels of nested fields, without introspection, which graphql-js limits itself. */
  readonly depth: number;
  readonly aliases: number;
  /** Fields of the set itself. */
  readonly fields: number;
  /** Most selections in one set. */
  readonly widest: number;
}

const EMPTY: Shape = { depth: 0, aliases: 0, fields: 0, widest: 0 };

/** Measures each fragment once, so that fragments which spread fragments take time linear in their text. */
function createMeasure(fragments: Fragments): (selectionSet: SelectionSetNode) => Shape {
  const known = new Map<string, Shape>();

  const measureFragment = (name: string): Shape => {
    const shape = known.get(name);
    if (shape !== undefined) return shape;
    // Ends the recursion in a cycle, which validation rejects later.
    known.set(name, EMPTY);
    const fragment = fragments.get(name);
    const measured = fragment === undefined ? EMPTY : measure(fragment.selectionSet);
    known.set(name, measured);
    return measured;
  };

  const measureSelection = (selection: SelectionNode): Shape => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet);
    const inner = selection.selectionSet === undefined ? EMPTY : measure(selection.selectionSet);
    return {
      depth: selection.name.value.startsWith('__') ? 0 : inner.depth + 1,
      aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
      fields: 1,
      widest: inner.widest,
    };
  };

  const measure = ({ selections }: SelectionSetNode): Shape => {
    const total = { depth: 0, aliases: 0, fields: 0, widest: selections.length };
    for (const selection of selections) {
      const shape = measureSelection(selection);
      total.depth = Math.max(total.depth, shape.depth);
      total.aliases += shape.aliases;
      total.fields += shape.fields;
      total.widest = Math.max(total.widest, shape.widest);
    }
    return total;
  };

  return measure;
}
