/**
 * Documents that are asked for at the same moment, by whichever requests, are read by one command: most of what a small
 * read costs is the command. While the server is slow, those asked for meanwhile wait for one another, so that it is
 * spared the more the busier it is. Nothing is kept: each is as new as the call that asked for it.
 */

import DataLoader from 'dataloader';

import type { StorageScope } from '../storage.ts';
import type { Collections, Database } from './database.ts';

/** Keys of one command at most. */
const MAX_KEYS = 200;
/** Commands under way at a time: more than one, so that one that hangs does not hold up everybody. */
const MAX_COMMANDS = 2;

/** @param find reads the documents of these keys, each at most once, in any order */
export function findTogether<D>(
  database: Database,
  find: (collections: Collections, keys: string[]) => Promise<readonly D[]>,
  keyOf: (document: D) => string,
): (key: string, scope?: StorageScope) => Promise<D | null> {
  const queue = new Queue(MAX_COMMANDS);
  const loader = new DataLoader<string, D | null>(
    async (keys) => {
      const different = [...new Set(keys)];
      const found = await queue.run(() => database.run((collections) => find(collections, different)));
      const byKey = new Map(found.map((document) => [keyOf(document), document]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
    { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: (send) => queue.add(send) },
  );
  // The limit to a call counts the wait for other commands, each of which has one of its own.
  return (key, scope) => database.run(() => loader.load(key), scope);
}

/** Batches that are being filled: each is sent when a command may begin, at the end of what is being done at the earliest. */
class Queue {
  readonly #waiting: (() => void)[] = [];
  readonly #limit: number;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(send: () => void): void {
    this.#waiting.push(send);
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
    // Counted before it begins: a batch is sent within the call.
    this.#running += 1;
    send();
  }
}
