/** Known operations, kept while there is room for them. Each is weighed by the memory that it really holds. */

import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { dropTokens } from './bytes.ts';
import { Operation } from './operation.ts';

/** An entry is weighed once. An operation that has grown is put in again, as a new entry. */
interface Entry {
  readonly operation: Operation;
  readonly hash: string;
}

export class OperationStore {
  readonly #byText: LRUCache<string, Entry>;
  readonly #textOf = new Map<string, string>();

  /** @param maxBytes of all operations together. One that takes more than an eighth of it is not kept */
  constructor(maxBytes: number) {
    this.#byText = new LRUCache<string, Entry>({
      maxSize: maxBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
      sizeCalculation: ({ operation }) => operation.bytes,
      disposeAfter: ({ hash }, text) => {
        if (!this.#byText.has(text)) this.#textOf.delete(hash);
      },
    });
  }

  /** Bytes that the operations hold, estimated. */
  get bytes(): number {
    return this.#byText.calculatedSize;
  }

  /** Finding an operation marks it as recently used. */
  find(text: string): Operation | undefined {
    return this.#byText.get(text)?.operation;
  }

  /** @param hash with which the operation was added */
  findByHash(hash: string): Operation | undefined {
    const text = this.#textOf.get(hash);
    return text === undefined ? undefined : this.find(text);
  }

  /** @param document valid, with its locations; its tokens are dropped */
  add(document: DocumentNode, hash: string): Operation {
    dropTokens(document);
    const text = document.loc?.source.body ?? '';
    const keep = (operation: Operation) => {
      this.#textOf.set(hash, text);
      this.#byText.set(text, { operation, hash });
      if (!this.#byText.has(text)) this.#textOf.delete(hash);
    };
    const operation: Operation = new Operation(document, {
      // An operation that was dropped meanwhile is not put in again.
      onGrowth: (grown) => {
        if (this.#byText.peek(text)?.operation === grown) keep(grown);
      },
    });
    keep(operation);
    return operation;
  }
}
