/**
 * Writes that wait at the same moment share one transaction, and so one sync of the disk. Each is answered when that
 * transaction is durable, and not before.
 */

import { setImmediate as turn } from 'node:timers/promises';

import { isLocked, isUnavailable } from './failures.ts';
import { lockPause } from './lock-pause.ts';

/** Works of one transaction at most, so that what waits behind them does not wait for ever more. */
const MOST_WORKS = 200;
/** No further work joins a transaction that has held the event loop, and the lock, for so long. */
const LONGEST_MS = 10;

/** What a transaction is made with. */
export interface Transactions {
  run(sql: string): unknown;
  /** False outside of a transaction, and after SQLite has rolled one back by itself. */
  readonly isTransaction: boolean;
  /** Told of every end of a transaction, before anybody hears what became of it. */
  transactionEnded(): void;
  /** @throws where what was committed is not in the file that others will open */
  assertFileInPlace(): void;
}

interface Waiter {
  readonly work: () => unknown;
  /** When another process's lock is waited for no longer, on the clock of `performance`. */
  readonly deadline: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Tells a waiter what became of its work. */
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
   * @param work is synchronous, and may be run again where a lock came between; it must not ask in whose asynchronous
   *   context it runs, which may be another waiter's
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
    // The end of a turn of the event loop: the works of all requests that were read in it have come by then.
    await turn();
    while (this.#waiting.length > 0) {
      await (this.#attempt() ? turn() : lockPause());
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

  /** @returns an answer for each work from the first to the last that was taken, true now that they are durable */
  #commit(group: readonly Waiter[]): readonly Answer[] {
    // Begun and ended within one turn of the event loop, so no other work of this process sees it open.
    const begun = performance.now();
    const answers: Answer[] = [];
    this.#transactions.run('BEGIN IMMEDIATE');
    try {
      for (const waiter of group) {
        answers.push(group.length === 1 ? runAlone(waiter) : this.#runAmongOthers(waiter));
        if (performance.now() - begun >= LONGEST_MS) break;
      }
      this.#transactions.run('COMMIT');
      this.#transactions.assertFileInPlace();
      return answers;
    } catch (error) {
      if (this.#transactions.isTransaction) this.#transactions.run('ROLLBACK');
      throw error;
    } finally {
      this.#transactions.transactionEnded();
    }
  }

  /** @throws what ends the whole transaction; a failure of the work itself is its answer, and the others' go on */
  #runAmongOthers({ work, resolve, reject }: Waiter): Answer {
    this.#transactions.run('SAVEPOINT work');
    try {
      const value = work();
      this.#transactions.run('RELEASE work');
      return () => resolve(value);
    } catch (error) {
      // After an error of the disk SQLite may have rolled back what the others stored as well.
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

/** Without a savepoint: the transaction itself is what a failure rolls back. */
function runAlone({ work, resolve }: Waiter): Answer {
  const value = work();
  return () => resolve(value);
}
