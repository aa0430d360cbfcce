/** All that is known of a document: one entry, which everybody who executes it adds to. */

import type { DocumentNode } from 'graphql';
import { getOperationAST, OperationTypeNode } from 'graphql';

import { bytesOfDocument } from './bytes.ts';
import { conditionsOf } from './jit/document.ts';
import type { CompiledOperation } from './jit/compile.ts';

/** A document in a form that is executed, and what became of it. */
export class Executable {
  readonly document: DocumentNode;
  /** By the operation's name, and the values of the variables that decide what is left out. */
  readonly forms = new Map<string, Form>();
  #conditions: readonly string[] | null = null;

  constructor(document: DocumentNode) {
    this.document = document;
  }

  /** Names of the variables that decide what of the document is left out. */
  get conditions(): readonly string[] {
    this.#conditions ??= conditionsOf(this.document);
    return this.#conditions;
  }
}

export interface Form {
  uses: number;
  /** Undefined before it is compiled, null where it cannot be. */
  compiled: CompiledOperation | null | undefined;
}

/** Headers of an answer, without those that depend on its body. */
export type Headers = readonly (readonly [name: string, value: string])[];

export interface OperationOptions {
  /** It is ours, of the schema that no client sees. */
  readonly isPrivate?: boolean;
  /** Told when it holds more than before. */
  readonly onGrowth?: (operation: Operation) => void;
}

export class Operation {
  readonly isPrivate: boolean;
  /** As it was validated. */
  readonly plain: Executable;
  /** With pages as JSON; null where it has none, undefined before anybody has looked. */
  rewritten: Executable | null | undefined = undefined;
  /** What Apollo Server sends with an answer, by the `Accept` it was asked with. */
  readonly headers = new Map<string, Headers>();
  readonly #onGrowth: (operation: Operation) => void;
  #bytes: number;

  /** @param document valid */
  constructor(document: DocumentNode, { isPrivate = false, onGrowth = () => {} }: OperationOptions = {}) {
    this.isPrivate = isPrivate;
    this.plain = new Executable(document);
    this.#onGrowth = onGrowth;
    this.#bytes = bytesOfDocument(document);
  }

  get document(): DocumentNode {
    return this.plain.document;
  }

  /** That it holds in memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  grow(bytes: number): void {
    this.#bytes += bytes;
    this.#onGrowth(this);
  }

  /** @param name null for the document's only operation */
  isQuery(name: string | null): boolean {
    return getOperationAST(this.document, name)?.operation === OperationTypeNode.QUERY;
  }

  /** @param name null for the document's only operation */
  hasOperation(name: string | null): boolean {
    return Boolean(getOperationAST(this.document, name));
  }
}
