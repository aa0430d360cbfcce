/** Collects the last use of tokens or sessions and stores it in the background, so that no request waits for it. */

/** Minimum milliseconds between two stored uses of a token or session. */
const INTERVAL_MS = 60_000;
/** Milliseconds for which uses are collected before they are stored together. */
const DELAY_MS = 1_000;

interface Use {
  readonly usedAt: number;
}

type SaveUses<U> = (uses: readonly U[], intervalMs: number) => Promise<void>;

export class LastUses<U extends Use> {
  readonly #save: SaveUses<U>;
  readonly #onFailure: (error: unknown) => void;
  readonly #pending = new Map<string, U>();
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  /** Uses are not collected until then, after a failure. */
  #pausedUntil = 0;

  /**
   * @param save stores uses that are at least an interval apart
   * @param onFailure called when uses could not be stored; they are dropped
   */
  constructor(save: SaveUses<U>, onFailure: (error: unknown) => void) {
    this.#save = save;
    this.#onFailure = onFailure;
  }

  /** @param lastUsedAt the stored use; null if there is none */
  note(id: string, lastUsedAt: number | null, use: U): void {
    if (lastUsedAt !== null && use.usedAt - lastUsedAt < INTERVAL_MS) return;
    if (use.usedAt < this.#pausedUntil || this.#pending.has(id)) return;
    this.#pending.set(id, use);
    this.#timer ??= setTimeout(() => void this.save(), DELAY_MS).unref();
  }

  /** Stores pending uses at once. Resolves even if that fails. */
  save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const uses = [...this.#pending.values()];
    this.#pending.clear();
    if (uses.length > 0) {
      const saved = () => this.#save(uses, INTERVAL_MS);
      this.#saving = this.#saving.then(saved).catch((error: unknown) => {
        this.#pausedUntil = Math.max(...uses.map(({ usedAt }) => usedAt)) + INTERVAL_MS;
        this.#onFailure(error);
      });
    }
    return this.#saving;
  }
}
