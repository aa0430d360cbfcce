/** Everything known about a document. Executions add to it. */

import type { DocumentNode, OperationTypeNode } from 'graphql';
import { getOperationAST } from 'graphql';

import { bytesOfDocument } from './document-memory.ts';
import { conditionsOf } from './jit/document.ts';
import type { CompiledOperation } from './jit/compile.ts';
import type { UnsafeLiteral } from './unsafe-literals.ts';

/** An executable form of the document, with its compiled variants. */
export class Executable {
  readonly document: DocumentNode;
  /** By operation name and the values of the variables in {@link conditions}. */
  readonly forms = new Map<string, Form>();
  #conditions: readonly string[] | null = null;

  constructor(document: DocumentNode) {
    this.document = document;
  }

  /** Names of the variables in `@skip` and `@include`. */
  get conditions(): readonly string[] {
    this.#conditions ??= conditionsOf(this.document);
    return this.#conditions;
  }
}

export interface Form {
  uses: number;
  /** Undefined before compilation; null if the form cannot be compiled. */
  compiled: CompiledOperation | null | undefined;
}

/** Response headers that do not depend on the body. */
export type Headers = readonly (readonly [name: string, value: string])[];

export interface OperationOptions {
  /** True for our own documents, which use the private schema. */
  readonly isPrivate?: boolean;
  /** Called when the operation needs more memory. */
  readonly onGrowth?: (operation: Operation) => void;
}

export class Operation {
  readonly isPrivate: boolean;
  /** The document as received and validated. */
  readonly plain: Executable;
  /** The form that reads pages as JSON; null if it has no such pages, undefined before it is rewritten. */
  rewritten: Executable | null | undefined = undefined;
  /** Undefined before the search. */
  unsafeLiteral: UnsafeLiteral | null | undefined = undefined;
  /** Headers of Apollo's responses, by the request's `Accept`. */
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

  /** Estimated memory in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  grow(bytes: number): void {
    this.#bytes += bytes;
    this.#onGrowth(this);
  }

  /** The operation's name; undefined for an anonymous one. @param name null for the document's only operation */
  nameOf(name: string | null): string | undefined {
    if (name !== null) return name;
    this.#onlyName ??= { text: getOperationAST(this.document)?.name?.value };
    return this.#onlyName.text;
  }

  /** Undefined if there is no such operation. @param name null for the document's only operation */
  typeOf(name: string | null): OperationTypeNode | undefined {
    return getOperationAST(this.document, name)?.operation;
  }

  /** @param name null for the document's only operation */
  hasOperation(name: string | null): boolean {
    return Boolean(getOperationAST(this.document, name));
  }
}
