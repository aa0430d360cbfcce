/** Which operations are compiled: those that come again, and no more than there is room for. */

import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Compile, CompiledOperation } from './compile.ts';
import { conditionsOf } from './document.ts';

/** Operations remembered, compiled or not; the one not seen for longest is forgotten. */
const MAX_OPERATIONS = 500;

/** Compiling costs as much as many executions, so an operation has to show first that it comes again. */
export const USES_BEFORE_COMPILING = 10;

interface KnownDocument {
  readonly id: number;
  readonly conditions: readonly string[];
}

interface KnownOperation {
  uses: number;
  /** Undefined before it is compiled, null where it cannot be. */
  compiled: CompiledOperation | null | undefined;
}

/** @returns what the operation was compiled to, or null: not yet, or never */
export type FindCompiled = Compile;

/**
 * An operation is known by its document, which has to be the same object, by its name, and by the values of the
 * variables that decide what is left out of it.
 */
export function compileHotOperations(compile: Compile, usesBefore = USES_BEFORE_COMPILING): FindCompiled {
  const documents = new WeakMap<DocumentNode, KnownDocument>();
  const operations = new LRUCache<string, KnownOperation>({ max: MAX_OPERATIONS });
  let lastId = 0;

  const know = (document: DocumentNode): KnownDocument => {
    let known = documents.get(document);
    if (known === undefined) {
      known = { id: (lastId += 1), conditions: conditionsOf(document) };
      documents.set(document, known);
    }
    return known;
  };
  return (document, operationName, variables) => {
    const { id, conditions } = know(document);
    const decided = conditions.map((name) => String(variables[name])).join();
    const key = `${id} ${operationName ?? ''} ${decided}`;
    let operation = operations.get(key);
    if (operation === undefined) {
      operation = { uses: 0, compiled: undefined };
      operations.set(key, operation);
    }
    if (operation.uses < usesBefore) {
      operation.uses += 1;
      return null;
    }
    if (operation.compiled === undefined) {
      operation.compiled = compile(document, operationName, variables);
    }
    return operation.compiled;
  };
}
