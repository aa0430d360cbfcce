/** A growing list that a test can wait for. */

import { PATIENCE_MS } from './until.ts';

export class AwaitedList<T> {
  readonly all: T[] = [];
  readonly #waiting = new Set<() => void>();

  add(item: T): void {
    this.all.push(item);
    for (const look of this.#waiting) look();
  }

  /** Resolves at this length, or when the items satisfy the predicate. @throws Error if that does not happen in time */
  async until(isEnough: number | ((all: readonly T[]) => boolean)): Promise<readonly T[]> {
    const isSo = typeof isEnough === 'number' ? (all: readonly T[]) => all.length >= isEnough : isEnough;
    if (isSo(this.all)) return this.all;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`Not in time; there are ${this.all.length}: ${JSON.stringify(this.all.slice(-3))}`));
      }, PATIENCE_MS);
      const look = () => {
        if (!isSo(this.all)) return void timer.refresh();
        this.#waiting.delete(look);
        clearTimeout(timer);
        resolve(this.all);
      };
      this.#waiting.add(look);
    });
  }
}
