/**
 * Keeps a process from serving a store that is being restored. Every call of the store is let through only where the
 * store was seen without the mark of a restore a short time before. A restore waits that long, and for what was under
 * way, before it changes anything. So nobody sees a part of it, and no write of before gets into it.
 */

import { storageBeingRestored } from '../../errors.ts';
import type { Storage, StorageNotice } from '../../storage/storage.ts';
import { assertComplete, isUnfinished, RESTORE_MARK } from '../store/store-marks.ts';

/** Milliseconds that a look at the mark counts. */
export const LOOK_COUNTS_MS = 1_000;

/** Milliseconds for which calls join a look that is under way. */
const LOOK_IS_SHARED_MS = 50;

export interface GuardOptions {
  /** Called now, and again whenever another restore was completed. */
  readonly prepare: (storage: Storage) => Promise<void>;
  readonly onNotice?: (notice: StorageNotice) => void;
  /** Milliseconds that only grow. */
  readonly clock?: () => number;
}

/** @throws UnfinishedCopyError, UnfinishedRestoreError, and what `prepare` throws */
export async function guardStorage(storage: Storage, options: GuardOptions): Promise<Storage> {
  const mark = await storage.getMeta(RESTORE_MARK);
  await assertComplete(storage);
  await options.prepare(storage);
  const guard = new Guard(storage, mark, options);
  return {
    ...guarded(storage, guard),
    close: () => storage.close(),
    // What it tells of is read by calls that are let through.
    watchChanges: (onChange) => storage.watchChanges(onChange),
    listMapsWithKeys: () => afterLook(guard, () => storage.listMapsWithKeys()),
    dump: (expiringAfter) => afterLook(guard, () => storage.dump(expiringAfter)),
    snapshot: (expiringAfter) => afterLook(guard, () => storage.snapshot(expiringAfter)),
  };
}

type Call = (...args: unknown[]) => Promise<unknown>;

/** The same methods. Most calls find that a look counts, and wait for nothing. */
function guarded(storage: Storage, guard: Guard): Storage {
  const methods = Object.entries(storage as unknown as Record<string, Call>).map(([name, method]) => {
    const call: Call = (...args) => {
      const look = guard.look();
      return look === undefined ? method(...args) : look.then(() => method(...args));
    };
    return [name, call] as const;
  });
  return Object.fromEntries(methods) as unknown as Storage;
}

async function* afterLook<T>(guard: Guard, open: () => AsyncIterable<T>): AsyncGenerator<T> {
  await guard.look();
  yield* open();
}

class Guard {
  readonly #storage: Storage;
  readonly #options: GuardOptions;
  readonly #clock: () => number;
  /** As it was when the store was last prepared. */
  #preparedFor: string | null;
  /** When the look began that found the store whole; null while it is not known to be. */
  #lookedAt: number | null = null;
  #looking: { readonly begun: number; readonly done: Promise<void> } | null = null;
  /** What was told last; null while the store is whole. */
  #told: string | null = null;

  constructor(storage: Storage, mark: string | null, options: GuardOptions) {
    this.#storage = storage;
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#preparedFor = mark;
  }

  /** @returns undefined where the last look counts; else what resolves when the store was found whole */
  look(): Promise<void> | undefined {
    if (this.#lookedAt !== null && this.#clock() - this.#lookedAt < LOOK_COUNTS_MS) return undefined;
    // Calls at once share a look. One that hangs, since the store cannot be reached, is nobody else's.
    if (this.#looking !== null && this.#clock() - this.#looking.begun < LOOK_IS_SHARED_MS) {
      return this.#looking.done;
    }
    const looking = { begun: this.#clock(), done: this.#look() };
    this.#looking = looking;
    const end = () => {
      if (this.#looking === looking) this.#looking = null;
    };
    looking.done.then(end, end);
    return looking.done;
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  async #look(): Promise<void> {
    const begun = this.#clock();
    const mark = await this.#storage.getMeta(RESTORE_MARK);
    if (isUnfinished(mark, 'completedAt')) {
      this.#lookedAt = null;
      this.#tell({
        level: 'info',
        message: 'The database is being restored from a backup; calls are refused.',
      });
      throw storageBeingRestored();
    }
    if (mark !== this.#preparedFor) await this.#prepare(mark);
    this.#lookedAt = begun;
  }

  async #prepare(mark: string | null): Promise<void> {
    this.#lookedAt = null;
    try {
      await this.#options.prepare(this.#storage);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The database was restored from a backup and cannot be served: ${reason}`;
      this.#tell({ level: 'error', message });
      throw storageBeingRestored(error);
    }
    this.#preparedFor = mark;
    this.#told = null;
    this.#options.onNotice?.({ level: 'info', message: 'The database was restored from a backup.' });
  }

  /** Once, and not for every call. */
  #tell(notice: StorageNotice): void {
    if (this.#told === notice.message) return;
    this.#told = notice.message;
    this.#options.onNotice?.(notice);
  }
}
