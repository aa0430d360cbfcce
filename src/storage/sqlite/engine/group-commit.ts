/**
 * Writes that wait together share one transaction, and so one sync of the disk. Each is answered once the transaction is
 * durable.
 */

import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

import { isLocked, isUnavailable, lockPause } from '../errors.ts';
import type { PendingChanges } from '../pending-changes.ts';

/** Works in one transaction. Its first work waits for all others. */
const MOST_WORKS = 200;
/** Milliseconds. A transaction holds the event loop and the lock, so after this time no further work joins it. */
const LONGEST_MS = 10;
/** Milliseconds. So long at most the works of requests that keep arriving are waited for before a transaction begins. */
const GATHER_MS = 10;

/** What group commits need of a connection. */
export interface Transactions {
  run(sql: string): unknown;
  /** False outside a transaction. SQLite rolls one back by itself after some errors. */
  readonly isTransaction: boolean;
  /** What the works have left to be written at the end of their transaction. A work that fails leaves nothing. */
  readonly pending: Pick<PendingChanges, 'mark'>;
  beforeCommit(): void;
  /** Called at every end of a transaction, before its works are answered. */
  transactionEnded(): void;
  /** @throws when the open files are not those that others would open */
  assertFileInPlace(): void;
}

interface Waiter {
  readonly work: () => unknown;
  /** Until when another process's lock is waited for, on the clock of `performance`. */
  readonly deadline: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Tells a waiter the result of its work. Called when the transaction is durable or has failed. */
type Answer = () => void;

export class GroupCommit {
  readonly #transactions: Transactions;
  /** In the order of the calls, in which they are also written. */
  #waiting: Waiter[] = [];
  #drained: Promise<void> | null = null;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /**
   * @param work is synchronous. It runs again when another process's lock came between, or another work of the transaction
   *   failed. It may run in the asynchronous context of another call
   * @param limitMs how long another process's lock may be waited for
   */
  add<T>(work: () => T, limitMs: number): Promise<T> {
    const deadline = performance.now() + limitMs;
    return new Promise<T>((resolve, reject) => {
      // It only ever gets what `work` returned.
      this.#waiting.push({ work, deadline, resolve: resolve as (value: unknown) => void, reject });
      this.#drained ??= this.#drain();
    });
  }

  /** Resolves when nobody waits. */
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
   * Waits for a turn of the event loop that brings no further work. In one turn the requests are read that had arrived by
   * then, while clients that were answered together are still sending their next ones.
   */
  async #gather(): Promise<void> {
    const begun = performance.now();
    let gathered: number;
    do {
      gathered = this.#waiting.length;
      await nextEventLoopTurn();
    } while (
      gathered < this.#waiting.length &&
      this.#waiting.length < MOST_WORKS &&
      performance.now() - begun < GATHER_MS
    );
  }

  /** @returns false when another process has the lock */
  #attempt(): boolean {
    const group = this.#waiting.slice(0, MOST_WORKS);
    let answers: readonly Answer[];
    try {
      answers = this.#commit(group);
    } catch (error) {
      if (isLocked(error)) {
        this.#giveUpLate(error);
        return false;
      }
      answers = group.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
    this.#waiting.splice(0, answers.length);
    for (const answer of answers) answer();
    return true;
  }

  /** @returns the answers of the first works of the group, whose transaction is durable. The others were not begun */
  #commit(group: readonly Waiter[]): readonly Answer[] {
    try {
      return this.#transact(group, runUnguarded);
    } catch (error) {
      if (!(error instanceof FailedWork)) throw error;
      if (group.length === 1 || isUnavailable(error.cause)) throw error.cause;
      // Nothing of the group is stored. Works that fail are rare, and savepoints cost every work a copy of the pages that
      // it changes.
      return this.#transact(group, (waiter) => this.#runGuarded(waiter));
    }
  }

  #transact(group: readonly Waiter[], run: (waiter: Waiter) => Answer): readonly Answer[] {
    const begun = performance.now();
    const answers: Answer[] = [];
    this.#transactions.run('BEGIN IMMEDIATE');
    try {
      // A commit would overwrite a log that another process made in the place of ours.
      this.#transactions.assertFileInPlace();
      for (const waiter of group) {
        answers.push(run(waiter));
        if (performance.now() - begun >= LONGEST_MS) break;
      }
      this.#transactions.beforeCommit();
      this.#transactions.run('COMMIT');
      // Nothing is answered as stored that others will not find.
      this.#transactions.assertFileInPlace();
      return answers;
    } catch (error) {
      if (this.#transactions.isTransaction) this.#transactions.run('ROLLBACK');
      throw error;
    } finally {
      this.#transactions.transactionEnded();
    }
  }

  /**
   * When the work itself fails, that is its answer, and the transaction goes on.
   *
   * @throws what ends the whole transaction
   */
  #runGuarded({ work, resolve, reject }: Waiter): Answer {
    const forgetWork = this.#transactions.pending.mark();
    this.#transactions.run('SAVEPOINT work');
    try {
      const value = work();
      this.#transactions.run('RELEASE work');
      return () => resolve(value);
    } catch (error) {
      // After an error of the disk, SQLite may have rolled back the other works too.
      if (isUnavailable(error) || !this.#transactions.isTransaction) throw error;
      forgetWork();
      this.#transactions.run('ROLLBACK TO work');
      this.#transactions.run('RELEASE work');
      return () => reject(error);
    }
  }

  #giveUpLate(error: unknown): void {
    const now = performance.now();
    const late = this.#waiting.filter(({ deadline }) => deadline <= now);
    this.#waiting = this.#waiting.filter(({ deadline }) => deadline > now);
    for (const { reject } of late) reject(error);
  }
}

/** A work's own error, which is its cause. */
class FailedWork extends Error {}

/** @throws FailedWork */
function runUnguarded({ work, resolve }: Waiter): Answer {
  try {
    const value = work();
    return () => resolve(value);
  } catch (error) {
    throw new FailedWork('A work has failed.', { cause: error });
  }
}
