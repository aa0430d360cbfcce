/**
 * Keeps processes from serving a store that is being restored. A store call proceeds only if the store had no restore
 * mark within the last second. A restore waits that long, and for calls in progress, before it changes anything: so no
 * client sees a partly restored store, and no earlier write gets into it.
 */

import { storageBeingRestored } from '../../errors.ts';
import type { Storage, StorageNotice } from '../../storage/storage.ts';
import { assertComplete, isUnfinished, RESTORE_MARK } from '../store/store-marks.ts';

/** Milliseconds for which a check of the mark is valid. */
export const CHECK_VALID_MS = 1_000;

/** Milliseconds for which calls join a check that is in progress. */
const CHECK_SHARED_MS = 50;

export interface GuardOptions {
  /** Called now, and again after each restore. */
  readonly prepare: (storage: Storage) => Promise<void>;
  readonly onNotice?: (notice: StorageNotice) => void;
  /** Monotonic milliseconds. */
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
    // Only notifies; the changes are read by guarded calls.
    watchChanges: (onChange) => storage.watchChanges(onChange),
    listMapsWithKeys: () => afterCheck(guard, () => storage.listMapsWithKeys()),
    dump: (expiringAfter) => afterCheck(guard, () => storage.dump(expiringAfter)),
    snapshot: (expiringAfter) => afterCheck(guard, () => storage.snapshot(expiringAfter)),
  };
}

type Call = (...args: unknown[]) => Promise<unknown>;

/** Wraps every method. Most calls find a valid check and do not wait. */
function guarded(storage: Storage, guard: Guard): Storage {
  const methods = Object.entries(storage as unknown as Record<string, Call>).map(([name, method]) => {
    const call: Call = (...args) => {
      const check = guard.check();
      return check === undefined ? method(...args) : check.then(() => method(...args));
    };
    return [name, call] as const;
  });
  return Object.fromEntries(methods) as unknown as Storage;
}

async function* afterCheck<T>(guard: Guard, open: () => AsyncIterable<T>): AsyncGenerator<T> {
  await guard.check();
  yield* open();
}

class Guard {
  readonly #storage: Storage;
  readonly #options: GuardOptions;
  readonly #clock: () => number;
  /** The mark when the store was last prepared. */
  #preparedFor: string | null;
  /** Start of the last check that found the store complete; null if it may be incomplete. */
  #checkedAt: number | null = null;
  #checking: { readonly begun: number; readonly done: Promise<void> } | null = null;
  /** The last notice; null while the store is complete. */
  #reported: string | null = null;

  constructor(storage: Storage, mark: string | null, options: GuardOptions) {
    this.#storage = storage;
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#preparedFor = mark;
  }

  /** @returns undefined if the last check is valid; else a promise that resolves once the store is found complete */
  check(): Promise<void> | undefined {
    if (this.#checkedAt !== null && this.#clock() - this.#checkedAt < CHECK_VALID_MS) return undefined;
    // Concurrent calls share a check, but only a recent one: it may hang if the store is unreachable.
    if (this.#checking !== null && this.#clock() - this.#checking.begun < CHECK_SHARED_MS) {
      return this.#checking.done;
    }
    const checking = { begun: this.#clock(), done: this.#check() };
    this.#checking = checking;
    const end = () => {
      if (this.#checking === checking) this.#checking = null;
    };
    checking.done.then(end, end);
    return checking.done;
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  async #check(): Promise<void> {
    const begun = this.#clock();
    const mark = await this.#storage.getMeta(RESTORE_MARK);
    if (isUnfinished(mark, 'completedAt')) {
      this.#checkedAt = null;
      this.#report({
        level: 'info',
        message: 'The database is being restored from a backup; calls are refused.',
      });
      throw storageBeingRestored();
    }
    if (mark !== this.#preparedFor) await this.#prepare(mark);
    this.#checkedAt = begun;
  }

  async #prepare(mark: string | null): Promise<void> {
    this.#checkedAt = null;
    try {
      await this.#options.prepare(this.#storage);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The database was restored from a backup and cannot be served: ${reason}`;
      this.#report({ level: 'error', message });
      throw storageBeingRestored(error);
    }
    this.#preparedFor = mark;
    this.#reported = null;
    this.#options.onNotice?.({ level: 'info', message: 'The database was restored from a backup.' });
  }

  /** Reports each notice once, not for every call. */
  #report(notice: StorageNotice): void {
    if (this.#reported === notice.message) return;
    this.#reported = notice.message;
    this.#options.onNotice?.(notice);
  }
}
