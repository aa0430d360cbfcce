/** The cases of the storage suite, for the test runner and the mutant runner. */

import type { Reason } from '../../support/skip.ts';
import type { Storage } from '../../../src/storage/storage.ts';

export interface StorageAdapter {
  readonly name: string;
  /** Opens an empty store that no other caller sees. */
  readonly open: (options: Pick<StorageCase, 'mostChanges'>) => Promise<Storage>;
  /** Closes a store and opens the same data again. Omitted for a store in memory. */
  readonly reopen?: (storage: Storage) => Promise<Storage>;
  /** Opens the same data a second time, as another process would. Omitted where impossible. */
  readonly openAgain?: (storage: Storage) => Promise<Storage>;
  /** Reasons of the skipped cases, by name. */
  readonly skip?: Readonly<Record<string, string>>;
  /** Why a case is skipped; undefined where it runs. */
  readonly reasonToSkip?: (topic: string, storageCase: StorageCase) => Reason;
}

export interface Harness {
  readonly storage: Storage;
  /** The same data after close and open; the case uses the returned store from then on. */
  readonly reopen: () => Promise<Storage>;
  /** A second opening of the same data; closed with the case. */
  readonly openAgain: () => Promise<Storage>;
}

export interface StorageCase {
  readonly name: string;
  /** The adapter method that the case needs besides `open`; without it the case is left out. */
  readonly needs?: 'reopen' | 'openAgain';
  /** The number of changes that each map's log keeps; by default that of a real store. */
  readonly mostChanges?: number;
  readonly run: (harness: Harness) => Promise<void>;
}

export interface StorageTopic {
  readonly name: string;
  readonly cases: readonly StorageCase[];
}

/** The topics without the cases that the adapter does not support. */
export function casesFor(adapter: StorageAdapter, topics: readonly StorageTopic[]): readonly StorageTopic[] {
  return topics.map(({ name, cases }) => ({
    name,
    cases: cases.filter(({ needs }) => needs === undefined || adapter[needs] !== undefined),
  }));
}

/** Runs one case on a new store, and closes every opening, also on failure. */
export async function runCase(adapter: StorageAdapter, { run, mostChanges }: StorageCase): Promise<void> {
  const first = await adapter.open({ mostChanges });
  const opened = [first];
  let current = first;
  const harness: Harness = {
    storage: first,
    async reopen() {
      if (adapter.reopen === undefined) throw new Error(`${adapter.name} cannot reopen a store.`);
      current = await adapter.reopen(current);
      opened.push(current);
      return current;
    },
    async openAgain() {
      if (adapter.openAgain === undefined) throw new Error(`${adapter.name} cannot open a store twice.`);
      const second = await adapter.openAgain(current);
      opened.push(second);
      return second;
    },
  };
  try {
    await run(harness);
  } finally {
    for (const storage of opened) await storage.close();
  }
}
