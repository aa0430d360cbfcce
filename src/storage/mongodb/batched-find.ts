/**
 * Batches concurrent lookups into one command, since most of the cost of a small read is the command. While two commands are
 * in progress, lookups wait for the next one. Nothing is cached: a document is as new as the call.
 */

import DataLoader from 'dataloader';

import type { StorageScope } from '../storage.ts';
import type { Database } from './database.ts';
import type { Collections } from './schema.ts';

/** Keys per command. */
const MAX_KEYS = 200;
/** Concurrent commands: more than one, so that a hanging command does not block all lookups. */
const MAX_COMMANDS = 2;

/** @param find returns the documents of these distinct keys, in any order */
export function createBatchedFind<D>(
  database: Database,
  find: (collections: Collections, keys: string[]) => Promise<readonly D[]>,
  keyOf: (document: D) => string,
): (key: string, scope?: StorageScope) => Promise<D | null> {
  const slots = new CommandSlots(MAX_COMMANDS);
  const loader = new DataLoader<string, D | null>(
    async (keys) => {
      const distinct = [...new Set(keys)];
      const found = await slots.run(() => database.run((collections) => find(collections, distinct)));
      const byKey = new Map(found.map((document) => [keyOf(document), document]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
    { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: (send) => slots.add(send) },
  );
  // The time limit of the call includes its wait; each command has its own limit too.
  return (key, scope) => database.run(() => loader.load(key), scope);
}

/**
 * Sends a batch when fewer commands than the limit are in progress. Until then the batch accepts more keys. p-queue does not
 * fit: it needs a task's promise in advance, and DataLoader creates the batch's promise when it sends the batch.
 */
class CommandSlots {
  readonly #waiting: (() => void)[] = [];
  readonly #limit: number;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(send: () => void): void {
    this.#waiting.push(send);
    // Deferred: the current code may add more keys.
    process.nextTick(() => this.#next());
  }

  async run<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #next(): void {
    if (this.#running >= this.#limit) return;
    const send = this.#waiting.shift();
    if (send === undefined) return;
    // Before `send`, which calls `run` synchronously.
    this.#running += 1;
    send();
  }
}
