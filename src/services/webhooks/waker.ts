/** A sleep that can be ended from elsewhere. */

/** The longest that a timer can wait. */
const FOREVER_MS = 2 ** 31 - 1;

export class Waker {
  #isWoken = false;
  #wake: (() => void) | null = null;

  /** Ends the sleep, or the next one where nobody sleeps. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Resolves when it rings, also where it has rung since the last sleep, or when the time is over. */
  async sleep(milliseconds = FOREVER_MS): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(milliseconds, FOREVER_MS));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#isWoken = false;
  }
}
