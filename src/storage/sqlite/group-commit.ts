/**
 * Writes that wait together share one transaction, and so one sync of the disk. Each is answered when that transaction is
 * durable, and not before.
 */

import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

import { isLocked, isUnavailable } from './failures.ts';
import { lockPause } from './lock-pause.ts';

/** Works of one transaction at most, so that the first of them is not held up by many others. */
const MOST_WORKS = 200;
/** A transaction holds the event loop and the lock. After so long no further work joins it. */
const LONGEST_MS = 10;

/** What a transaction is made with. */
export interface Transactions {
  run(sql: string): unknown;
  /** False outside of a transaction, and after SQLite has rolled one back by itself. */
  readonly isTransaction: boolean;
  /** Told of every end of a transaction, before anybody hears what became of it. */
  transactionEnded(): void;
  /** @throws when the open files are not those that others would open */
  assertFileInPlace(): void;
}

interface Waiter {
  readonly work: () => unknown;
  /** When another process's lock is waited for no longer, on the clock of `performance`. */
  readonly deadline: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Tells a waiter what became of its work; called when the transaction is durable, or has failed. */
type Answer = () => void;

export class GroupCommit {
  readonly #transactions: Transactions;
  /** In the order in which they came, which is that of the transactions. */
  #waiting: Waiter[] = [];
  #drained: Promise<void> | null = null;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /**
   * @param work is synchronous. It is run again where another process's lock came between. It may run in the asynchronous
   *   context of another waiter, so it must not depend on that.
   * @param limitMs how long another process's lock may be waited for
   */
  add<T>(work: () => T, limitMs: number): Promise<T> {
    const deadline = performance.now() + limitMs;
    return new Promise<T>((resolve, reject) => {
      // Only what `work` returned is given to it.
      this.#waiting.push({ work, deadline, resolve: resolve as (value: unknown) => void, reject });
      this.#drained ??= this.#drain();
    });
  }

  /** Resolves when nobody waits. */
  async idle(): Promise<void> {
    await this.#drained;
  }

  async #drain(): Promise<void> {
    // By the next turn of the event loop, the works of all requests that were read in this one have come.
    await nextEventLoopTurn();
    while (this.#waiting.length > 0) {
      await (this.#attempt() ? nextEventLoopTurn() : lockPause());
    }
    this.#drained = null;
  }

  /** @returns false where another process has the lock */
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

  /** @returns the answers of the works that were taken, which are the first of the group; their transaction is durable */
  #commit(group: readonly Waiter[]): readonly Answer[] {
    // It begins and ends within one turn of the event loop. So no other work of this process sees it open.
    const begun = performance.now();
    const answers: Answer[] = [];
    this.#transactions.run('BEGIN IMMEDIATE');
    try {
      // A commit would overwrite a log that another process made in the place of ours.
      this.#transactions.assertFileInPlace();
      for (const waiter of group) {
        answers.push(group.length === 1 ? runAlone(waiter) : this.#runAmongOthers(waiter));
        if (performance.now() - begun >= LONGEST_MS) break;
      }
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
   * A failure of the work itself becomes its answer, and the transaction goes on.
   *
   * @throws what ends the whole transaction
   */
  #runAmongOthers({ work, resolve, reject }: Waiter): Answer {
    this.#transactions.run('SAVEPOINT work');
    try {
      const value = work();
      this.#transactions.run('RELEASE work');
      return () => resolve(value);
    } catch (error) {
      // After an error of the disk, SQLite may have rolled back the other works too.
      if (isUnavailable(error) || !this.#transactions.isTransaction) throw error;
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

/** Needs no savepoint: a failure rolls back the transaction, which holds nothing else. */
function runAlone({ work, resolve }: Waiter): Answer {
  const value = work();
  return () => resolve(value);
}
