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
  readonly timer: ReturnType<typeof setTimeout>;
}

export class Deletions {
  pending = $state.raw<Pending | null>(null);
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** What was announced before is deleted at once. */
  announce(pending: Omit<Pending, 'timer'>): void {
    void this.flush();
    this.pending = { ...pending, timer: setTimeout(() => void this.flush(), WAIT_MS) };
  }

  undo(): void {
    const { pending } = this;
    if (pending === null) return;
    clearTimeout(pending.timer);
    this.pending = null;
    pending.undo();
  }

  async flush(): Promise<void> {
    const { pending } = this;
    if (pending === null) return;
    clearTimeout(pending.timer);
    this.pending = null;
    try {
      await pending.run();
    } catch (error) {
      pending.undo();
      this.#onError(error);
    }
  }
}
