/** Caches known operations, weighed by their real memory. */

import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { dropTokens } from './document-memory.ts';
import { Operation } from './operation.ts';

/** The LRU cache weighs an entry once, so an operation that has grown is stored again as a new entry. */
interface Entry {
  readonly operation: Operation;
  readonly hash: string;
}

export class OperationStore {
  readonly #byText: LRUCache<string, Entry>;
  readonly #textOf = new Map<string, string>();

  /** @param maxBytes of all operations. One that takes more than an eighth of it is not stored */
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

  /** Estimated memory of the operations. */
  get bytes(): number {
    return this.#byText.calculatedSize;
  }

  /** Marks the operation as recently used. */
  find(text: string): Operation | undefined {
    return this.#byText.get(text)?.operation;
  }

  /** @param hash given to {@link add} */
  findByHash(hash: string): Operation | undefined {
    const text = this.#textOf.get(hash);
    return text === undefined ? undefined : this.find(text);
  }

  /** @param document valid, with locations; its tokens are dropped */
  add(document: DocumentNode, hash: string): Operation {
    dropTokens(document);
    const text = document.loc?.source.body ?? '';
    const keep = (operation: Operation) => {
      this.#textOf.set(hash, text);
      this.#byText.set(text, { operation, hash });
      if (!this.#byText.has(text)) this.#textOf.delete(hash);
    };
    const operation: Operation = new Operation(document, {
      // Do not store an evicted operation again.
      onGrowth: (grown) => {
        if (this.#byText.peek(text)?.operation === grown) keep(grown);
      },
    });
    keep(operation);
    return operation;
  }
}
