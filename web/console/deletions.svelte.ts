/**
 * Locations that are about to be deleted. For ten seconds they can be kept; a page that is closed before deletes nothing,
 * since what is not deleted can still be deleted, and the other way round it cannot.
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

  /** What was announced before is deleted at once. */
  announce(pending: Pending): void {
    void this.flush();
    this.pending = pending;
    this.wait();
  }

  /** The ten seconds begin, or begin again. */
  wait(): void {
    clearTimeout(this.#timer);
    if (this.pending !== null) this.#timer = setTimeout(() => void this.flush(), WAIT_MS);
  }

  /** For as long as the reader is about to undo it. */
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
