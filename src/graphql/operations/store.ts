/** Operations that were asked for, kept as long as there is room for them, by what they really hold. */

import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { dropTokens } from './bytes.ts';
import { Operation } from './operation.ts';

/** Weighed once: what has grown is put in anew. */
interface Entry {
  readonly operation: Operation;
  readonly hash: string;
}

export class OperationStore {
  readonly #byText: LRUCache<string, Entry>;
  readonly #textOf = new Map<string, string>();

  /** @param maxBytes of all operations together; one that takes more than an eighth of it is not kept */
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

  /** Bytes that the operations hold, about. */
  get bytes(): number {
    return this.#byText.calculatedSize;
  }

  /** What is asked for often stays. */
  find(text: string): Operation | undefined {
    return this.#byText.get(text)?.operation;
  }

  /** @param hash that the operation was added with */
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
      // One that was forgotten meanwhile stays so.
      onGrowth: (grown) => {
        if (this.#byText.peek(text)?.operation === grown) keep(grown);
      },
    });
    keep(operation);
    return operation;
  }
}
