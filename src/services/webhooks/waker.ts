/** A sleep that can be interrupted. */

/** The longest delay of a timer. */
const FOREVER_MS = 2 ** 31 - 1;

export class Waker {
  #isWoken = false;
  #wake: (() => void) | null = null;

  /** Ends the current sleep, or the next one if there is none. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Resolves when woken, including since the last sleep, or when the time is over. */
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
