/** Requests that may be under way at once. Those to receivers that failed last take no more than half of them. */

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

  /** Resolves when there is a slot. @returns what gives it back */
  async acquire(isFailing: boolean): Promise<() => void> {
    if (!this.#isFree(isFailing)) {
      await new Promise<void>((resolve) => {
        (isFailing ? this.#failingWaiting : this.#waiting).push(resolve);
      });
    } else this.#count(isFailing, 1);
    return this.#releaser(isFailing);
  }

  /** As {@link take}; null where there is no slot now. */
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

  /** Whoever waits is given the slot before anybody else can take it. */
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
