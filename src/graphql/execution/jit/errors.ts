/** Turns graphql-jit's errors into those of graphql-js. */

import type {
  ExecutionResult,
  FieldNode,
  GraphQLLeafType,
  GraphQLOutputType,
  GraphQLSchema,
  GraphQLError,
} from 'graphql';
import { isLeafType, isListType, isNonNullType, locatedError } from 'graphql';

type Data = ExecutionResult['data'];
type Path = readonly (string | number)[];

/** A field of the client's document, with its type. */
export interface DocumentField {
  readonly node: FieldNode;
  readonly type: GraphQLOutputType;
}

export type ErrorReader = (errors: readonly GraphQLError[], data: Data) => GraphQLError[];

/** graphql-jit passes on only the `message` of what a scalar throws, so the message carries everything. */
class LeafFailure {
  readonly message: { readonly thrown: unknown };

  constructor(thrown: unknown) {
    this.message = { thrown };
  }
}

/** A serializer for every scalar and enum, by name, that shows an {@link ErrorReader} what was thrown. */
export function leafSerializers(schema: GraphQLSchema): Record<string, (value: unknown) => unknown> {
  const leaves = Object.values(schema.getTypeMap()).filter(isLeafType);
  return Object.fromEntries(leaves.map((type) => [type.name, serializerOf(type)]));
}

function serializerOf(type: GraphQLLeafType) {
  return (value: unknown): unknown => {
    try {
      return type.serialize(value);
    } catch (thrown) {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- never seen outside this file
      throw new LeafFailure(thrown);
    }
  };
}

/**
 * Turns errors into graphql-js's: with the fields where they arose and what was thrown. There is one error per null
 * that an error caused, in the order of the data. (graphql-js orders them by when they occurred.)
 */
export function createErrorReader(fields: readonly DocumentField[]): ErrorReader {
  const byStart = new Map(fields.map((field) => [lineAndColumn(field.node.loc?.startToken), field]));

  return (errors, data) => {
    const failures = new Map<
      string,
      { readonly nullPath: Path; readonly error: GraphQLError; made: boolean }
    >();
    for (const error of errors) {
      const path = error.path ?? [];
      const found = (error.locations ?? []).flatMap((location) => byStart.get(lineAndColumn(location)) ?? []);
      const nullPath = nullIn(data, path);
      // Of several errors below one null, the first at a non-null field caused it; the others have no effect.
      const made = found[0] !== undefined && isNonNullType(typeAt(found[0].type, path));
      const other = failures.get(nullPath.join('.'));
      if (other !== undefined && (other.made || !made)) continue;
      const nodes = found.map(({ node }) => node);
      const located = locatedError(thrownOf(error), nodes, path);
      failures.set(nullPath.join('.'), { nullPath, error: located, made });
    }
    return [...failures.values()]
      .sort((a, b) => compare(a.nullPath, b.nullPath, data))
      .map(({ error }) => error);
  };
}

function lineAndColumn(start: { readonly line: number; readonly column: number } | undefined): string {
  return `${start?.line}:${start?.column}`;
}

function thrownOf({ message, originalError }: GraphQLError): unknown {
  if (originalError !== undefined) return originalError;
  const text: unknown = message;
  if (typeof text === 'object') return (text as LeafFailure['message']).thrown;
  // graphql-jit writes an empty message if a falsy value was thrown; the value is lost.
  if (message === '') return undefined;
  // graphql-jit repeats the name of a field that is selected several times.
  return new Error(message.replace(/\.\((\w+)[\w,]*\)\.$/, '.$1.'));
}

/** The type of a field, or of its items if the path ends in indices. */
function typeAt(type: GraphQLOutputType, path: Path): GraphQLOutputType {
  const depth = path.length - 1 - path.findLastIndex((key) => typeof key === 'string');
  let inner = type;
  for (let level = 0; level < depth; level += 1) {
    const list = isNonNullType(inner) ? inner.ofType : inner;
    if (isListType(list)) inner = list.ofType;
  }
  return inner;
}

/** The part of the path that exists in the data; it ends at the null. */
function nullIn(data: Data, path: Path): Path {
  let value: unknown = data;
  let length = 0;
  while (length < path.length && value !== null && value !== undefined) {
    value = (value as Record<string | number, unknown>)[path[length] as string | number];
    length += 1;
  }
  return path.slice(0, length);
}

/** Which of two different paths comes first in the data. */
function compare(a: Path, b: Path, data: Data): number {
  let value: unknown = data;
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (other === undefined) break;
    if (key !== other) {
      if (typeof key === 'number') return key - Number(other);
      const keys = Object.keys(value as object);
      return keys.indexOf(key) - keys.indexOf(String(other));
    }
    value = (value as Record<string | number, unknown>)[key];
  }
  return a.length - b.length;
}
