/** Limits concurrent requests. Requests to failing receivers use at most half of the slots. */

export class ConcurrencyLimit {
  readonly #size: number;
  #taken = 0;
  #takenByFailing = 0;
  /** First come, first served. */
  readonly #waiting: (() => void)[] = [];
  readonly #failingWaiting: (() => void)[] = [];

  /** @param size 2 or more */
  constructor(size: number) {
    this.#size = size;
  }

  /** Waits for a slot. @returns its release function */
  async acquire(isFailing: boolean): Promise<() => void> {
    if (!this.#isFree(isFailing)) {
      await new Promise<void>((resolve) => {
        (isFailing ? this.#failingWaiting : this.#waiting).push(resolve);
      });
    } else this.#count(isFailing, 1);
    return this.#releaser(isFailing);
  }

  /** As {@link acquire}; null if no slot is free. */
  tryAcquire(isFailing: boolean): (() => void) | null {
    if (!this.#isFree(isFailing)) return null;
    this.#count(isFailing, 1);
    return this.#releaser(isFailing);
  }

  #isFree(isFailing: boolean): boolean {
    if (this.#taken >= this.#size) return false;
    return !isFailing || this.#takenByFailing < Math.floor(this.#size / 2);
  }

  #count(isFailing: boolean, by: 1 | -1): void {
    this.#taken += by;
    if (isFailing) this.#takenByFailing += by;
  }

  #releaser(isFailing: boolean): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#count(isFailing, -1);
      this.#handOn();
    };
  }

  /** Passes free slots to waiting requests before new ones can take them. */
  #handOn(): void {
    for (const isFailing of [false, true]) {
      const waiting = isFailing ? this.#failingWaiting : this.#waiting;
      while (waiting.length > 0 && this.#isFree(isFailing)) {
        this.#count(isFailing, 1);
        waiting.shift()?.();
      }
    }
  }
}
