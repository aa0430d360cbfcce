/**
 * Pending deletions of locations, which the user can undo for ten seconds. Closing the page within that time deletes
 * nothing: that is the mistake that can be corrected.
 */

export const WAIT_MS = 10_000;

interface Pending {
  readonly ids: readonly string[];
  readonly text: string;
  readonly run: () => Promise<void>;
  readonly undo: () => void;
}

export class Deletions {
  pending = $state.raw<Pending | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Carries out the previous deletion at once. */
  announce(pending: Pending): void {
    void this.flush();
    this.pending = pending;
    this.wait();
  }

  /** Starts or restarts the ten seconds. */
  wait(): void {
    clearTimeout(this.#timer);
    if (this.pending !== null) this.#timer = setTimeout(() => void this.flush(), WAIT_MS);
  }

  /** Stops the clock while the pointer or the focus is on the notice. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  undo(): void {
    const { pending } = this;
    if (pending === null) return;
    clearTimeout(this.#timer);
    this.pending = null;
    pending.undo();
  }

  async flush(): Promise<void> {
    const { pending } = this;
    if (pending === null) return;
    clearTimeout(this.#timer);
    this.pending = null;
    try {
      await pending.run();
    } catch (error) {
      pending.undo();
      this.#onError(error);
    }
  }
}
