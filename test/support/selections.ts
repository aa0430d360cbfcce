/**
 * Every path of a schema to an object, and every leaf of that object. Both are derived from the schema, so that a new
 * field is covered without further work.
 */

import type { GraphQLField, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import {
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Fields from the root inwards, each with its arguments; `... on Type` can be among them. */
export type Path = readonly string[];

export interface ObjectPath {
  /** Name of the object's type. */
  readonly type: string;
  /** The root type. */
  readonly root: string;
  /** The one of {@link SelectionOptions.views} on the path; null for none. */
  readonly view: string | null;
  readonly path: Path;
  /** The same path without arguments. */
  readonly name: string;
  /** Paths below the object: its scalars, those of small objects in it, and one of each other object. */
  readonly leaves: readonly Path[];
}

export interface SelectionOptions {
  /**
   * The arguments of a field, `''` for none; an empty list excludes the field. A field without an entry is selected
   * without arguments.
   */
  readonly argumentsOf: Readonly<Record<string, readonly string[]>>;
  /** @param root the field of the root type on the path; undefined for such a field itself */
  readonly includes?: (coordinate: string, field: Field, root: string | undefined) => boolean;
  /** Fields of the root types below which objects have other values than elsewhere. */
  readonly views?: readonly string[];
}

type Field = GraphQLField<unknown, unknown>;

/** @throws Error for a field with a required argument that `options` does not name, or a name that the schema lacks */
export function findObjectPaths(
  schema: GraphQLSchema,
  roots: readonly string[],
  options: SelectionOptions,
): readonly ObjectPath[] {
  for (const coordinate of Object.keys(options.argumentsOf)) assertField(schema, coordinate);
  const walk = new Walk(schema, options);
  return roots.flatMap((root) => walk.from(root));
}

interface Step {
  readonly type: GraphQLNamedType;
  readonly path: Path;
}

class Walk {
  readonly #schema: GraphQLSchema;
  readonly #options: SelectionOptions;
  /** An object with an id is the same on every path, so the walk continues from one of each type and view. */
  readonly #left = new Set<string>();

  constructor(schema: GraphQLSchema, options: SelectionOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  /** Breadth first, so that the walk continues from the shortest path to an object. */
  from(root: string): readonly ObjectPath[] {
    const type = this.#schema.getType(root);
    if (!isObjectType(type)) throw new Error(`The schema has no type ${root}.`);
    const objectPaths: ObjectPath[] = [];
    let steps: readonly Step[] = [{ type, path: [] }];
    while (steps.length > 0) {
      objectPaths.push(...steps.map((step) => this.#objectPathAt(root, step)));
      steps = steps.flatMap((step) => this.#next(step));
    }
    return objectPaths;
  }

  #objectPathAt(root: string, { type, path }: Step): ObjectPath {
    const leaves = this.#fields({ type, path }).flatMap(([text, field]) => this.#leavesOf(text, field, path));
    return { type: type.name, root, view: this.#viewOf(path), path, name: nameOf(path), leaves };
  }

  #leavesOf(text: string, { type }: Field, path: Path): readonly Path[] {
    const named = getNamedType(type);
    if (isLeafType(named)) return [[text]];
    if (isSmall(named)) return this.#fields({ type: named, path }).map(([name]) => [text, name]);
    return [[text, ...this.#oneLeaf({ type: named, path: [...path, text] })]];
  }

  #oneLeaf({ type, path }: Step): Path {
    const fields = this.#fields({ type, path });
    const [text, field] = fields.find(([name]) => name === 'id') ?? fields[0] ?? [];
    if (text === undefined || field === undefined)
      throw new Error(`No field of ${nameOf(path)} is selected.`);
    const named = getNamedType(field.type);
    return isLeafType(named) ? [text] : [text, ...this.#oneLeaf({ type: named, path: [...path, text] })];
  }

  #next({ type, path }: Step): readonly Step[] {
    if (isAbstractType(type)) {
      const possible = this.#schema.getPossibleTypes(type);
      return possible.map((one) => ({ type: one, path: [...path, `... on ${one.name}`] }));
    }
    if (isObjectType(type) && 'id' in type.getFields()) {
      const key = `${this.#viewOf(path)} ${type.name}`;
      if (this.#left.has(key)) return [];
      this.#left.add(key);
    }
    return this.#fields({ type, path }, true).flatMap(([text, field]) => {
      const named = getNamedType(field.type);
      return isLeafType(named) || isSmall(named) ? [] : [{ type: named, path: [...path, text] }];
    });
  }

  #viewOf(path: Path): string | null {
    return this.#options.views?.find((view) => view === rootOf(path)) ?? null;
  }

  /** @param inEveryWay whether to include a field with each of its arguments, or only with the first */
  #fields({ type, path }: Step, inEveryWay = false): readonly (readonly [text: string, field: Field])[] {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const coordinate = `${type.name}.${field.name}`;
      if (this.#options.includes?.(coordinate, field, rootOf(path)) === false) return [];
      const ways = this.#options.argumentsOf[coordinate] ?? [''];
      const [missing] = field.args.filter(isRequiredArgument);
      if (missing !== undefined && ways.includes(''))
        throw new Error(`${coordinate} needs an entry with the argument ${missing.name}.`);
      const texts = ways.map((way) => (way === '' ? field.name : `${field.name}(${way})`));
      return (inEveryWay ? texts : texts.slice(0, 1)).map((text) => [text, field] as const);
    });
  }
}

/** An object of scalars without an id: a value of its parent object. */
export function isSmall(type: GraphQLNamedType): type is GraphQLObjectType {
  if (!isObjectType(type)) return false;
  const fields = type.getFields();
  return !('id' in fields) && Object.values(fields).every((field) => isLeafType(getNamedType(field.type)));
}

function assertField(schema: GraphQLSchema, coordinate: string): void {
  const [name = '', field = ''] = coordinate.split('.');
  const type = schema.getType(name);
  if (isObjectType(type) && field in type.getFields()) return;
  throw new Error(`The schema has no ${coordinate}.`);
}

function nameOf(path: Path): string {
  return path.map(withoutArguments).join(' > ');
}

function rootOf([root]: Path): string | undefined {
  return root === undefined ? undefined : withoutArguments(root);
}

function withoutArguments(text: string): string {
  return text.replace(/\(.*$/s, '');
}

/** All pairs of leaves. */
export function pairsOf(leaves: readonly Path[]): readonly (readonly Path[])[] {
  return leaves.flatMap((one, index) => leaves.slice(index + 1).map((other) => [one, other]));
}

/** The path with this alias for each of its fields, so that it can be selected twice. */
export function withAlias(path: Path, alias: string): Path {
  return path.map((text) => (isFragment(text) ? text : `${alias}: ${text}`));
}

interface Tree {
  /** Subtrees, by the texts of the fields. */
  readonly fields: Map<string, Tree>;
}

function treeOf(paths: readonly Path[]): Tree {
  const tree: Tree = { fields: new Map() };
  for (const path of paths) {
    let at = tree;
    for (const text of path) {
      const below: Tree = at.fields.get(text) ?? { fields: new Map() };
      at.fields.set(text, below);
      at = below;
    }
  }
  return tree;
}

/** The selection that holds these paths, in braces. */
export function selectionText(paths: readonly Path[]): string {
  const textOf = ({ fields }: Tree): string =>
    fields.size === 0
      ? ''
      : ` { ${[...fields].map(([text, below]) => `${text}${textOf(below)}`).join(' ')} }`;
  return textOf(treeOf(paths)).trim();
}

/** The part of a response that these paths, without aliases, select. */
export function pick(value: unknown, paths: readonly Path[]): unknown {
  const pickTree = (from: unknown, tree: Tree): unknown => {
    if (tree.fields.size === 0 || from === null) return from;
    if (Array.isArray(from)) return from.map((item) => pickTree(item, tree));
    const picked: Record<string, unknown> = {};
    for (const [text, below] of tree.fields) {
      const { key, name } = namesOf(text);
      if (isFragment(text)) Object.assign(picked, pickTree(from, below));
      // A fragment may be on another type.
      else if (Object.hasOwn(from as object, name))
        picked[key] = pickTree(Reflect.get(from as object, name), below);
    }
    return picked;
  };
  return pickTree(value, treeOf(paths));
}

/** The non-null objects of a response at a path. */
export function objectsAt(value: unknown, path: Path): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsAt(item, path));
  if (typeof value !== 'object' || value === null) return [];
  const [text, ...below] = path;
  if (text === undefined) return Object.keys(value).length === 0 ? [] : [value as Record<string, unknown>];
  return objectsAt(isFragment(text) ? value : Reflect.get(value, withoutArguments(text)), below);
}

/** The response key of a field, with and without its alias. */
function namesOf(text: string): { readonly key: string; readonly name: string } {
  const [, alias, name = ''] = /^(?:(\w+): )?(\w+)/.exec(text) ?? [];
  return { key: alias ?? name, name };
}

function isFragment(text: string): boolean {
  return text.startsWith('... on ');
}
