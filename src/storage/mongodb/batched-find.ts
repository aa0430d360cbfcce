/**
 * Reads the documents that several requests ask for at the same moment with one command, because most of what a small
 * read costs is the command. While two commands are under way, further requests wait and are answered together by the
 * next. Nothing is kept: a document is as new as the call that asked for it.
 */

import DataLoader from 'dataloader';

import type { StorageScope } from '../storage.ts';
import type { Collections, Database } from './database.ts';

/** Keys of one command at most. */
const MAX_KEYS = 200;
/** Commands under way at a time: more than one, so that one that hangs does not hold up everybody. */
const MAX_COMMANDS = 2;

/** @param find reads the documents of these keys, each at most once, in any order */
export function createBatchedFind<D>(
  database: Database,
  find: (collections: Collections, keys: string[]) => Promise<readonly D[]>,
  keyOf: (document: D) => string,
): (key: string, scope?: StorageScope) => Promise<D | null> {
  const slots = new CommandSlots(MAX_COMMANDS);
  const loader = new DataLoader<string, D | null>(
    async (keys) => {
      const different = [...new Set(keys)];
      const found = await slots.run(() => database.run((collections) => find(collections, different)));
      const byKey = new Map(found.map((document) => [keyOf(document), document]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
    { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: (send) => slots.add(send) },
  );
  // The time limit of the call holds for its wait too. Each command has a time limit of its own.
  return (key, scope) => database.run(() => loader.load(key), scope);
}

/**
 * Sends a batch when fewer commands than the limit are under way. Until then the batch takes more keys.
 *
 * By hand and not by p-queue, which needs the promise of a task before it begins it: DataLoader makes that of a batch
 * only once the batch is sent.
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
    // Not at once: what runs now may ask for more.
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
    // Counted here, since `send` calls `run` before it returns.
    this.#running += 1;
    send();
  }
}
