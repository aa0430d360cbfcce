/** The imports of source files. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import ts from 'typescript';

/** Files by their path below the folder (`domain/order.ts`), each with its imports: such paths, or names of packages. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Static, dynamic and type imports, and re-exports. */
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
