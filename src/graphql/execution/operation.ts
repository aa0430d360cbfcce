/** All that is known of a document: one entry, to which every execution adds. */

import type { DocumentNode, OperationTypeNode } from 'graphql';
import { getOperationAST } from 'graphql';

import { bytesOfDocument } from './bytes.ts';
import { conditionsOf } from './jit/document.ts';
import type { CompiledOperation } from './jit/compile.ts';
import type { UnsafeLiteral } from './literals.ts';

/** A form of the document that is executed, and its compiled variants. */
export class Executable {
  readonly document: DocumentNode;
  /** By the operation's name and the values of the variables that decide what is left out. */
  readonly forms = new Map<string, Form>();
  #conditions: readonly string[] | null = null;

  constructor(document: DocumentNode) {
    this.document = document;
  }

  /** Names of the variables that decide which parts of the document are left out. */
  get conditions(): readonly string[] {
    this.#conditions ??= conditionsOf(this.document);
    return this.#conditions;
  }
}

export interface Form {
  uses: number;
  /** Undefined before it is compiled; null when it cannot be compiled. */
  compiled: CompiledOperation | null | undefined;
}

/** Headers of an answer, without those that depend on its body. */
export type Headers = readonly (readonly [name: string, value: string])[];

export interface OperationOptions {
  /** True for a document of ours, for the private schema. */
  readonly isPrivate?: boolean;
  /** Called when the entry holds more memory than before. */
  readonly onGrowth?: (operation: Operation) => void;
}

export class Operation {
  readonly isPrivate: boolean;
  /** As the client sent it and as it was validated. */
  readonly plain: Executable;
  /** The form with pages as JSON; null when there are no such pages, undefined before it was made. */
  rewritten: Executable | null | undefined = undefined;
  /** Undefined before it was looked for. */
  unsafeLiteral: UnsafeLiteral | null | undefined = undefined;
  /** The headers of Apollo Server's answers, by the request's `Accept`. */
  readonly headers = new Map<string, Headers>();
  readonly #onGrowth: (operation: Operation) => void;
  #bytes: number;
  #onlyName: { readonly text: string | undefined } | null = null;

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

  /** An estimate of the memory that it holds. */
  get bytes(): number {
    return this.#bytes;
  }

  grow(bytes: number): void {
    this.#bytes += bytes;
    this.#onGrowth(this);
  }

  /** The operation's name; undefined where it has none. @param name null for the document's only one */
  nameOf(name: string | null): string | undefined {
    if (name !== null) return name;
    this.#onlyName ??= { text: getOperationAST(this.document)?.name?.value };
    return this.#onlyName.text;
  }

  /** Undefined where there is no such operation. @param name null for the document's only one */
  typeOf(name: string | null): OperationTypeNode | undefined {
    return getOperationAST(this.document, name)?.operation;
  }

  /** @param name null for the document's only operation */
  hasOperation(name: string | null): boolean {
    return Boolean(getOperationAST(this.document, name));
  }
}
