/** What a case of the storage suite is, so that the test runner and the runner of mutants can both use it. */

import type { Reason } from '../../support/skip.ts';
import type { Storage } from '../../../src/storage/storage.ts';

export interface StorageAdapter {
  readonly name: string;
  /** Opens an empty store that no other caller sees. */
  readonly open: (options: Pick<StorageCase, 'mostChanges'>) => Promise<Storage>;
  /** Closes a store and opens the same data again. Left out where a store keeps nothing. */
  readonly reopen?: (storage: Storage) => Promise<Storage>;
  /** Opens the same data a second time, as another process would. Left out where that cannot be. */
  readonly openAgain?: (storage: Storage) => Promise<Storage>;
  /** Cases that this adapter does not run, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
  /** Why a case is skipped; undefined where it runs. */
  readonly reasonToSkip?: (topic: string, storageCase: StorageCase) => Reason;
}

export interface Harness {
  readonly storage: Storage;
  /** The same data after close and open; the case uses what this answers from then on. */
  readonly reopen: () => Promise<Storage>;
  /** A second opening of the same data beside the first; closed with the case. */
  readonly openAgain: () => Promise<Storage>;
}

export interface StorageCase {
  readonly name: string;
  /** What the case asks of the adapter beyond `open`; where the adapter has it not, the case does not exist. */
  readonly needs?: 'reopen' | 'openAgain';
  /** Changes that the log of each map keeps; by default as many as in a store of ours. */
  readonly mostChanges?: number;
  readonly run: (harness: Harness) => Promise<void>;
}

export interface StorageTopic {
  readonly name: string;
  readonly cases: readonly StorageCase[];
}

/** The topics without the cases that ask for more than the adapter can. */
export function casesFor(adapter: StorageAdapter, topics: readonly StorageTopic[]): readonly StorageTopic[] {
  return topics.map(({ name, cases }) => ({
    name,
    cases: cases.filter(({ needs }) => needs === undefined || adapter[needs] !== undefined),
  }));
}

/** Runs one case on an empty store of its own, and closes whatever it opened, also where it fails. */
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
