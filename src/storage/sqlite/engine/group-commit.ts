/**
 * Concurrent writes share one transaction, and so one sync to disk. Each call returns when the transaction is durable.
 */

import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

import { isLocked, isUnavailable, lockPause } from '../errors.ts';
import type { PendingChanges } from '../pending-changes.ts';

/** Maximum writes per transaction; bounds the latency of the first. */
const MAX_WRITES = 200;
/** Milliseconds after which no further write joins: a transaction blocks the event loop, and holds the lock. */
const MAX_TRANSACTION_MS = 10;
/** Milliseconds to wait for further writes before a transaction starts. */
const GATHER_MS = 10;

/** The database, as group commits use it. */
export interface Transactions {
  run(sql: string): unknown;
  /** False outside a transaction. SQLite rolls back by itself after some errors. */
  readonly isTransaction: boolean;
  /** Changes to write before the commit. A failed write leaves none. */
  readonly pending: Pick<PendingChanges, 'mark'>;
  beforeCommit(): void;
  /** Called at the end of every transaction, before its calls return. */
  transactionEnded(): void;
  /** @throws when the open files are not the ones at their paths */
  assertFileInPlace(): void;
}

interface PendingWrite {
  readonly work: () => unknown;
  /** When to stop waiting for another process's lock, on the clock of `performance`. */
  readonly deadline: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Settles the call of a write, once its transaction is durable or has failed. */
type Settle = () => void;

export class GroupCommit {
  readonly #transactions: Transactions;
  /** In call order, in which they are also written. */
  #waiting: PendingWrite[] = [];
  #drained: Promise<void> | null = null;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /**
   * @param work is synchronous. It may run again, and in the asynchronous context of another call
   * @param limitMs how long to wait for another process's lock
   */
  add<T>(work: () => T, limitMs: number): Promise<T> {
    const deadline = performance.now() + limitMs;
    return new Promise<T>((resolve, reject) => {
      // Only called with results of `work`.
      this.#waiting.push({ work, deadline, resolve: resolve as (value: unknown) => void, reject });
      this.#drained ??= this.#drain();
    });
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    await this.#drained;
  }

  async #drain(): Promise<void> {
    await this.#gather();
    while (this.#waiting.length > 0) {
      await (this.#attempt() ? this.#gather() : lockPause());
    }
    this.#drained = null;
  }

  /**
   * Waits until an event-loop turn adds no new write. A turn reads the requests that have arrived; clients that got
   * their responses together are still sending their next ones.
   */
  async #gather(): Promise<void> {
    const startedAt = performance.now();
    let before: number;
    do {
      before = this.#waiting.length;
      await nextEventLoopTurn();
    } while (
      before < this.#waiting.length &&
      this.#waiting.length < MAX_WRITES &&
      performance.now() - startedAt < GATHER_MS
    );
  }

  /** @returns false when another process holds the lock */
  #attempt(): boolean {
    const group = this.#waiting.slice(0, MAX_WRITES);
    let settles: readonly Settle[];
    try {
      settles = this.#commit(group);
    } catch (error) {
      if (isLocked(error)) {
        this.#rejectExpired(error);
        return false;
      }
      settles = group.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
    this.#waiting.splice(0, settles.length);
    for (const settle of settles) settle();
    return true;
  }

  /** @returns how to settle the first writes of the group, which are durable now. The others have not run */
  #commit(group: readonly PendingWrite[]): readonly Settle[] {
    try {
      return this.#transact(group, runDirectly);
    } catch (error) {
      if (!(error instanceof FailedWrite)) throw error;
      if (group.length === 1 || isUnavailable(error.cause)) throw error.cause;
      // Nothing of the group is stored. Failures are rare, and savepoints make each write copy the pages that it
      // changes.
      return this.#transact(group, (write) => this.#runInSavepoint(write));
    }
  }

  #transact(group: readonly PendingWrite[], run: (write: PendingWrite) => Settle): readonly Settle[] {
    const startedAt = performance.now();
    const settles: Settle[] = [];
    this.#transactions.run('BEGIN IMMEDIATE');
    try {
      // A commit would overwrite the log that another process created in place of ours.
      this.#transactions.assertFileInPlace();
      for (const write of group) {
        settles.push(run(write));
        if (performance.now() - startedAt >= MAX_TRANSACTION_MS) break;
      }
      this.#transactions.beforeCommit();
      this.#transactions.run('COMMIT');
      // Never acknowledge a write that other processes cannot see.
      this.#transactions.assertFileInPlace();
      return settles;
    } catch (error) {
      if (this.#transactions.isTransaction) this.#transactions.run('ROLLBACK');
      throw error;
    } finally {
      this.#transactions.transactionEnded();
    }
  }

  /**
   * A write that fails is rolled back alone.
   *
   * @throws errors that end the whole transaction
   */
  #runInSavepoint({ work, resolve, reject }: PendingWrite): Settle {
    const discardChanges = this.#transactions.pending.mark();
    this.#transactions.run('SAVEPOINT work');
    try {
      const value = work();
      this.#transactions.run('RELEASE work');
      return () => resolve(value);
    } catch (error) {
      // After an I/O error SQLite may have rolled back the other writes too.
      if (isUnavailable(error) || !this.#transactions.isTransaction) throw error;
      discardChanges();
      this.#transactions.run('ROLLBACK TO work');
      this.#transactions.run('RELEASE work');
      return () => reject(error);
    }
  }

  #rejectExpired(error: unknown): void {
    const now = performance.now();
    const expired = this.#waiting.filter(({ deadline }) => deadline <= now);
    this.#waiting = this.#waiting.filter(({ deadline }) => deadline > now);
    for (const { reject } of expired) reject(error);
  }
}

/** Wraps the error of one write. */
class FailedWrite extends Error {}

/** @throws FailedWrite */
function runDirectly({ work, resolve }: PendingWrite): Settle {
  try {
    const value = work();
    return () => resolve(value);
  } catch (error) {
    throw new FailedWrite('A write failed.', { cause: error });
  }
}
