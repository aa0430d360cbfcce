/** The imports between source files, and what can be wrong with them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import ts from 'typescript';

/** Files by their path below src/ (`domain/list/order.ts`), each with what it imports: such a path, or a package's name. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Static and dynamic imports, of types too, and re-exports. */
export function importsOf(text: string): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

export function readGraph(folder: string): Graph {
  const graph = new Map<string, readonly string[]>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    const path = name.split(sep).join('/');
    graph.set(
      path,
      importsOf(text).map((specifier) =>
        specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(path), specifier)) : specifier,
      ),
    );
  }
  return graph;
}

/** The first cycle found, as the files one passes on it, the first of them again at the end. */
export function findCycle(graph: Graph): readonly string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const target of graph.get(file) ?? []) {
      const cycle = graph.has(target) ? visit(target, [...path, file]) : null;
      if (cycle !== null) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

/** What the files of a layer may import of src/ beside each other: files and folders (ending in a slash). */
export interface Layer {
  /** A file, or a folder ending in a slash. The first layer of the list that holds a file is the file's. */
  readonly of: string;
  readonly may: readonly string[];
}

const isWithin = (file: string, place: string) =>
  place.endsWith('/') ? file.startsWith(place) : file === place;

/** Imports that point the wrong way, as lines for a message; a file of no layer is one too. */
export function wrongDirections(graph: Graph, layers: readonly Layer[]): readonly string[] {
  const wrong: string[] = [];
  for (const [file, targets] of graph) {
    const layer = layers.find(({ of }) => isWithin(file, of));
    if (layer === undefined) {
      wrong.push(`${file} belongs to no layer`);
      continue;
    }
    for (const target of targets) {
      const isOurs = graph.has(target) || target.endsWith('.ts');
      if (isOurs && !isWithin(target, layer.of) && !layer.may.some((place) => isWithin(target, place))) {
        wrong.push(`${file} imports ${target}`);
      }
    }
  }
  return wrong;
}

/** `@scope/name/deep.js` and `name/deep.js` are of the packages `@scope/name` and `name`; null for Node's own. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith('node:') || specifier.endsWith('.ts') || specifier.startsWith('.')) return null;
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
